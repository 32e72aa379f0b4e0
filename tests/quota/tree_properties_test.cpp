// The algebra against a literal recursive reading of the definitions on seeded random trees, and what admission by
// it can never do.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cmb2kueue/quota/tree.h"

namespace cmb2kueue::quota {
namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  std::int64_t below(std::int64_t top) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(top));
  }

 private:
  std::mt19937_64 random_;
};

constexpr std::uint32_t columns = 3;

// Some nodes list only some pairs, and a third of the trees has lending limits above the own quota.
Tree random_tree(Dice& dice, bool with_usage) {
  Tree tree;
  for (std::uint32_t c = 0; c < columns; ++c) tree.column({"f", "r" + std::to_string(c)});
  const std::int32_t count = 2 + static_cast<std::int32_t>(dice.below(12));
  for (std::int32_t i = 0; i < count; ++i) {
    Tree::Node node;
    node.name = "n" + std::to_string(i);
    node.queue = i > 0 && dice.below(2) == 0;
    node.parent = i == 0 ? -1 : static_cast<std::int32_t>(dice.below(i));
    while (node.parent > 0 && tree.nodes()[static_cast<std::size_t>(node.parent)].queue) --node.parent;
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (dice.below(5) == 0) continue;
      Cell cell{dice.below(20), {}, {}, node.queue && with_usage ? dice.below(15) : 0};
      if (i > 0 && dice.below(2) == 0) cell.borrowing = dice.below(10);
      if (i > 0 && dice.below(2) == 0) cell.lending = dice.below(20);
      node.cells.emplace_back(c, cell);
    }
    tree.add(std::move(node));
  }
  tree.compute();
  return tree;
}

// The definitions read literally, one recursion each.
struct Literal {
  const std::vector<Tree::Node>& nodes;
  std::uint32_t column;
  Cell cell(std::size_t n) const {
    for (const auto& [at, cell] : nodes[n].cells)
      if (at == column) return cell;
    return {};
  }
  std::int64_t subtree(std::size_t n) const {
    std::int64_t sum = cell(n).nominal;
    for (std::size_t c = 0; c < nodes.size(); ++c)
      if (nodes[c].parent == static_cast<std::int32_t>(n)) sum += subtree(c) - local(c);
    return sum;
  }
  std::int64_t local(std::size_t n) const {
    if (nodes[n].parent < 0 || !cell(n).lending) return 0;
    return std::max<std::int64_t>(0, subtree(n) - *cell(n).lending);
  }
  std::int64_t usage(std::size_t n) const {
    std::int64_t sum = cell(n).usage;
    for (std::size_t c = 0; c < nodes.size(); ++c)
      if (nodes[c].parent == static_cast<std::int32_t>(n)) sum += std::max<std::int64_t>(0, usage(c) - local(c));
    return sum;
  }
  std::int64_t ceiling(std::size_t n) const {
    if (nodes[n].parent < 0) return subtree(n);
    const std::int64_t reach = local(n) + ceiling(static_cast<std::size_t>(nodes[n].parent));
    return cell(n).borrowing ? std::min(reach, subtree(n) + *cell(n).borrowing) : reach;
  }
  std::int64_t available(std::size_t n) const {
    if (nodes[n].parent < 0) return subtree(n) - usage(n);
    std::int64_t above = available(static_cast<std::size_t>(nodes[n].parent));
    if (cell(n).borrowing)
      above = std::min(above,
                       subtree(n) - local(n) - std::max<std::int64_t>(0, usage(n) - local(n)) + *cell(n).borrowing);
    return std::max<std::int64_t>(0, local(n) - usage(n)) + above;
  }
};

void expect_literal(const Tree& tree, const std::vector<Tree::Node>& nodes) {
  for (std::uint32_t column = 0; column < columns; ++column) {
    const Literal literal{nodes, column};
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(nodes.size()); ++i) {
      const std::size_t n = static_cast<std::size_t>(i);
      EXPECT_EQ(tree.subtree(i, column), literal.subtree(n));
      EXPECT_EQ(tree.local(i, column), literal.local(n));
      EXPECT_EQ(tree.usage(i, column), literal.usage(n));
      EXPECT_EQ(tree.ceiling(i, column), literal.ceiling(n));
      EXPECT_EQ(tree.available(i, column), literal.available(n));
    }
  }
}

TEST(TreeProperties, AgreesWithTheLiteralReading) {
  Dice dice(20260301);
  for (int round = 0; round < 300; ++round) {
    const Tree tree = random_tree(dice, true);
    expect_literal(tree, tree.nodes());
  }
}

std::vector<std::int32_t> queues_of(const Tree& tree) {
  std::vector<std::int32_t> queues;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(tree.nodes().size()); ++i)
    if (tree.nodes()[static_cast<std::size_t>(i)].queue) queues.push_back(i);
  return queues;
}

// The same tree with these usages of queues written into its nodes, for the literal reading.
std::vector<Tree::Node> with_usage(const Tree& tree) {
  std::vector<Tree::Node> nodes = tree.nodes();
  for (const std::int32_t queue : queues_of(tree)) {
    Tree::Node& node = nodes[static_cast<std::size_t>(queue)];
    node.cells.clear();
    for (std::uint32_t c = 0; c < columns; ++c) {
      Cell cell;
      for (const auto& [at, declared] : tree.nodes()[static_cast<std::size_t>(queue)].cells)
        if (at == c) cell = declared;
      cell.usage = tree.usage(queue, c);
      node.cells.emplace_back(c, cell);
    }
  }
  return nodes;
}

// Admission and ends of jobs in random order. Whoever is admitted only when it fits never goes past a ceiling, and
// all together never past what all quotas sum to; moving usage step by step gives what computing afresh gives.
TEST(TreeProperties, AdmittingWhatFitsKeepsEveryPromise) {
  Dice dice(5);
  for (int round = 0; round < 150; ++round) {
    Tree tree = random_tree(dice, false);
    const std::vector<std::int32_t> queues = queues_of(tree);
    if (queues.empty()) continue;
    for (int step = 0; step < 60; ++step) {
      const std::int32_t queue =
          queues[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(queues.size())))];
      const std::uint32_t column = static_cast<std::uint32_t>(dice.below(columns));
      const std::int64_t amount = 1 + dice.below(8);
      if (dice.below(4) == 0)
        tree.remove_usage(queue, column, std::min(amount, tree.usage(queue, column)));
      else if (tree.available(queue, column) >= amount)
        tree.add_usage(queue, column, amount);
    }
    for (std::uint32_t column = 0; column < columns; ++column) {
      std::int64_t used = 0, all = 0;
      for (const Tree::Node& node : tree.nodes())
        for (const auto& [at, cell] : node.cells) all += at == column ? cell.nominal : 0;
      for (const std::int32_t queue : queues) {
        EXPECT_LE(tree.usage(queue, column), tree.ceiling(queue, column));
        used += tree.usage(queue, column);
      }
      EXPECT_LE(used, all);
    }
    expect_literal(tree, with_usage(tree));
  }
}

}  // namespace
}  // namespace cmb2kueue::quota
