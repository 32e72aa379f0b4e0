// The ledger: what readers noted, and what translation itself changes the meaning of.
#include "cmb2kueue/translate/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cmb2kueue/base/text.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::LossClass;
using model::no_tenant;
using model::TenantIndex;

class LedgerMaker {
 public:
  explicit LedgerMaker(Work& work) : work_(work) {}
  Ledger make();

 private:
  void from_facts();
  void from_limits();
  void from_weights();
  void from_network();
  void from_skips();
  void from_pools();
  void from_maxima();
  void from_policies();
  void from_exclusions();
  LedgerEntry& entry(std::string_view code, std::string field, std::string what, std::string remedy);
  void whole(std::string_view code, std::string field, std::string what, std::string remedy,
             std::uint64_t value = 0) {
    entry(code, std::move(field), std::move(what), std::move(remedy)).items.push_back({no_tenant, value, {}});
  }
  void finish();

  Work& work_;
  Ledger ledger_;
};

LedgerEntry& LedgerMaker::entry(std::string_view code, std::string field, std::string what, std::string remedy) {
  const model::CatalogueEntry* row = model::find_entry(code);
  LedgerEntry made;
  made.code = code;
  made.loss = row == nullptr ? LossClass::gap : row->loss;
  made.field = std::move(field);
  made.what = std::move(what);
  made.remedy = std::move(remedy);
  if (made.loss == LossClass::emulated && row != nullptr) made.provider = row->target;
  ledger_.push_back(std::move(made));
  return ledger_.back();
}

void LedgerMaker::from_facts() {
  const std::vector<model::FieldFact>& facts = work_.model.facts;
  for (std::size_t from = 0; from < facts.size();) {
    const model::FieldNote& note = work_.model.fields[facts[from].field];
    LedgerEntry& one = entry(note.code, note.field, note.loss, note.remedy);
    std::size_t to = from;
    for (; to < facts.size() && facts[to].field == facts[from].field; ++to)
      one.items.push_back({facts[to].tenant, facts[to].value, facts[to].place});
    from = to;
  }
}

void LedgerMaker::from_limits() {
  LedgerEntry& one =
      entry("C-12", "TenantAttributes.concurrencyLimit",
            "the limit is quota on pods; below a limited internal tenant fair order follows the larger "
            "of pod share and resource share",
            "none is needed where jobs are one pod each");
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
    const model::Tenant& tenant = work_.model.tenants[i];
    if (tenant.concurrency_limit > 0) one.items.push_back({i, tenant.concurrency_limit, tenant.limit_place});
  }
  if (one.items.empty()) ledger_.pop_back();
}

void LedgerMaker::from_weights() {
  LedgerEntry& one = entry("C-11", "CapacityDefinition.weight",
                           "Kueue weighs the dominant borrowed share; how CMB weighed is not known",
                           "compare waits of a week before and after");
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
    const model::Tenant& tenant = work_.model.tenants[i];
    if (tenant.weight) one.items.push_back({i, *tenant.weight, tenant.weight_place});
  }
  if (one.items.empty()) ledger_.pop_back();
}

void LedgerMaker::from_network() {
  if (work_.model.system != "cmb") return;
  LedgerEntry& one = entry("C-10", "ReservedCapacity.networkMbps", "quota that counts only if pods request it",
                           "have job templates request it, or exclude it in the mapping");
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
    const model::Tenant& tenant = work_.model.tenants[i];
    if (!tenant.reservation) continue;
    for (const model::Amount& amount : tenant.reservation->total)
      if (work_.model.resources[amount.resource].name == "networkMbps")
        one.items.push_back({i, static_cast<std::uint64_t>(amount.count), tenant.reservation_place});
  }
  if (one.items.empty()) ledger_.pop_back();
}

void LedgerMaker::from_skips() {
  LedgerEntry& one =
      entry("C-02", "Tenant", "the tenant is left out by a rule of the mapping and stays where it is",
            "keep its capacity with CMB");
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i)
    if (work_.tenants[i].skipped) one.items.push_back({i, 1, work_.model.tenants[i].place});
  if (one.items.empty()) ledger_.pop_back();
}

void LedgerMaker::from_pools() {
  for (const model::SharedPool& pool : work_.model.pools) {
    if (pool.all_members) continue;
    std::uint64_t value = base::fnv1a(pool.name);
    for (const TenantIndex member : pool.members) value = base::fnv1a(work_.model.tenants[member].id, value);
    whole("C-13", fmt::format("sharedPools[{}].members", pool.name),
          "the pool is for its members only; in Kueue everybody under the root can borrow it",
          "give its members a Cohort of their own", value);
  }
}

void LedgerMaker::from_maxima() {
  LedgerEntry& one =
      entry("C-09", "queue.resources",
            "guarantees are lent when idle and come back by preemption; a maximum holds per flavor, and "
            "capacity nobody is guaranteed is not in the file",
            "give shared capacity as a pool; make jobs safe to restart");
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
    const model::Tenant& tenant = work_.model.tenants[i];
    std::uint64_t value = 0;
    for (const model::Amount& amount : tenant.maximum)
      value = base::fnv1a(fmt::format("{}={}", amount.resource, amount.count), value);
    const bool lendable = tenant.reservation && tenant.reservation->lendable;
    if (lendable || !tenant.maximum.empty()) one.items.push_back({i, value, tenant.place});
  }
  if (one.items.empty()) ledger_.pop_back();
}

void LedgerMaker::from_exclusions() {
  for (const mapping::ResourceMap& map : work_.mapping.resources) {
    if (!map.exclude) continue;
    LedgerEntry& one =
        entry("C-09", "ReservedCapacity." + map.source, "the resource is left out by the mapping: " + map.reason,
              "watch its use by other means");
    for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
      const model::Tenant& tenant = work_.model.tenants[i];
      if (!tenant.reservation) continue;
      for (const model::Amount& amount : tenant.reservation->total)
        if (work_.model.resources[amount.resource].name == map.source)
          one.items.push_back({i, static_cast<std::uint64_t>(amount.count), tenant.reservation_place});
    }
    if (one.items.empty()) ledger_.pop_back();
  }
}

void LedgerMaker::from_policies() {
  whole("C-13", "fair sharing",
        "the controller has to have fair sharing on, and newer Kueue evicts pods that are not ready in time",
        "check fairSharing and waitForPodsReady in the controller's configuration");
  whole("C-05", "RemoveTenant", "a Cohort has no finalizer: deleting one takes effect at once, whoever is below",
        "let this tool remove it; it checks that nothing is left");
  if (work_.mapping.namespaces.strategy == mapping::NamespaceStrategy::shared)
    whole("C-02", "namespaces",
          "all LocalQueues share one namespace, so Kubernetes keeps no tenant out of another's queue",
          "check the queue label where jobs are submitted, or use one namespace a tenant");
  if (work_.model.cells.size() > 1)
    whole("C-13", "cells", "shares are fair within a cell, not over all of them",
          "route work so that cells fill evenly");
  if (work_.model.priorities.given) {
    std::uint64_t value = base::fnv1a(work_.model.priorities.system_default);
    for (const auto& [name, base_value] : work_.model.priorities.class_base)
      value = base::fnv1a(fmt::format("{}={}", name, base_value), value);
    value = base::fnv1a(std::to_string(work_.model.priorities.value_range.value_or(0)), value);
    whole("J-18", "priorityPolicy", "classes and buckets come from the mapping",
          "compare them with the mapping's priorities", value);
  }
}

void LedgerMaker::finish() {
  for (LedgerEntry& one : ledger_)
    std::stable_sort(one.items.begin(), one.items.end(), [](const LedgerItem& a, const LedgerItem& b) {
      return std::tie(a.tenant, a.value) < std::tie(b.tenant, b.value);
    });
  std::stable_sort(ledger_.begin(), ledger_.end(), [](const LedgerEntry& a, const LedgerEntry& b) {
    if (a.loss != b.loss) return a.loss > b.loss;
    return std::tie(a.code, a.field, a.what) < std::tie(b.code, b.field, b.what);
  });
}

Ledger LedgerMaker::make() {
  from_facts();
  from_limits();
  from_weights();
  from_network();
  from_skips();
  from_pools();
  from_maxima();
  from_exclusions();
  from_policies();
  finish();
  return std::move(ledger_);
}

}  // namespace

Ledger make_ledger(Work& work) {
  return LedgerMaker(work).make();
}

}  // namespace cmb2kueue::translate
