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

void report_clash(Work& work, const std::string& name, model::TenantIndex tenant, model::TenantIndex other,
                  std::string_view kind) {
  work.report("T-NAME-CLASH",
              fmt::format("the {} name {} is also that of {}", kind, base::quoted(name),
                          other == model::no_tenant ? "a cell's root" : work.model.tenants[other].path),
              "pin another name for one of them under names.pinned", tenant, work.model.tenants[tenant].name_place);
}

// With a namespace a tenant, names that were cut to fit may meet.
void check_namespaces(Work& work, const Translation& out) {
  const mapping::NamespaceStrategy strategy = work.mapping.namespaces.strategy;
  if (strategy == mapping::NamespaceStrategy::shared) return;
  std::unordered_map<std::string, model::TenantIndex> names;
  for (const quota::EntitlementNode& node : out.cells[0].nodes) {
    if (!node.leaf) continue;
    const std::string name = mapping::namespace_of(work.mapping, work.model.tenants[node.tenant], node.object);
    if (name.empty())
      work.report("T-NO-NAMESPACE", "no pattern of namespaces.map matches the tenant", "add a last pattern **",
                  node.tenant, work.model.tenants[node.tenant].name_place);
    const auto [slot, fresh] = names.try_emplace(name, node.tenant);
    if (!fresh && strategy == mapping::NamespaceStrategy::per_tenant)
      report_clash(work, name, node.tenant, slot->second, "namespace");
  }
  if (names.size() > many_namespaces)
    work.report("T-NAMESPACES-MANY", fmt::format("there would be {} namespaces", names.size()),
                "clusters slow down past ten thousand; consider the strategy shared or mapped", model::no_tenant,
                {});
}

}  // namespace

void check_names(Work& work, const Translation& out) {
  std::unordered_map<std::string_view, model::TenantIndex> seen;
  seen.reserve(out.cells[0].nodes.size());
  for (const quota::Entitlements& tree : out.cells) seen.try_emplace(tree.nodes[0].object, model::no_tenant);
  for (const quota::EntitlementNode& node : out.cells[0].nodes) {
    if (node.parent < 0) continue;
    const auto [slot, fresh] = seen.try_emplace(node.object, node.tenant);
    if (!fresh) report_clash(work, node.object, node.tenant, slot->second, "object");
  }
  check_pins(work);
  check_namespaces(work, out);
}

}  // namespace cmb2kueue::translate
