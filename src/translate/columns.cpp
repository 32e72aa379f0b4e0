// Which flavors and resources are in play, which rule decides for whom, and who is left out.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using model::TenantIndex;

bool in_use(const model::Model& model, std::uint16_t resource) {
  const auto uses = [&](const model::Amounts& amounts) {
    return std::any_of(amounts.begin(), amounts.end(),
                       [&](const model::Amount& a) { return a.resource == resource; });
  };
  for (const model::Tenant& tenant : model.tenants)
    if ((tenant.reservation && uses(tenant.reservation->total)) || uses(tenant.maximum)) return true;
  return std::any_of(model.pools.begin(), model.pools.end(),
                     [&](const model::SharedPool& pool) { return uses(pool.capacity); });
}

void choose_resources(Work& work) {
  for (std::uint16_t i = 0; i < work.model.resources.size(); ++i) {
    const std::string& source = work.model.resources[i].name;
    std::optional<std::string> target = mapping::target_of(work.mapping, source);
    if (!target && work.model.system != "cmb") target = source;  // other formats use Kubernetes' own names
    if (!target && in_use(work.model, i))
      work.report("T-RESOURCE-UNMAPPED",
                  fmt::format("the mapping says nothing about the resource {}", base::quoted(source)),
                  "add it to resources, or exclude it with a reason", no_tenant, {});
    work.targets.push_back(target.value_or(""));
    work.resource_slot.push_back(work.targets.back().empty() ? -1 : static_cast<int>(work.covered.size()));
    if (work.resource_slot.back() >= 0) work.covered.push_back(i);
  }
}

void decide_rules(Work& work) {
  const std::vector<model::Tenant>& tenants = work.model.tenants;
  for (TenantIndex i = 0; i < tenants.size(); ++i) {
    TenantWork& one = work.tenants[i];
    const bool above = tenants[i].parent != no_tenant && work.tenants[tenants[i].parent].skipped;
    const mapping::Decision decision = mapping::decide(work.mapping, tenants[i]);
    one.rule = decision.rule;
    one.skipped = above || decision.skip || decision.rule == nullptr;
    if (!above && decision.rule == nullptr)
      work.report("T-NO-RULE", "no rule of the mapping matches the tenant",
                  "add a rule without match as the last one", i, tenants[i].place);
    if (one.skipped) continue;
    for (const std::uint16_t flavor : decision.flavors) work.flavor_slot[flavor] = 0;
  }
}

void number_flavors(Work& work) {
  for (std::uint16_t i = 0; i < work.flavor_slot.size(); ++i) {
    if (work.flavor_slot[i] < 0) continue;
    work.flavor_slot[i] = static_cast<int>(work.used_flavors.size());
    work.used_flavors.push_back(i);
  }
}

}  // namespace

void choose_columns(Work& work) {
  choose_resources(work);
  work.flavor_slot.assign(work.mapping.flavors.size(), -1);
  decide_rules(work);
  for (const model::SharedPool& pool : work.model.pools) {
    const int flavor = mapping::flavor_of_pool(work.mapping, pool.resource_pool);
    if (flavor >= 0) work.flavor_slot[static_cast<std::size_t>(flavor)] = 0;
  }
  number_flavors(work);
  for (const std::uint16_t flavor : work.used_flavors)
    for (const std::uint16_t resource : work.covered)
      work.columns.push_back(
          {work.mapping.flavors[flavor].name, work.targets[resource], work.model.resources[resource].unit, false});
  work.limit_column = static_cast<std::uint32_t>(work.columns.size());
  const bool limited = std::any_of(work.model.tenants.begin(), work.model.tenants.end(),
                                   [](const model::Tenant& tenant) { return tenant.concurrency_limit > 0; });
  if (limited) work.columns.push_back({work.mapping.concurrency_flavor, "pods", base::Unit::one, true});
}

}  // namespace cmb2kueue::translate
