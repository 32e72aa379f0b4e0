// Namespaces, cells, priorities, splits, partition and pinned names of a mapping.
#include <algorithm>
#include <numeric>
#include <set>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/text.h"
#include "load_parts.h"

namespace cmb2kueue::mapping {

namespace {

constexpr std::size_t most_entries = 1'000'000;

struct SplitWord {
  const char* word;
  SplitKind kind;
};
constexpr SplitWord split_words[] = {{"by-moved-reservation", SplitKind::by_moved_reservation},
                                     {"by-moved-weight", SplitKind::by_moved_weight},
                                     {"percent", SplitKind::percent},
                                     {"at-end", SplitKind::at_end}};

// A rule and its percentage. `limits`: it also divides subtree limits.
Split read_rule(MapReader& map, bool limits) {
  Split found;
  const std::string word = map.word("rule", "", {"by-moved-reservation", "by-moved-weight", "percent", "at-end"});
  for (const SplitWord& row : split_words)
    if (word == row.word) found.kind = row.kind;
  const std::optional<std::int64_t> percent = map.integer("percent", 0, 100);
  found.percent = static_cast<std::uint32_t>(percent.value_or(0));
  if ((found.kind == SplitKind::percent) != percent.has_value())
    map.report("PERCENT", "percent goes with the rule percent, and only with it", "", "percent");
  if (limits && found.kind == SplitKind::at_end)
    map.report("ENUM", "subtree limits cannot be split at-end: the first tenant to move could start nothing",
               "give internal, pool and limit rules of their own", "rule");
  return found;
}

Split read_one_split(MapReader& split, std::string_view key) {
  MapReader map = split.map(key);
  const Split found = read_rule(map, key == "limit");
  map.finish();
  return found;
}

void check_classes(MapReader& map, const std::vector<PriorityClass>& classes) {
  for (std::size_t i = 1; i < classes.size(); ++i)
    if (classes[i].base <= classes[i - 1].base)
      map.report("BUCKETS", "the classes are not in ascending order of base", "order them from low to high",
                 "classes");
}

}  // namespace

void read_namespaces(MapReader& file, Mapping& mapping) {
  MapReader map = file.map("namespaces");
  Namespaces& found = mapping.namespaces;
  const std::string strategy = map.word("strategy", "shared", {"shared", "per-tenant", "mapped"});
  found.strategy = strategy == "shared"       ? NamespaceStrategy::shared
                   : strategy == "per-tenant" ? NamespaceStrategy::per_tenant
                                              : NamespaceStrategy::mapped;
  const std::string name = map.text("name");
  if (!name.empty()) found.name = name;
  check_name(map, "name", found.name);
  found.prefix = map.text("prefix");
  if (!found.prefix.empty()) check_name(map, "prefix", found.prefix + "x");
  if (found.prefix.size() > 40) map.report("NAME", "the prefix is longer than 40 characters", "", "prefix");
  found.create = map.boolean("create", false);
  map.items("map", 0, most_entries, false, [&](MapReader& item) {
    const std::string path = item.text("path", true);
    const std::string target = item.text("namespace", true);
    check_name(item, "namespace", target);
    found.mapped.emplace_back(path, target);
  });
  if (found.strategy == NamespaceStrategy::mapped && found.mapped.empty())
    map.report("REQUIRED", "the strategy mapped needs a map", "add map with path and namespace", "map");
  map.finish();
}

void read_cells(MapReader& file, Mapping& mapping) {
  MapReader map = file.map("cells");
  mapping.cell_split =
      map.word("splitBy", "unit", {"unit", "instance"}) == "unit" ? CellSplit::unit : CellSplit::instance;
  MapReader percent = map.map("percent");
  std::int64_t sum = 0;
  for (const std::string& cell : percent.keys()) {
    const std::int64_t value = percent.integer(cell, 0, 100).value_or(0);
    sum += value;
    mapping.cell_percent.emplace_back(cell, static_cast<std::uint32_t>(value));
  }
  if (!mapping.cell_percent.empty() && sum != 100)
    map.report("PERCENT", "the cells' percentages sum to " + std::to_string(sum) + ", not 100", "", "percent");
  std::sort(mapping.cell_percent.begin(), mapping.cell_percent.end());
  percent.finish();
  map.finish();
}

void read_priorities(MapReader& file, Mapping& mapping) {
  MapReader map = file.map("priorities");
  mapping.system_default = map.word("systemDefault", "", {"BestEffort", "Normal", "Preferred", "Critical"});
  map.items("classes", 0, 100, false, [&](MapReader& item) {
    PriorityClass found;
    found.name = item.text("name", true);
    found.base = item.integer("base", INT32_MIN, INT32_MAX, true).value_or(0);
    for (const std::int64_t bound : item.integers("buckets", 0, UINT32_MAX))
      found.buckets.push_back(static_cast<std::uint32_t>(bound));
    if (found.buckets.empty()) found.buckets = {0};
    if (found.buckets.front() != 0 || !std::is_sorted(found.buckets.begin(), found.buckets.end()) ||
        std::adjacent_find(found.buckets.begin(), found.buckets.end()) != found.buckets.end())
      item.report("BUCKETS", "the buckets do not rise from 0", "list lower bounds, 0 first", "buckets");
    mapping.priorities.push_back(std::move(found));
  });
  check_classes(map, mapping.priorities);
  map.finish();
  if (mapping.priorities.empty())
    mapping.priorities = {{"BestEffort", 1'000'000, {0}},
                          {"Normal", 2'000'000, {0}},
                          {"Preferred", 3'000'000, {0}},
                          {"Critical", 4'000'000, {0}}};
}

void read_split(MapReader& file, Mapping& mapping) {
  MapReader map = file.map("split");
  if (map.has("rule")) {
    mapping.split_internal = mapping.split_pool = mapping.split_limit = read_rule(map, true);
  } else {
    mapping.split_internal = read_one_split(map, "internal");
    mapping.split_pool = read_one_split(map, "pool");
    mapping.split_limit = read_one_split(map, "limit");
  }
  mapping.split_minimum = map.integer("minimum", 0, 1'000'000'000).value_or(1);
  const std::string primary = map.text("primaryResource");
  if (!primary.empty()) mapping.primary_resource = primary;
  map.finish();
}

void read_partition(MapReader& file, Mapping& mapping) {
  if (!file.has("partition")) return;
  MapReader map = file.map("partition");
  Partition partition;
  partition.place = map.place();
  partition.signed_by = map.text("signedBy", true);
  partition.date = map.text("date", true);
  if (!partition.date.empty() && base::parse_rfc3339(partition.date + "T00:00:00Z") < 0)
    map.report("DATE", base::quoted(partition.date) + " is not a date", "write it as 2026-03-01", "date");
  if (partition.signed_by.empty())
    map.report("REQUIRED", "nobody has signed the partition",
               "signedBy names who answers for CMB keeping these parts free", "signedBy");
  std::set<std::string> seen;
  map.items("parts", 1, most_entries, true, [&](MapReader& item) {
    PartitionPart part;
    part.place = item.place();
    part.cell = item.text("cell");
    part.node = item.text("node", true);
    part.flavor = item.text("flavor", true);
    part.resource = item.text("resource", true);
    part.kueue = item.quantity("kueue", true).value_or(base::Quantity());
    if (part.kueue.negative()) item.report("RANGE", "a part is not negative", "", "kueue");
    if (!seen.insert(part.cell + '\0' + part.node + '\0' + part.flavor + '\0' + part.resource).second)
      item.report("DUPLICATE", "this part stands twice", "", "node");
    partition.parts.push_back(std::move(part));
  });
  map.finish();
  mapping.partition = std::move(partition);
}

void read_names(MapReader& file, Mapping& mapping) {
  MapReader map = file.map("names");
  std::set<std::string> seen;
  for (const auto& [tenant, name] : map.pairs("pinned")) {
    check_name(map, "pinned", name);
    if (!seen.insert(name).second)
      map.report("DUPLICATE", "the name " + base::quoted(name) + " is pinned twice", "", "pinned");
    mapping.pinned_names.emplace_back(tenant, name);
  }
  map.finish();
}

}  // namespace cmb2kueue::mapping
