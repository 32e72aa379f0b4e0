// Flavors, rules and resources of a mapping.
#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/mapping/naming.h"
#include "load_parts.h"

namespace cmb2kueue::mapping {

namespace {

constexpr std::size_t most_entries = 10'000;

bool known_effect(const std::string& effect) {
  return effect == "NoSchedule" || effect == "PreferNoSchedule" || effect == "NoExecute";
}

void read_taints(MapReader& map, Flavor& flavor) {
  map.items("nodeTaints", 0, 8, false, [&](MapReader& item) {
    const Taint taint{item.text("key", true), item.text("value"), item.text("effect", true)};
    if (!known_effect(taint.effect))
      item.report("TAINT", base::quoted(taint.effect) + " is not an effect",
                  "NoSchedule, PreferNoSchedule or NoExecute", "effect");
    flavor.taints.push_back(taint);
  });
  map.items("tolerations", 0, 8, false, [&](MapReader& item) {
    const Toleration toleration{item.text("key"), item.word("operator", "Equal", {"Equal", "Exists"}),
                                item.text("value"), item.text("effect")};
    if (toleration.key.empty() && toleration.op != "Exists")
      item.report("TAINT", "a toleration without a key has to use the operator Exists", "", "operator");
    if (toleration.op == "Exists" && !toleration.value.empty())
      item.report("TAINT", "a toleration with the operator Exists has no value", "", "value");
    if (!toleration.effect.empty() && !known_effect(toleration.effect))
      item.report("TAINT", base::quoted(toleration.effect) + " is not an effect",
                  "NoSchedule, PreferNoSchedule or NoExecute", "effect");
    flavor.tolerations.push_back(toleration);
  });
}

bool matches_everything(const Matcher& match) {
  const bool any_path = match.path.empty() || match.path == "**" || match.path == "/**";
  return any_path && match.tenant.empty() && match.pool.empty() && match.capacity_group.empty() &&
         match.attribute.empty();
}

Matcher read_matcher(MapReader& item) {
  MapReader map = item.map("match");
  Matcher match;
  match.path = map.text("path");
  match.tenant = map.text("tenant");
  match.pool = map.text("pool");
  match.capacity_group = map.text("capacityGroup");
  match.attribute = map.text("attribute");
  match.attribute_value = map.text("value");
  if (match.attribute.empty() && !match.attribute_value.empty())
    map.report("REQUIRED", "a value is given, but no attribute that should have it", "add attribute", "value");
  map.finish();
  return match;
}

void check_rule(MapReader& item, const Rule& rule, const Mapping& mapping) {
  std::vector<std::string> names;
  for (const Flavor& flavor : mapping.flavors) names.push_back(flavor.name);
  for (const std::string& name : rule.flavors)
    if (std::find(names.begin(), names.end(), name) == names.end())
      item.report("REFERENCE", "there is no flavor " + base::quoted(name) + base::did_you_mean(name, names),
                  "define it under flavors", "flavors");
  if (rule.skip && (rule.reason.empty() || !rule.flavors.empty()))
    item.report("SKIP-REASON", "a rule that skips tenants gives a reason and no flavors", "add reason", "skip");
  if (!rule.skip && rule.flavors.empty())
    item.report("REQUIRED", "the rule names no flavors and does not skip",
                "add flavors, or skip: true with a reason", "flavors");
}

}  // namespace

void check_name(MapReader& map, std::string_view key, const std::string& name) {
  const base::Status status = check_label(name);
  if (!status.ok()) map.report("NAME", status.message(), status.advice(), key);
}

void read_flavors(MapReader& file, Mapping& mapping) {
  std::set<std::string> names, pools;
  file.items("flavors", 1, 64, true, [&](MapReader& item) {
    Flavor flavor;
    flavor.place = item.place();
    flavor.name = item.text("name", true);
    check_name(item, "name", flavor.name);
    if (!names.insert(flavor.name).second)
      item.report("DUPLICATE", "the flavor " + base::quoted(flavor.name) + " stands twice", "", "name");
    flavor.pools = item.texts("pools", 0, most_entries);
    for (const std::string& pool : flavor.pools)
      if (!pools.insert(pool).second)
        item.report("DUPLICATE", "the pool " + base::quoted(pool) + " is claimed by two flavors",
                    "a pool's capacity can be only one flavor", "pools");
    flavor.node_labels = item.pairs("nodeLabels");
    if (flavor.node_labels.size() > 8) item.report("COUNT", "a flavor has at most 8 node labels", "", "nodeLabels");
    read_taints(item, flavor);
    mapping.flavors.push_back(std::move(flavor));
  });
}

void read_rules(MapReader& file, Mapping& mapping) {
  bool catch_all = false;
  file.items("rules", 1, most_entries, true, [&](MapReader& item) {
    Rule rule;
    rule.place = item.place();
    rule.match = read_matcher(item);
    rule.skip = item.boolean("skip", false);
    rule.reason = item.text("reason");
    rule.flavors = item.texts("flavors", 0, 64);
    rule.queueing_strategy = item.word("queueingStrategy", "", {"BestEffortFIFO", "StrictFIFO"});
    check_rule(item, rule, mapping);
    if (catch_all)
      item.report("DEAD-RULE", "an earlier rule matches every tenant, so this one never decides",
                  "move it up or remove it", "match");
    catch_all |= matches_everything(rule.match);
    mapping.rules.push_back(std::move(rule));
  });
}

void read_resources(MapReader& file, Mapping& mapping) {
  std::set<std::string> sources, targets;
  file.items("resources", 1, 64, false, [&](MapReader& item) {
    ResourceMap map;
    map.place = item.place();
    map.source = item.text("source", true);
    map.exclude = item.boolean("exclude", false);
    map.reason = item.text("reason");
    map.target = item.text("target", !map.exclude);
    if (map.exclude && map.reason.empty())
      item.report("REQUIRED", "a resource that is left out needs a reason", "add reason", "exclude");
    if (!sources.insert(map.source).second || (!map.exclude && !targets.insert(map.target).second))
      item.report("DUPLICATE", "the resource stands twice", "", "source");
    mapping.resources.push_back(std::move(map));
  });
  if (!mapping.resources.empty()) return;
  const std::pair<const char*, const char*> usual[] = {{"cpu", "cpu"},
                                                       {"memoryMB", "memory"},
                                                       {"diskMB", "ephemeral-storage"},
                                                       {"networkMbps", "titus/network"},
                                                       {"gpu", "nvidia.com/gpu"},
                                                       {"vcore", "cpu"},
                                                       {"memory", "memory"},
                                                       {"ephemeral-storage", "ephemeral-storage"},
                                                       {"nvidia.com/gpu", "nvidia.com/gpu"}};
  for (const auto& [source, target] : usual) mapping.resources.push_back({source, target, false, "", {}});
}

}  // namespace cmb2kueue::mapping
