// Questions translate asks of a mapping.
#include <algorithm>

#include "cmb2kueue/mapping/mapping.h"
#include "glob.h"

namespace cmb2kueue::mapping {

namespace {

bool attribute_matches(const Matcher& match, const model::Tenant& tenant) {
  if (match.attribute.empty()) return true;
  return std::any_of(tenant.attributes.begin(), tenant.attributes.end(), [&](const auto& attribute) {
    return attribute.first == match.attribute &&
           (match.attribute_value.empty() || attribute.second == match.attribute_value);
  });
}

// The prefix in front of the object's name; where that gets too long the readable part gives way, never the hash.
std::string per_tenant(const std::string& prefix, const std::string& object_name) {
  constexpr std::size_t longest = 63, hash_part = 13;
  const std::string full = prefix + object_name;
  if (full.size() <= longest) return full;
  return full.substr(0, longest - hash_part) + object_name.substr(object_name.size() - hash_part);
}

bool matches(const Matcher& match, const model::Tenant& tenant) {
  if (!match.tenant.empty() && match.tenant != tenant.id) return false;
  if (!match.pool.empty() && match.pool != tenant.resource_pool) return false;
  if (!match.capacity_group.empty() && match.capacity_group != tenant.capacity_group) return false;
  if (!attribute_matches(match, tenant)) return false;
  return match.path.empty() || glob_matches(match.path, tenant.path);
}

}  // namespace

Decision decide(const Mapping& mapping, const model::Tenant& tenant) {
  Decision decision;
  decision.rule = rule_for(mapping, tenant, Skips::decide);
  if (decision.rule == nullptr) return decision;
  decision.skip = decision.rule->skip;
  for (const std::string& name : decision.rule->flavors)
    for (std::uint16_t i = 0; i < mapping.flavors.size(); ++i)
      if (mapping.flavors[i].name == name) decision.flavors.push_back(i);
  return decision;
}

const Rule* rule_for(const Mapping& mapping, const model::Tenant& tenant, Skips skips) {
  for (const Rule& rule : mapping.rules)
    if (!(rule.skip && skips == Skips::pass_over) && matches(rule.match, tenant)) return &rule;
  return nullptr;
}

std::optional<std::string> target_of(const Mapping& mapping, std::string_view source_resource) {
  for (const ResourceMap& map : mapping.resources)
    if (map.source == source_resource) return map.exclude ? std::string() : map.target;
  return std::nullopt;
}

int flavor_of_pool(const Mapping& mapping, std::string_view pool) {
  for (std::size_t i = 0; i < mapping.flavors.size(); ++i) {
    const std::vector<std::string>& pools = mapping.flavors[i].pools;
    if (std::find(pools.begin(), pools.end(), pool) != pools.end()) return static_cast<int>(i);
  }
  if (!pool.empty()) return mapping.flavors.size() == 1 && mapping.flavors[0].pools.empty() ? 0 : -1;
  return mapping.flavors.empty() ? -1 : 0;
}

std::string namespace_of(const Mapping& mapping, const model::Tenant& tenant, const std::string& object_name) {
  switch (mapping.namespaces.strategy) {
    case NamespaceStrategy::shared:
      return mapping.namespaces.name;
    case NamespaceStrategy::per_tenant:
      return per_tenant(mapping.namespaces.prefix, object_name);
    case NamespaceStrategy::mapped:
      break;
  }
  for (const auto& [pattern, name] : mapping.namespaces.mapped)
    if (glob_matches(pattern, tenant.path)) return name;
  return "";
}

const char* to_string(Preset preset) {
  return preset == Preset::parity ? "parity" : "lend";
}

const char* to_string(SplitKind kind) {
  switch (kind) {
    case SplitKind::unset:
      return "unset";
    case SplitKind::by_moved_reservation:
      return "by-moved-reservation";
    case SplitKind::by_moved_weight:
      return "by-moved-weight";
    case SplitKind::percent:
      return "percent";
    case SplitKind::at_end:
      return "at-end";
  }
  return "unset";
}

}  // namespace cmb2kueue::mapping
