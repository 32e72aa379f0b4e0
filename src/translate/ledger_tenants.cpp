// Ledger entries about single tenants: what becomes an annotation, changes its meaning, or stays behind.
#include <fmt/format.h>

#include "annotations.h"
#include "cmb2kueue/base/text.h"
#include "ledger_maker.h"

namespace cmb2kueue::translate {

namespace {

using model::LossClass;
using model::Tenant;
using model::TenantIndex;

std::uint64_t of_text(const std::string& text) {
  return text.empty() ? 0 : base::fnv1a(text);
}

std::uint64_t of_amounts(const model::Model& model, const model::Amounts& amounts, std::uint64_t seed) {
  for (const model::Amount& amount : amounts)
    seed =
        base::fnv1a(model.resources[amount.resource].name + "=" +
                        base::Quantity::of(amount.count, model.resources[amount.resource].unit).to_string() + ";",
                    seed);
  return seed;
}

std::uint64_t of_attributes(const Tenant& tenant) {
  std::uint64_t hash = 0;
  for (const auto& [key, value] : tenant.attributes)
    hash = base::fnv1a(value, base::fnv1a(fmt::format("{} {} ", key.size(), key), hash + 1));
  return hash;
}

// Everything about a tenant that stays behind as a whole.
std::uint64_t of_everything(const model::Model& model, const Tenant& tenant) {
  std::uint64_t hash = base::fnv1a(
      fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", tenant.name, static_cast<int>(tenant.type), tenant.concurrency_limit,
                  tenant.weight ? static_cast<std::int64_t>(*tenant.weight) : -1, tenant.capacity_group,
                  tenant.resource_pool, tenant.priority_offset, tenant.request_pending),
      of_attributes(tenant));
  hash = base::fnv1a(tenant.email + "|" + tenant.description, hash);
  if (tenant.reservation) hash = of_amounts(model, tenant.reservation->total, hash);
  for (const auto& [cell, percent] : tenant.cell_percent)
    hash = base::fnv1a(fmt::format("{}={}", cell, percent), hash);
  return of_amounts(model, tenant.maximum, hash) | 1U;
}

std::uint64_t network_of(const Work& work, TenantIndex i) {
  const Tenant& tenant = work.model.tenants[i];
  if (!tenant.reservation || work.model.system != "cmb") return 0;
  for (const model::Amount& amount : tenant.reservation->total)
    if (work.model.resources[amount.resource].name == "networkMbps" && work.resource_slot[amount.resource] >= 0)
      return static_cast<std::uint64_t>(amount.count);
  return 0;
}

std::uint64_t shape_of(const Work& work, TenantIndex i) {
  const Tenant& tenant = work.model.tenants[i];
  const bool has_shape = tenant.reservation && tenant.reservation->shape != tenant.reservation->total;
  return has_shape || (tenant.reservation && tenant.reservation->instances != 1)
             ? of_text(shape_text(work.model, tenant))
             : 0;
}

std::uint64_t maximum_of(const Work& work, TenantIndex i) {
  const Tenant& tenant = work.model.tenants[i];
  const bool lendable = tenant.reservation && tenant.reservation->lendable;
  return lendable || !tenant.maximum.empty() ? of_amounts(work.model, tenant.maximum, lendable ? 2 : 1) : 0;
}

}  // namespace

void LedgerMaker::from_tenants() {
  tenants(
      {"C-01", "Tenant.tenantDefinition.tenantName",
       "the display name is an annotation; object names are made from it once",
       "look objects up by the annotation or label, not by name"},
      [](const Work& w, TenantIndex i) { return of_text(w.model.tenants[i].name); }, &Tenant::name_place);
  tenants(
      {"C-01", "Tenant.tenantDefinition.tenantEmailAddress",
       "the address becomes an annotation and is not validated any more",
       "validate addresses where tenants are requested"},
      [](const Work& w, TenantIndex i) { return of_text(w.model.tenants[i].email); }, &Tenant::place);
  tenants(
      {"C-01", "Tenant.tenantDefinition.tenantDescription", "the description becomes an annotation",
       "read it there"},
      [](const Work& w, TenantIndex i) { return of_text(w.model.tenants[i].description); }, &Tenant::place);
  tenants(
      {"C-14", "Tenant.tenantDefinition.tenantAttributes.attributes",
       "attributes become annotations, which Kueue does not read",
       "keep whatever acts on them reading the annotations"},
      [](const Work& w, TenantIndex i) { return of_attributes(w.model.tenants[i]); }, &Tenant::place);
  tenants(
      {"C-09", "CapacityDefinition.reservedCapacity", "the shape of an instance is dropped; only totals are quota",
       "keep packing in mind: totals may fit where single instances do not"},
      shape_of, &Tenant::reservation_place);
  tenants({"C-10", "ReservedCapacity.networkMbps", "quota that counts only if pods request it",
           "have job templates request it, or exclude it in the mapping"},
          network_of, &Tenant::reservation_place);
  tenants(
      {"C-11", "CapacityDefinition.weight",
       "Kueue weighs the dominant borrowed share; how CMB weighed is not known",
       "compare waits of a week before and after"},
      [](const Work& w, TenantIndex i) {
        const std::optional<std::uint32_t>& weight = w.model.tenants[i].weight;
        if (!weight) return std::uint64_t{0};
        return *weight == 0 ? UINT64_MAX : std::uint64_t{*weight};  // 0 is something that was said
      },
      &Tenant::weight_place);
  tenants(
      {"C-12", "TenantAttributes.concurrencyLimit",
       "the limit is quota on pods; below a limited internal tenant fair order follows the larger of pod share "
       "and resource share",
       "none is needed where jobs are one pod each"},
      [](const Work& w, TenantIndex i) { return std::uint64_t{w.model.tenants[i].concurrency_limit}; },
      &Tenant::limit_place);
  tenants({"C-09", "queue.resources",
           "guarantees are lent when idle and come back by preemption; a maximum holds per flavor, and capacity "
           "nobody is guaranteed is not in the file",
           "give shared capacity as a pool; make jobs safe to restart"},
          maximum_of, &Tenant::place);
}

void LedgerMaker::from_left_behind() {
  tenants(
      {"C-02", "Tenant", "the tenant is left out by a rule of the mapping and stays where it is",
       "keep its capacity with CMB"},
      [](const Work& w, TenantIndex i) {
        const bool stays = w.tenants[i].skipped && !w.tenants[i].removed;
        return stays ? of_everything(w.model, w.model.tenants[i]) : 0;
      },
      &Tenant::place);
  tenants(
      {"C-05", "Tenant.tenantStatus[].state", "the tenant is removed at the source and has no objects",
       "none is needed", LossClass::emulated},
      [](const Work& w, TenantIndex i) {
        return w.tenants[i].removed ? of_everything(w.model, w.model.tenants[i]) : 0;
      },
      &Tenant::place);
  tenants(
      {"C-05", "Tenant.tenantStatus[].state (Removing)",
       "the tenant is being removed; its objects are made like any other's and take new work",
       "let CMB finish, or leave it out by a rule", LossClass::emulated},
      [](const Work& w, TenantIndex i) {
        return std::uint64_t{w.model.tenants[i].state == model::TenantState::removing};
      },
      &Tenant::place);
  tenants(
      {"C-08", "Tenant.capacityStatus.capacityRequest",
       "a pending capacity request has no counterpart in the cluster", "decide it before the tenant moves"},
      [](const Work& w, TenantIndex i) { return std::uint64_t{w.model.tenants[i].request_pending}; },
      &Tenant::place);
  tenants(
      {"C-02", "queue (both parent and leaf)",
       "the queue works and has children, so its own work has a queue made for it",
       "submit its own jobs to that queue"},
      [](const Work& w, TenantIndex i) { return std::uint64_t{w.model.tenants[i].synthetic}; }, &Tenant::place);
  tenants(
      {"J-51", "bindings[]", "which capacity group a tenant is bound to only chooses its flavor and cells",
       "match it in the mapping's rules where it has to decide more"},
      [](const Work& w, TenantIndex i) {
        const Tenant& tenant = w.model.tenants[i];
        std::uint64_t hash = of_text(tenant.capacity_group + tenant.resource_pool);
        for (const auto& [cell, percent] : tenant.cell_percent)
          hash = base::fnv1a(fmt::format("{}={}", cell, percent), hash);
        return hash;
      },
      &Tenant::place);
  tenants(
      {"J-18", "queue.properties.priority.offset", "an offset is not a field of a queue",
       "add it to the priority class of the queue's jobs"},
      [](const Work& w, TenantIndex i) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(w.model.tenants[i].priority_offset));
      },
      &Tenant::place);
  for (std::uint16_t i = 0; i < work_.model.resources.size(); ++i)
    if (work_.resource_slot[i] < 0) from_resource(work_.model.resources[i], i);
}

// A resource that is left out, wherever it was reserved, limited or shared.
void LedgerMaker::from_resource(const model::Resource& resource, std::uint16_t index) {
  std::string reason = "the mapping does not know it";
  for (const mapping::ResourceMap& map : work_.mapping.resources)
    if (map.source == resource.name) reason = map.exclude ? map.reason : "another resource has its name";
  std::vector<LedgerItem> items;
  const auto add = [&](const model::Amounts& amounts, TenantIndex tenant, base::Place place) {
    for (const model::Amount& amount : amounts)
      if (amount.resource == index && amount.count > 0)
        items.push_back({tenant, static_cast<std::uint64_t>(amount.count), place});
  };
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
    const Tenant& tenant = work_.model.tenants[i];
    if (tenant.reservation) add(tenant.reservation->total, i, tenant.reservation_place);
    add(tenant.maximum, i, tenant.limit_place);
  }
  for (const model::SharedPool& pool : work_.model.pools) add(pool.capacity, model::no_tenant, pool.place);
  if (items.empty()) return;
  const std::string field = "ReservedCapacity." + resource.name;
  const std::string what = "the resource is left out by the mapping: " + reason;
  entry({"C-09", field, what, "watch its use by other means"}).items = std::move(items);
}

}  // namespace cmb2kueue::translate
