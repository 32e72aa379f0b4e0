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

// The name pods request for a resource, "" where it is left out.
std::string choose_target(Work& work, std::uint16_t resource) {
  const std::string& source = work.model.resources[resource].name;
  std::optional<std::string> target = mapping::target_of(work.mapping, source);
  if (!target && work.model.system != "cmb") target = source;  // other formats use Kubernetes' own names
  if (!target && in_use(work.model, resource))
    work.report("T-RESOURCE-UNMAPPED",
                fmt::format("the mapping says nothing about the resource {}", base::quoted(source)),
                "add it to resources, or exclude it with a reason", no_tenant, {});
  const bool taken = target && !target->empty() &&
                     std::find(work.targets.begin(), work.targets.end(), *target) != work.targets.end();
  if (taken)
    work.report("T-RESOURCE-TWICE",
                fmt::format("the resource {} would be {}, which another one is already", base::quoted(source),
                            base::quoted(*target)),
                "give it a target of its own under resources, or exclude it", no_tenant, {});
  return taken ? std::string() : target.value_or("");
}

void choose_resources(Work& work) {
  for (std::uint16_t i = 0; i < work.model.resources.size(); ++i) {
    work.targets.push_back(choose_target(work, i));
    work.resource_slot.push_back(work.targets.back().empty() ? -1 : static_cast<int>(work.covered.size()));
    if (work.resource_slot.back() >= 0) work.covered.push_back(i);
  }
}

void find_rule_flavors(Work& work) {
  for (const mapping::Rule& rule : work.mapping.rules) {
    std::vector<std::uint16_t>& flavors = work.rule_flavors.emplace_back();
    for (const std::string& name : rule.flavors)
      for (std::uint16_t i = 0; i < work.mapping.flavors.size(); ++i)
        if (work.mapping.flavors[i].name == name) flavors.push_back(i);
  }
}

// Removed tenants stay away unless something below them lives.
void find_removed(Work& work) {
  std::vector<bool> lives(work.tenants.size());
  for (TenantIndex i = static_cast<TenantIndex>(work.tenants.size()); i-- > 0;) {
    const model::Tenant& tenant = work.model.tenants[i];
    if (tenant.state != model::TenantState::removed) lives[i] = true;
    work.tenants[i].removed = !lives[i];
    if (lives[i] && tenant.parent != no_tenant) lives[tenant.parent] = true;
  }
}

void decide_rules(Work& work) {
  const std::vector<model::Tenant>& tenants = work.model.tenants;
  for (TenantIndex i = 0; i < tenants.size(); ++i) {
    TenantWork& one = work.tenants[i];
    const bool above = tenants[i].parent != no_tenant && work.tenants[tenants[i].parent].skipped;
    one.rule = mapping::rule_for(work.mapping, tenants[i], mapping::Skips::decide);
    const bool skip = one.rule != nullptr && one.rule->skip;
    one.skipped = above || skip || one.rule == nullptr || one.removed;
    if (!above && !one.removed && one.rule == nullptr)
      work.report("T-NO-RULE", "no rule of the mapping matches the tenant",
                  "add a rule without match as the last one", i, tenants[i].place);
    if (one.removed) work.report("T-TENANT-REMOVED", "the tenant is removed and left out", "", i, tenants[i].place);
    if (skip) one.rule = mapping::rule_for(work.mapping, tenants[i], mapping::Skips::pass_over);
    if (one.skipped) continue;
    for (const std::uint16_t flavor : work.flavors_of(i)) work.flavor_slot[flavor] = 0;
  }
}

void number_flavors(Work& work) {
  for (std::uint16_t i = 0; i < work.flavor_slot.size(); ++i) {
    if (work.flavor_slot[i] < 0) continue;
    work.flavor_slot[i] = static_cast<int>(work.used_flavors.size());
    work.used_flavors.push_back(i);
  }
}

// The limit's resource and flavor are a group of their own, so capacity may use neither.
void add_limit_column(Work& work) {
  work.limit_column = static_cast<std::uint32_t>(work.columns.size());
  bool limited = false;
  for (TenantIndex i = 0; i < work.tenants.size(); ++i)
    limited |= !work.tenants[i].skipped && work.model.tenants[i].concurrency_limit > 0;
  if (!limited) return;
  for (const quota::Column& column : work.columns)
    if (column.resource == "pods" || column.flavor == work.mapping.concurrency_flavor) {
      work.report("T-LIMIT-TAKEN",
                  fmt::format("concurrency limits need the resource pods and the flavor {} to themselves, {}/{} is "
                              "capacity",
                              base::quoted(work.mapping.concurrency_flavor), column.flavor, column.resource),
                  "choose another concurrencyFlavor, or exclude the resource", no_tenant, {});
      break;
    }
  work.columns.push_back({work.mapping.concurrency_flavor, "pods", base::Unit::one, true});
}

}  // namespace

const std::vector<std::uint16_t>& Work::flavors_of(TenantIndex tenant) const {
  static const std::vector<std::uint16_t> none;
  const mapping::Rule* rule = tenants[tenant].rule;
  return rule == nullptr ? none : rule_flavors[static_cast<std::size_t>(rule - mapping.rules.data())];
}

void choose_columns(Work& work) {
  choose_resources(work);
  work.flavor_slot.assign(work.mapping.flavors.size(), -1);
  find_rule_flavors(work);
  find_removed(work);
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
  add_limit_column(work);
}

}  // namespace cmb2kueue::translate
