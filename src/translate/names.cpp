// Object names differ, pins name tenants that exist, and every leaf has a namespace.
#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

constexpr std::size_t many_namespaces = 10'000;

void check_pins(Work& work) {
  if (work.mapping.pinned_names.empty()) return;
  std::set<std::string_view> ids;
  for (const model::Tenant& tenant : work.model.tenants) ids.insert(tenant.id);
  for (const auto& [id, name] : work.mapping.pinned_names)
    if (!ids.contains(id))
      work.report("T-NAME-UNKNOWN",
                  fmt::format("a name is pinned for {}, which is not in the export", base::quoted(id)),
                  "remove the pin, or correct the id", model::no_tenant, {});
}

void check_namespaces(Work& work, const Translation& out) {
  std::set<std::string> names;
  for (const quota::EntitlementNode& node : out.cells[0].nodes) {
    if (!node.leaf) continue;
    const std::string name = mapping::namespace_of(work.mapping, work.model.tenants[node.tenant], node.object);
    names.insert(name);
    if (name.empty())
      work.report("T-NO-NAMESPACE", "no pattern of namespaces.map matches the tenant", "add a last pattern **",
                  node.tenant, work.model.tenants[node.tenant].name_place);
  }
  if (names.size() > many_namespaces)
    work.report("T-NAMESPACES-MANY", fmt::format("there would be {} namespaces", names.size()),
                "clusters slow down past ten thousand; consider the strategy shared or mapped", model::no_tenant,
                {});
}

}  // namespace

void check_names(Work& work, const Translation& out) {
  std::unordered_map<std::string_view, model::TenantIndex> seen;
  for (const quota::EntitlementNode& node : out.cells[0].nodes) {
    const auto [slot, fresh] = seen.try_emplace(node.object, node.tenant);
    if (!fresh)
      work.report(
          "T-NAME-CLASH",
          fmt::format("the object name {} is also that of {}", base::quoted(node.object),
                      slot->second == model::no_tenant ? "the root" : work.model.tenants[slot->second].path),
          "pin another name for one of them under names.pinned", node.tenant,
          work.model.tenants[node.tenant].name_place);
  }
  check_pins(work);
  check_namespaces(work, out);
}

}  // namespace cmb2kueue::translate
