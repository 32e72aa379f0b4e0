// Places are made up: every tenant has an offset of its own, so that findings can be told apart.
#include "support/tenant_builder.h"

#include <algorithm>
#include <stdexcept>

namespace cmb2kueue::testing {

using model::Tenant;

TenantBuilder::TenantBuilder() {
  model_.system = "cmb";
  model_.export_id = "made-by-hand";
  model_.pools_given = true;
  model_.resources = {{"cpu", base::Unit::one},
                      {"memoryMB", base::Unit::mebi},
                      {"diskMB", base::Unit::mebi},
                      {"networkMbps", base::Unit::mega},
                      {"gpu", base::Unit::one}};
  model_.cells = {{"default", 100, true, "", {}}};
}

TenantBuilder& TenantBuilder::add(const std::string& name, const std::string& parent, model::TenantType type) {
  Tenant tenant;
  tenant.id = tenant.name = name;
  tenant.type = type;
  tenant.path = "/" + name;
  if (!parent.empty()) {
    const auto above = std::find_if(model_.tenants.rbegin(), model_.tenants.rend(),
                                    [&](const Tenant& one) { return one.id == parent; });
    if (above == model_.tenants.rend()) throw std::invalid_argument("no parent " + parent);
    tenant.parent = static_cast<model::TenantIndex>(model_.tenants.rend() - above - 1);
    tenant.depth = above->depth + 1;
    tenant.path = above->path + tenant.path;
  }
  const std::uint32_t offset = static_cast<std::uint32_t>(model_.tenants.size() + 1) * 100;
  tenant.place = tenant.name_place = tenant.parent_place = {1, offset};
  tenant.reservation_place = {1, offset + 10};
  tenant.weight_place = {1, offset + 20};
  tenant.limit_place = {1, offset + 30};
  model_.tenants.push_back(std::move(tenant));
  return *this;
}

TenantBuilder& TenantBuilder::internal(const std::string& name, const std::string& parent) {
  return add(name, parent, model::TenantType::internal);
}

TenantBuilder& TenantBuilder::leaf(const std::string& name, const std::string& parent) {
  return add(name, parent, model::TenantType::leaf);
}

TenantBuilder& TenantBuilder::id(const std::string& id) {
  tenant().id = id;
  return *this;
}

TenantBuilder& TenantBuilder::reserve(const Counts& shape, std::int64_t instances) {
  model::Reservation reservation;
  reservation.shape = reservation.total = amounts(shape);
  for (model::Amount& amount : reservation.total) amount.count *= instances;
  reservation.instances = instances;
  reservation.place = tenant().reservation_place;
  tenant().reservation = std::move(reservation);
  return *this;
}

TenantBuilder& TenantBuilder::lendable() {
  tenant().reservation->lendable = true;
  return *this;
}

TenantBuilder& TenantBuilder::maximum(const Counts& counts) {
  tenant().maximum = amounts(counts);
  return *this;
}

TenantBuilder& TenantBuilder::weight(std::uint32_t weight) {
  tenant().weight = weight;
  return *this;
}

TenantBuilder& TenantBuilder::limit(std::uint32_t tasks) {
  tenant().concurrency_limit = tasks;
  return *this;
}

TenantBuilder& TenantBuilder::pool_of_group(const std::string& resource_pool) {
  tenant().resource_pool = resource_pool;
  return *this;
}

TenantBuilder& TenantBuilder::percent(const std::vector<std::pair<std::string, std::uint32_t>>& cells) {
  tenant().cell_percent = cells;
  return *this;
}

TenantBuilder& TenantBuilder::attribute(const std::string& key, const std::string& value) {
  tenant().attributes.emplace_back(key, value);
  std::sort(tenant().attributes.begin(), tenant().attributes.end());
  return *this;
}

TenantBuilder& TenantBuilder::state(model::TenantState state) {
  tenant().state = state;
  return *this;
}

TenantBuilder& TenantBuilder::cells(const std::vector<std::pair<std::string, std::uint32_t>>& percent) {
  model_.cells.clear();
  for (const auto& [name, share] : percent) model_.cells.push_back({name, share, true, "", {}});
  return *this;
}

TenantBuilder& TenantBuilder::shared(const std::string& name, const Counts& counts,
                                     const std::string& resource_pool) {
  model::SharedPool pool;
  pool.name = name;
  pool.resource_pool = resource_pool;
  pool.capacity = amounts(counts);
  model_.pools.push_back(std::move(pool));
  return *this;
}

TenantBuilder& TenantBuilder::system(const std::string& name, const std::vector<model::Resource>& resources) {
  model_.system = name;
  model_.resources = resources;
  return *this;
}

model::Amounts TenantBuilder::amounts(const Counts& counts) const {
  model::Amounts found;
  for (const auto& [name, count] : counts)
    for (std::uint16_t i = 0; i < model_.resources.size(); ++i)
      if (model_.resources[i].name == name) found.push_back({i, count});
  std::sort(found.begin(), found.end(),
            [](const model::Amount& a, const model::Amount& b) { return a.resource < b.resource; });
  return found;
}

}  // namespace cmb2kueue::testing
