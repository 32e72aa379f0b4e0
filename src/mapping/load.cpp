// Loading a mapping: the file's head, its sections in order, and the fingerprint of what was decided.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "load_parts.h"

namespace cmb2kueue::mapping {

namespace {

void read_head(MapReader& file, Mapping& mapping) {
  const std::string version = file.text("apiVersion", true), kind = file.text("kind", true);
  if (version != "cmb2kueue.io/v1alpha1" || kind != "Mapping")
    file.report("KIND", "this is not a mapping",
                "start it with apiVersion: cmb2kueue.io/v1alpha1 and kind: Mapping", "kind");
  mapping.preset = file.word("preset", "parity", {"parity", "lend"}) == "parity" ? Preset::parity : Preset::lend;
  const std::string semantics = file.word("reservationSemantics", "", {"inclusive", "additive"});
  if (!semantics.empty())
    mapping.semantics = semantics == "inclusive" ? ReservationSemantics::inclusive : ReservationSemantics::additive;
  const std::string pools = file.word("sharedPools", "", {"from-export", "none"});
  if (!pools.empty()) mapping.shared_pools = pools == "none" ? SharedPools::none : SharedPools::from_export;
  mapping.zero_weight =
      file.word("weightZero", "one", {"one", "starve"}) == "one" ? ZeroWeight::one : ZeroWeight::starve;
  mapping.queueing_strategy = file.word("queueingStrategy", "BestEffortFIFO", {"BestEffortFIFO", "StrictFIFO"});
  const std::string concurrency = file.text("concurrencyFlavor");
  if (!concurrency.empty()) mapping.concurrency_flavor = concurrency;
  check_name(file, "concurrencyFlavor", mapping.concurrency_flavor);
}

void read_ramp(MapReader& file, Mapping& mapping) {
  std::vector<std::uint32_t> steps;
  for (const std::int64_t step : file.integers("ramp", 1, 100)) steps.push_back(static_cast<std::uint32_t>(step));
  if (steps.empty()) return;
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (steps[i] <= steps[i - 1]) file.report("RAMP", "the steps of the ramp do not rise", "", "ramp");
  if (steps.back() != 100) file.report("RAMP", "the ramp does not end at 100", "add 100 as its last step", "ramp");
  mapping.ramp = steps;
}

void note_defaults(MapReader& file, Mapping& mapping) {
  for (const char* key : {"reservationSemantics", "sharedPools", "split", "namespaces", "priorities", "resources",
                          "ramp", "queueingStrategy", "weightZero"})
    if (!file.has(key)) mapping.defaulted.emplace_back(key);
}

// Everything that decides, in one fixed order; comments, order of keys and places do not enter.
std::uint64_t fingerprint(const Mapping& m) {
  std::string all =
      fmt::format("{} {} {} {} {} {} {} {}", static_cast<int>(m.preset), static_cast<int>(m.semantics),
                  static_cast<int>(m.shared_pools), static_cast<int>(m.zero_weight), m.queueing_strategy,
                  m.concurrency_flavor, m.split_minimum, m.primary_resource);
  for (const ResourceMap& map : m.resources) all += fmt::format("|r {} {} {}", map.source, map.target, map.exclude);
  for (const Flavor& flavor : m.flavors) {
    all += fmt::format("|f {} {}", flavor.name, fmt::join(flavor.pools, ","));
    for (const auto& [key, value] : flavor.node_labels) all += fmt::format(" {}={}", key, value);
    for (const Taint& taint : flavor.taints) all += fmt::format(" t{}={}:{}", taint.key, taint.value, taint.effect);
    for (const Toleration& one : flavor.tolerations)
      all += fmt::format(" o{} {}={}:{}", one.key, one.op, one.value, one.effect);
  }
  for (const Rule& rule : m.rules)
    all += fmt::format("|u {} {} {} {} {} {} {} {} {}", rule.match.path, rule.match.tenant, rule.match.pool,
                       rule.match.capacity_group, rule.match.attribute, rule.match.attribute_value, rule.skip,
                       fmt::join(rule.flavors, ","), rule.queueing_strategy);
  const Namespaces& n = m.namespaces;
  all += fmt::format("|n {} {} {} {}", static_cast<int>(n.strategy), n.name, n.prefix, n.create);
  for (const auto& [path, name] : n.mapped) all += fmt::format(" {}={}", path, name);
  all += fmt::format("|c {}", static_cast<int>(m.cell_split));
  for (const auto& [cell, percent] : m.cell_percent) all += fmt::format(" {}={}", cell, percent);
  for (const PriorityClass& one : m.priorities)
    all += fmt::format("|p {} {} {}", one.name, one.base, fmt::join(one.buckets, ","));
  all += "|d " + m.system_default;
  for (const auto& [tenant, name] : m.pinned_names) all += fmt::format("|i {}={}", tenant, name);
  for (const Split& split : {m.split_internal, m.split_pool, m.split_limit})
    all += fmt::format("|s {} {}", to_string(split.kind), split.percent);
  all += fmt::format("|a {}", fmt::join(m.ramp, ","));
  if (m.partition)
    for (const PartitionPart& part : m.partition->parts)
      all += fmt::format("|x {} {} {} {} {}", part.cell, part.node, part.flavor, part.resource,
                         part.kueue.to_string());
  return base::fnv1a(all);
}

}  // namespace

base::Result<Mapping> load(base::SourceFiles& files, std::uint32_t number, base::Findings& findings) {
  const base::Result<doc::Document> document = doc::parse_one(files, number);
  if (!document.ok()) return document.status();
  doc::ReadContext context{findings, "M-", severity_of_mapping_rule, "", "a mapping", "remove it"};
  MapReader file(document.value().root(), "", context);
  Mapping mapping;
  mapping.name = files.name(number);
  read_head(file, mapping);
  read_resources(file, mapping);
  read_flavors(file, mapping);
  read_rules(file, mapping);
  read_namespaces(file, mapping);
  read_cells(file, mapping);
  read_priorities(file, mapping);
  read_split(file, mapping);
  read_ramp(file, mapping);
  read_partition(file, mapping);
  read_names(file, mapping);
  note_defaults(file, mapping);
  file.finish();
  mapping.content = fingerprint(mapping);
  return mapping;
}

}  // namespace cmb2kueue::mapping
