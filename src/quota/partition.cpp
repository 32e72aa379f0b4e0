// Parts that CMB's operator has signed away: whose they are now, and whether they fit the leaves that rely on them.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/quota/allot.h"

namespace cmb2kueue::quota {

namespace {

bool before(const FixedPart& a, const FixedPart& b) {
  return a.node != b.node ? a.node < b.node : a.column < b.column;
}

bool same_pair(const FixedPart& a, const FixedPart& b) {
  return a.node == b.node && a.column == b.column;
}

// Judges only what stands on the way from the given leaves to the root: a mistake elsewhere is not their fault and
// must not stop them.
class PartitionCheck {
 public:
  PartitionCheck(const Entitlements& tree, const std::vector<FixedPart>& fixed)
      : tree_(tree), fixed_(fixed), judged_(tree.nodes.size()) {
    std::sort(fixed_.begin(), fixed_.end(), before);
  }

  void check_leaf(std::uint32_t leaf);
  std::vector<std::string> problems();

 private:
  void check_node(std::uint32_t node);
  void check_pair(std::uint32_t node, const Share& total, bool own);
  void say(std::uint32_t node, std::uint32_t column, const std::string& what);
  std::string amount(std::uint32_t column, std::int64_t count) const {
    return base::Quantity::of(count, tree_.columns[column].unit).to_string();
  }

  const Entitlements& tree_;
  std::vector<FixedPart> fixed_;  // sorted
  std::vector<bool> judged_;
  std::vector<std::string> problems_;
};

void PartitionCheck::say(std::uint32_t node, std::uint32_t column, const std::string& what) {
  const Column& pair = tree_.columns[column];
  problems_.push_back(fmt::format("{} {}/{}: {}", tree_.nodes[node].display, pair.flavor, pair.resource, what));
}

// The parts of one node by themselves: of pairs it has, within the total, given once.
void PartitionCheck::check_node(std::uint32_t node) {
  if (judged_[node]) return;
  judged_[node] = true;
  const auto first = std::lower_bound(fixed_.begin(), fixed_.end(), FixedPart{node, 0, 0}, before);
  for (auto part = first; part != fixed_.end() && part->node == node; ++part) {
    if (part->column >= tree_.columns.size()) continue;
    const std::int64_t total = count_of(tree_.nodes[node].total, part->column);
    if (part->kueue < 0 || part->kueue > total)
      say(node, part->column,
          fmt::format("the part {} is not between 0 and the total {}", amount(part->column, part->kueue),
                      amount(part->column, total)));
    if (part != first && same_pair(*(part - 1), *part)) say(node, part->column, "the part is given twice");
  }
}

void PartitionCheck::check_pair(std::uint32_t node, const Share& total, bool own) {
  const FixedPart wanted{node, total.column, 0};
  const auto part = std::lower_bound(fixed_.begin(), fixed_.end(), wanted, before);
  if (part == fixed_.end() || !same_pair(*part, wanted))
    say(node, total.column, fmt::format("no part is given (of {})", amount(total.column, total.count)));
  else if (own && part->kueue >= 0 && part->kueue < total.count)
    say(node, total.column,
        fmt::format("the part {} is not its whole reservation {}", amount(total.column, part->kueue),
                    amount(total.column, total.count)));
}

void PartitionCheck::check_leaf(std::uint32_t leaf) {
  const std::vector<std::uint32_t>& usable = tree_.nodes[leaf].columns;
  for (const std::uint32_t node : chain_of(tree_, leaf)) {
    check_node(node);
    for (const Share& total : tree_.nodes[node].total)
      if (total.count > 0 && std::find(usable.begin(), usable.end(), total.column) != usable.end())
        check_pair(node, total, node == leaf);
  }
}

std::vector<std::string> PartitionCheck::problems() {
  std::sort(problems_.begin(), problems_.end());
  problems_.erase(std::unique(problems_.begin(), problems_.end()), problems_.end());
  return std::move(problems_);
}

}  // namespace

std::vector<Part> partition_parts(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                  const std::vector<bool>& enrolled) {
  std::vector<bool> in_use(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    if (tree.nodes[i].leaf && enrolled[i]) in_use[i] = true;
    if (in_use[i] && tree.nodes[i].parent >= 0) in_use[static_cast<std::size_t>(tree.nodes[i].parent)] = true;
  }
  std::vector<Part> parts;
  for (const FixedPart& part : fixed)
    if (part.node < tree.nodes.size())
      parts.push_back({part.node, part.column, in_use[part.node] ? part.kueue : 0});
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.node != b.node ? a.node < b.node : a.column < b.column; });
  return parts;
}

std::vector<std::string> check_partition(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                         std::uint32_t leaf) {
  return check_partition(tree, fixed, std::vector<std::uint32_t>{leaf});
}

std::vector<std::string> check_partition(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                         const std::vector<std::uint32_t>& leaves) {
  PartitionCheck check(tree, fixed);
  for (const std::uint32_t leaf : leaves)
    if (leaf < tree.nodes.size()) check.check_leaf(leaf);
  return check.problems();
}

}  // namespace cmb2kueue::quota
