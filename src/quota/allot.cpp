// Splitting totals between the sides. Fractions are kept exactly where a rule gives exact ones (reservations), and
// in 40-bit fixed point where weights multiply level by level; both ends, nothing and everything, are exact.
// Products stand in 128 bits and no float is used. What a signed partition gives is in partition.cpp.
#include "cmb2kueue/quota/allot.h"

#include <fmt/format.h>

#include <algorithm>

namespace cmb2kueue::quota {

namespace {

using base::int128;

// What stands below each node, itself included when it is a leaf.
struct Below {
  std::uint32_t leaves = 0, enrolled = 0;
  int128 weight = 0, enrolled_weight = 0;
  std::int64_t weighted_share = 0;  // by-moved-weight, of `whole`
};

constexpr std::int64_t whole = std::int64_t{1} << 40U;

struct Fraction {
  int128 part = 0, of = 1;
};

// total x fraction to the nearest unit; a tie goes to CMB, so down. Denominators past 62 bits, sums of absurd
// reservations, are shortened first, so that no product can leave 128 bits.
std::int64_t nearest_share(std::int64_t total, Fraction fraction) {
  while (fraction.of >= int128{1} << 62U) {
    fraction.of /= 2;
    fraction.part /= 2;
  }
  if (fraction.of <= 0) return 0;
  const int128 twice = static_cast<int128>(total) * 2 * fraction.part;
  return static_cast<std::int64_t>((twice + fraction.of - 1) / (2 * fraction.of));
}

class Splitter {
 public:
  Splitter(const Entitlements& tree, const SplitRules& rules, const std::vector<bool>& enrolled)
      : tree_(tree), rules_(rules), enrolled_(enrolled), below_(tree.nodes.size()) {
    for (std::uint32_t c = 0; c < tree.columns.size(); ++c)
      if (!tree.columns[c].limit && tree.columns[c].resource == rules.primary_resource) primary_.push_back(c);
    add_up();
  }

  std::int64_t shared_part(std::uint32_t node, const Share& total);

 private:
  void add_up();
  void share_weights();
  const Split& rule_of(std::uint32_t node, std::uint32_t column) const;
  Fraction fraction(std::uint32_t node, std::uint32_t column, const Split& rule);
  Fraction by_reservation(std::uint32_t node, std::uint32_t column);
  const std::vector<Fraction>& reserved_below(std::uint32_t column);
  int128 reserved_at(const EntitlementNode& leaf, std::uint32_t column) const;

  const Entitlements& tree_;
  const SplitRules& rules_;
  const std::vector<bool>& enrolled_;
  std::vector<Below> below_;
  std::vector<std::uint32_t> primary_;           // columns of the resource that limits go by
  std::vector<std::vector<Fraction>> reserved_;  // per column, made when first asked for: part enrolled, of all
};

void Splitter::add_up() {
  for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
    const EntitlementNode& node = tree_.nodes[i];
    Below& own = below_[i];
    if (node.leaf) {
      own.leaves = 1;
      own.enrolled = enrolled_[i] ? 1 : 0;
      own.weight = node.weight;
      own.enrolled_weight = enrolled_[i] ? node.weight : 0;
    }
    if (node.parent < 0) continue;
    Below& above = below_[static_cast<std::size_t>(node.parent)];
    above.leaves += own.leaves;
    above.enrolled += own.enrolled;
    above.weight += own.weight;
    above.enrolled_weight += own.enrolled_weight;
  }
  share_weights();
}

// f(n) = sum of w x f(child) / sum of w, level by level.
void Splitter::share_weights() {
  std::vector<int128> weights(tree_.nodes.size()), shares(tree_.nodes.size());
  for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
    const EntitlementNode& node = tree_.nodes[i];
    if (node.leaf)
      below_[i].weighted_share = enrolled_[i] ? whole : 0;
    else if (weights[i] > 0)
      below_[i].weighted_share = static_cast<std::int64_t>(shares[i] / weights[i]);
    if (node.parent < 0 || below_[i].leaves == 0) continue;
    const std::size_t parent = static_cast<std::size_t>(node.parent);
    weights[parent] += node.weight;
    shares[parent] += static_cast<int128>(node.weight) * below_[i].weighted_share;
  }
}

// Reservations in the column itself; a limit goes by the primary resource of every flavor.
int128 Splitter::reserved_at(const EntitlementNode& leaf, std::uint32_t column) const {
  if (!tree_.columns[column].limit) return count_of(leaf.reserved, column);
  int128 sum = 0;
  for (const std::uint32_t primary : primary_) sum += count_of(leaf.reserved, primary);
  return sum;
}

const std::vector<Fraction>& Splitter::reserved_below(std::uint32_t column) {
  if (reserved_.empty()) reserved_.resize(tree_.columns.size());
  std::vector<Fraction>& sums = reserved_[column];
  if (!sums.empty()) return sums;
  sums.assign(tree_.nodes.size(), Fraction{0, 0});
  for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
    const EntitlementNode& node = tree_.nodes[i];
    if (node.leaf) {
      sums[i].of = reserved_at(node, column);
      sums[i].part = enrolled_[i] ? sums[i].of : 0;
    }
    if (node.parent < 0) continue;
    sums[static_cast<std::size_t>(node.parent)].of += sums[i].of;
    sums[static_cast<std::size_t>(node.parent)].part += sums[i].part;
  }
  return sums;
}

Fraction Splitter::by_reservation(std::uint32_t node, std::uint32_t column) {
  const Fraction& reserved = reserved_below(column)[node];
  if (reserved.of > 0) return reserved;
  return {below_[node].enrolled_weight, below_[node].weight};  // nobody reserves: by weight
}

Fraction Splitter::fraction(std::uint32_t node, std::uint32_t column, const Split& rule) {
  switch (rule.kind) {
    case SplitKind::by_moved_reservation:
      return by_reservation(node, column);
    case SplitKind::by_moved_weight:
      return {below_[node].weighted_share, whole};
    case SplitKind::percent:
      return {std::min(rule.percent, 100U), 100};
    case SplitKind::at_end:
      return {0, 1};
  }
  return {0, 1};
}

const Split& Splitter::rule_of(std::uint32_t node, std::uint32_t column) const {
  if (tree_.columns[column].limit) return rules_.limit;
  return node == 0 ? rules_.pool : rules_.internal;
}

std::int64_t Splitter::shared_part(std::uint32_t node, const Share& total) {
  const Below& below = below_[node];
  if (below.enrolled == 0) return 0;
  if (below.enrolled == below.leaves) return total.count;
  const Split& rule = rule_of(node, total.column);
  if (rule.kind == SplitKind::at_end) return 0;
  const std::int64_t wanted = nearest_share(total.count, fraction(node, total.column, rule));
  const std::int64_t minimum = std::clamp<std::int64_t>(rules_.minimum, 0, total.count);
  return std::min(std::max(wanted, minimum), total.count - minimum);  // CMB keeps its minimum first
}

// An enrolled leaf always has something to start with: one unit as people count it.
std::int64_t own_part(const Column& column, std::int64_t total, std::uint32_t moved) {
  const std::int64_t canary = std::min<std::int64_t>(total, column.unit == base::Unit::milli ? 1000 : 1);
  return std::max(static_cast<std::int64_t>(static_cast<int128>(total) * std::min(moved, 100U) / 100), canary);
}

}  // namespace

std::vector<Part> target_parts(const Entitlements& tree, const SplitRules& rules, const std::vector<bool>& enrolled,
                               const std::vector<std::uint32_t>& moved) {
  Splitter splitter(tree, rules, enrolled);
  std::vector<Part> parts;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    for (const Share& total : tree.nodes[i].total) {
      if (total.count <= 0) continue;
      std::int64_t kueue = 0;
      if (!tree.nodes[i].leaf)
        kueue = splitter.shared_part(i, total);
      else if (enrolled[i])
        kueue = own_part(tree.columns[total.column], total.count, moved[i]);
      parts.push_back({i, total.column, kueue});
    }
  }
  return parts;
}

std::vector<std::string> check_splits(const SplitRules& rules) {
  std::vector<std::string> problems;
  if (rules.limit.kind == SplitKind::at_end)
    problems.emplace_back("subtree limits cannot be split at-end: the first tenant to move could start nothing");
  for (const Split& split : {rules.internal, rules.pool, rules.limit})
    if (split.kind == SplitKind::percent && split.percent > 100)
      problems.push_back(fmt::format("a split of {} percent is more than everything", split.percent));
  if (rules.minimum < 0)
    problems.push_back(fmt::format("the minimum each side keeps is {}, and cannot be below 0", rules.minimum));
  return problems;
}

}  // namespace cmb2kueue::quota
