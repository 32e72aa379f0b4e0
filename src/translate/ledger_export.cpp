// Ledger entries about the export as a whole: pools, cells, groups, priorities, and what the chosen policies mean.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "ledger_maker.h"
#include "priorities.h"

namespace cmb2kueue::translate {

namespace {

using model::LossClass;
using model::no_tenant;

std::uint64_t hash_of(const model::Model& model, const model::Amounts& amounts, std::uint64_t seed) {
  for (const model::Amount& amount : amounts)
    seed = base::fnv1a(fmt::format("{}={};", model.resources[amount.resource].name, amount.count), seed);
  return seed;
}

std::uint64_t hash_of(const model::Model& model, const model::SharedPool& pool) {
  std::uint64_t hash = base::fnv1a(fmt::format("{}|{}|{}", pool.name, pool.cell, pool.resource_pool));
  for (const model::TenantIndex member : pool.members) hash = base::fnv1a(model.tenants[member].id + ";", hash);
  return hash_of(model, pool.capacity, hash);
}

std::uint64_t hash_of(const model::Model& model, const model::CapacityGroup& group) {
  std::uint64_t hash = base::fnv1a(fmt::format("{}|{}|{}", group.name, group.resource_pool, group.tier));
  for (const auto& [cell, percent] : group.cell_percent)
    hash = base::fnv1a(fmt::format("{}={}", cell, percent), hash);
  return hash_of(model, group.total, hash);
}

std::uint64_t hash_of(const model::PriorityPolicy& policy) {
  std::uint64_t value = base::fnv1a(policy.system_default);
  for (const auto& [name, base_value] : policy.class_base)
    value = base::fnv1a(fmt::format("{}={}", name, base_value), value);
  return base::fnv1a(std::to_string(policy.value_range.value_or(0)), value);
}

}  // namespace

void LedgerMaker::from_pools() {
  const bool none = work_.mapping.shared_pools == mapping::SharedPools::none;
  for (const model::SharedPool& pool : work_.model.pools) {
    const std::uint64_t value = hash_of(work_.model, pool);
    const std::string field = fmt::format("sharedPools[{}]", pool.name);
    const Words words =
        none ? Words{"C-13", field, "the mapping takes no shared pool over",
                     "say sharedPools: from-export if tenants are to borrow it", LossClass::lossy}
        : pool.all_members
            ? Words{"C-13", field,
                    "the pool is quota of the cell's root Cohort; its name is gone, and pools of one flavor are "
                    "one",
                    "tell pools apart by flavors"}
            : Words{"C-13", field,
                    "the pool is for its members only; in Kueue everybody under the root can borrow it",
                    "give its members a Cohort of their own", LossClass::lossy};
    entry(words).items.push_back({no_tenant, value, pool.place});
  }
}

void LedgerMaker::from_envelope() {
  const model::Model& model = work_.model;
  std::vector<LedgerItem> groups, cells, enrollment;
  for (const model::CapacityGroup& group : model.capacity_groups)
    groups.push_back({no_tenant, hash_of(model, group), group.place});
  for (const model::Cell& cell : model.cells)
    if (!cell.kueue_enabled || !cell.kube_context.empty())
      cells.push_back({no_tenant,
                       base::fnv1a(fmt::format("{}|{}|{}", cell.name, cell.kueue_enabled, cell.kube_context)),
                       cell.place});
  for (const auto& [tenant, state] : model.enrollment)
    enrollment.push_back({tenant, static_cast<std::uint64_t>(state) + 1, model.tenants[tenant].place});
  if (!groups.empty())
    entry({"J-51", "capacityGroups[]", "groups are only compared with what tenants have reserved",
           "bind tenants, not groups"})
        .items = std::move(groups);
  if (!cells.empty())
    entry({"J-53", "cells[]", "which cluster a cell is, and whether Kueue runs there, is not in any object",
           "name the cluster with --target"})
        .items = std::move(cells);
  if (!enrollment.empty())
    entry({"C-03", "enrollment[]",
           "who has moved is known from the target's own state; the export's word is only compared",
           "read it with status"})
        .items = std::move(enrollment);
  if (model.priorities.given)
    whole({"J-18", "priorityPolicy", "classes and buckets come from the mapping",
           "compare them with the mapping's priorities"},
          hash_of(model.priorities));
}

void LedgerMaker::from_policies() {
  whole({"C-13", "fair sharing", "the controller has to have fair sharing on",
         "check fairSharing in the controller's configuration"});
  whole({"C-13", "running jobs",
         "newer Kueue evicts jobs whose pods are not ready in time, 30 minutes where nothing else is set",
         "set waitForPodsReady in the controller's configuration as wanted"});
  whole({"C-05", "RemoveTenant", "a Cohort has no finalizer: deleting one takes effect at once, whoever is below",
         "let this tool remove it; it checks that nothing is left"});
  if (work_.mapping.namespaces.strategy == mapping::NamespaceStrategy::shared)
    whole({"C-02", "namespaces",
           "all LocalQueues share one namespace, so Kubernetes keeps no tenant out of another's queue",
           "check the queue label where jobs are submitted, or use one namespace a tenant"});
  if (work_.model.cells.size() > 1)
    whole({"C-13", "cells", "shares are fair within a cell, not over all of them",
           "route work so that cells fill evenly"});
  for (const PriorityShift& shift : priority_shifts(work_.mapping))
    whole({"J-18", "priorities", "priority values overlap or end at 32 bits, so some are others or equal",
           "choose bases further apart"},
          base::fnv1a(fmt::format("{} {} {}", shift.priority_class, shift.wanted, shift.given)));
}

}  // namespace cmb2kueue::translate
