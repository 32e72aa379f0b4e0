// One translation of a model built by hand, and short ways to look at what came out.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cmb2kueue/translate/translate.h"
#include "support/result.h"
#include "support/tenant_builder.h"

namespace cmb2kueue::translate {

// Parity, inclusive, pools from the export, one flavor "default" for everybody, splits by moved reservation.
mapping::Mapping plain_mapping();
// Adds a flavor for a resource pool, and in front of all others a rule that sends its tenants there.
void add_flavor(mapping::Mapping& mapping, const std::string& name, const std::string& pool);

class Translated {
 public:
  explicit Translated(const model::Model& model, const mapping::Mapping& mapping = plain_mapping(),
                      Purpose purpose = Purpose::look);

  const model::Model& model() const { return model_; }
  const Translation& out() const { return out_; }
  const base::Status& status() const { return status_; }
  const base::Findings& findings() const { return findings_; }

  // "severity subject: message" of every finding of a rule, sorted; all rules for "".
  std::vector<std::string> said(const std::string& rule) const;
  // What a node holds to itself: Translated::total("id", "default/cpu"); "" is the root.
  std::int64_t total(const std::string& id, const std::string& pair, std::size_t cell = 0) const;
  const quota::EntitlementNode& node(const std::string& id, std::size_t cell = 0) const;
  std::uint32_t index(const std::string& id) const;

  std::vector<kueue::Object> objects(std::size_t cell = 0, bool end_state = false) const;
  kueue::ClusterQueue queue(const std::string& id, std::size_t cell = 0) const;
  kueue::Cohort cohort(const std::string& id, std::size_t cell = 0) const;
  kueue::LocalQueue local_queue(const std::string& id, std::size_t cell = 0) const;
  // All objects of all cells as text, without annotations.
  std::string manifests() const;
  // "code field tenant value" of every item of the ledger.
  std::vector<std::string> ledger() const;

 private:
  model::Model model_;
  mapping::Mapping mapping_;
  base::Findings findings_;
  base::Status status_;
  Translation out_;
};

// "nominal/borrowing/lending", "-" for an absent limit; "none" without the row.
template <class ObjectWithGroups>
std::string row(const ObjectWithGroups& object, const std::string& flavor, const std::string& resource) {
  std::string found = "none";
  kueue::for_each_quota(object, [&](const std::string& at, const kueue::ResourceQuota& one) {
    if (at != flavor || one.resource != resource) return;
    found = one.nominal.to_string() + "/" + (one.borrowing_limit ? one.borrowing_limit->to_string() : "-") + "/" +
            (one.lending_limit ? one.lending_limit->to_string() : "-");
  });
  return found;
}

std::string annotation(const kueue::Meta& meta, const std::string& name);

}  // namespace cmb2kueue::translate
