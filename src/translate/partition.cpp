// Split rules and partitions between the mapping's words and the tree's numbers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/emit.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using quota::Entitlements;

quota::Split split_of(const mapping::Split& split) {
  quota::Split made;
  made.percent = split.percent;
  switch (split.kind) {
    case mapping::SplitKind::by_moved_reservation:
      made.kind = quota::SplitKind::by_moved_reservation;
      break;
    case mapping::SplitKind::by_moved_weight:
      made.kind = quota::SplitKind::by_moved_weight;
      break;
    case mapping::SplitKind::percent:
      made.kind = quota::SplitKind::percent;
      break;
    default:
      made.kind = quota::SplitKind::at_end;
      break;
  }
  return made;
}

// Whole units of a quantity; empty where it is none or too many.
std::optional<std::int64_t> count_in(const base::Quantity& quantity, base::Unit unit) {
  const base::int128 one = base::Quantity::of(1, unit).nanos();
  const base::int128 count = quantity.nanos() / one;
  if (quantity.nanos() % one != 0 || count < 0 || count > INT64_MAX) return std::nullopt;
  return static_cast<std::int64_t>(count);
}

class PartResolver {
 public:
  PartResolver(const Entitlements& tree, base::Findings& findings) : tree_(tree), findings_(findings) {
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) nodes_.try_emplace(tree.nodes[i].id, i);
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)  // an id goes before a path that looks like it
      if (!nodes_.try_emplace(tree.nodes[i].display, i).second && tree.nodes[i].display != tree.nodes[i].id)
        ambiguous_.insert(tree.nodes[i].display);
  }
  std::optional<quota::FixedPart> resolve(const mapping::PartitionPart& part);

 private:
  void say(const mapping::PartitionPart& part, std::string message) {
    findings_.add({"T-PARTITION", base::Severity::error, std::move(message),
                   "plan --propose-partition writes a section that fits", part.node,
                   part.flavor + "/" + part.resource, part.place});
  }
  const Entitlements& tree_;
  base::Findings& findings_;
  std::unordered_map<std::string, std::uint32_t> nodes_;
  std::set<std::string> ambiguous_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;  // node, column
};

std::optional<quota::FixedPart> PartResolver::resolve(const mapping::PartitionPart& part) {
  const auto node = nodes_.find(part.node);
  if (node == nodes_.end()) {
    say(part, "the partition names a node that is not in the tree");
    return std::nullopt;
  }
  if (ambiguous_.contains(part.node)) {
    say(part, "several nodes of the tree have this path; name one by its id");
    return std::nullopt;
  }
  for (std::uint32_t c = 0; c < tree_.columns.size(); ++c) {
    const quota::Column& column = tree_.columns[c];
    if (column.flavor != part.flavor || column.resource != part.resource) continue;
    const std::optional<std::int64_t> count = count_in(part.kueue, column.unit);
    const std::int64_t total = quota::count_of(tree_.nodes[node->second].total, c);
    if (!count)
      say(part, fmt::format("the part {} is not a whole number of units", part.kueue.to_string()));
    else if (*count > total)
      say(part, fmt::format("the part {} is more than the total {}", part.kueue.to_string(),
                            base::Quantity::of(total, column.unit).to_string()));
    if (!seen_.emplace(node->second, c).second) say(part, "the partition gives this part twice");
    if (!count) return std::nullopt;
    return quota::FixedPart{node->second, c, *count};
  }
  say(part, "the partition names a flavor and resource that nobody has");
  return std::nullopt;
}

// The parts a mapping has signed already, by node and column. What is in use may grow, never shrink, so a proposal
// for the next tenant starts from them.
using SignedParts = std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>;

SignedParts signed_parts(const mapping::Mapping& mapping, const Entitlements& tree) {
  base::Findings said_elsewhere;
  SignedParts parts;
  for (const quota::FixedPart& part : fixed_parts(mapping, tree, said_elsewhere))
    parts[{part.node, part.column}] = part.kueue;
  return parts;
}

void write_parts(doc::Sink& sink, const Translation& translation, const mapping::Mapping& mapping, std::size_t cell,
                 const quota::SplitRules& rules, std::set<model::TenantIndex> leaves) {
  const Entitlements& tree = translation.cells[cell];
  const SignedParts already = signed_parts(mapping, tree);
  for (const auto& [at, count] : already)
    if (tree.nodes[at.first].leaf) leaves.insert(tree.nodes[at.first].tenant);
  std::vector<bool> enrolled(tree.nodes.size()), wanted(tree.nodes.size());
  std::set<std::uint32_t> columns;
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    enrolled[i] = tree.nodes[i].leaf && leaves.contains(tree.nodes[i].tenant);
    if (!enrolled[i]) continue;
    columns.insert(tree.nodes[i].columns.begin(), tree.nodes[i].columns.end());
    for (const std::uint32_t node : quota::chain_of(tree, i)) wanted[node] = true;
  }
  const std::vector<std::uint32_t> moved(tree.nodes.size(), 100);
  for (const quota::Part& part : quota::target_parts(tree, rules, enrolled, moved)) {
    if (!wanted[part.node] || !columns.contains(part.column)) continue;
    const quota::Column& column = tree.columns[part.column];
    sink.open_map();
    if (translation.cells.size() > 1) sink.text_field("cell", tree.cell);
    sink.text_field("node", tree.nodes[part.node].id);
    sink.text_field("flavor", column.flavor);
    sink.text_field("resource", column.resource);
    const auto before = already.find({part.node, part.column});
    const std::int64_t kueue = before == already.end() ? part.kueue : std::max(part.kueue, before->second);
    sink.text_field("kueue", base::Quantity::of(kueue, column.unit).to_string());
    sink.close();
  }
}

}  // namespace

base::Result<quota::SplitRules> split_rules(const mapping::Mapping& mapping) {
  std::string missing;
  const auto need = [&](const mapping::Split& split, const char* name) {
    if (split.kind == mapping::SplitKind::unset) missing += (missing.empty() ? "" : ", split.") + std::string(name);
  };
  need(mapping.split_internal, "internal");
  need(mapping.split_pool, "pool");
  need(mapping.split_limit, "limit");
  // A partition overrides the rules, so they may be left open beside it. Limits are never split at-end.
  if (!missing.empty() && !mapping.partition)
    return base::Status(
        base::ErrorKind::input,
        "the mapping does not say how shared capacity is divided while tenants move: split." + missing,
        "add split with a rule: by-moved-reservation, by-moved-weight, percent or at-end");
  quota::SplitRules rules;
  rules.internal = split_of(mapping.split_internal);
  rules.pool = split_of(mapping.split_pool);
  rules.limit = split_of(mapping.split_limit);
  if (mapping.split_limit.kind == mapping::SplitKind::unset)
    rules.limit.kind = quota::SplitKind::by_moved_reservation;
  rules.minimum = mapping.split_minimum;
  rules.primary_resource = mapping.primary_resource;
  return rules;
}

std::vector<quota::FixedPart> fixed_parts(const mapping::Mapping& mapping, const Entitlements& tree,
                                          base::Findings& findings) {
  std::vector<quota::FixedPart> parts;
  if (!mapping.partition) return parts;
  PartResolver resolver(tree, findings);
  for (const mapping::PartitionPart& part : mapping.partition->parts) {
    if (!part.cell.empty() && part.cell != tree.cell) continue;
    const std::optional<quota::FixedPart> resolved = resolver.resolve(part);
    if (resolved) parts.push_back(*resolved);
  }
  std::sort(parts.begin(), parts.end(), [](const quota::FixedPart& a, const quota::FixedPart& b) {
    return a.node != b.node ? a.node < b.node : a.column < b.column;
  });
  return parts;
}

std::string propose_partition(const Translation& translation, const mapping::Mapping& mapping,
                              const std::vector<model::TenantIndex>& leaves) {
  const base::Result<quota::SplitRules> rules = split_rules(mapping);
  if (!rules.ok()) return "";
  std::string out =
      "# What CMB has to keep free for Kueue. Have CMB lowered by these parts, then fill in who says so and when,\n"
      "# and put this section into the mapping, in place of one that is there.\n";
  doc::YamlSink sink(out);
  sink.open_map();
  sink.key("partition");
  sink.open_map();
  sink.text_field("signedBy", "");
  sink.text_field("date", "");
  sink.key("parts");
  sink.open_list();
  const std::set<model::TenantIndex> wanted(leaves.begin(), leaves.end());
  for (std::size_t cell = 0; cell < translation.cells.size(); ++cell)
    write_parts(sink, translation, mapping, cell, rules.value(), wanted);
  sink.close();
  sink.close();
  sink.close();
  return out;
}

}  // namespace cmb2kueue::translate
