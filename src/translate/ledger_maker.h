// Collects ledger entries: what readers noted first, then what translation itself changes. A field that a reader
// has noted is not listed again.
#pragma once
#include <string>
#include <string_view>

#include "work.h"

namespace cmb2kueue::translate {

class LedgerMaker {
 public:
  explicit LedgerMaker(Work& work) : work_(work) {}
  Ledger make();

 private:
  // What kind of loss, in words. `loss` differs from the catalogue's class only where one code stands for more
  // than one thing.
  struct Words {
    std::string_view code, field, what, remedy;
    std::optional<model::LossClass> loss = std::nullopt;
  };
  // The fingerprint of what a tenant loses; 0: nothing.
  using TenantValue = std::uint64_t (*)(const Work&, model::TenantIndex);

  void from_facts();
  void from_tenants();      // names, texts, shapes, weights, limits, maxima
  void from_left_behind();  // skipped and removed tenants, excluded resources
  void from_resource(const model::Resource& resource, std::uint16_t index);
  void from_pools();
  void from_envelope();  // cells, capacity groups, enrolment, priorities
  void from_policies();
  void finish();

  bool noted(std::string_view field) const;
  LedgerEntry& entry(const Words& words);
  void whole(const Words& words, std::uint64_t value = 0) {
    entry(words).items.push_back({model::no_tenant, value, {}});
  }
  void tenants(const Words& words, TenantValue value, base::Place model::Tenant::*place);

  Work& work_;
  Ledger ledger_;
};

}  // namespace cmb2kueue::translate
