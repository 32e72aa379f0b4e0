// The algebra against a tree worked out by hand, and against a literal recursive reading of the definitions.
#include "cmb2kueue/quota/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cmb2kueue::quota {
namespace {

Tree::Node node(const std::string& name, bool queue, std::int32_t parent, Cell cell) {
  Tree::Node made;
  made.name = name;
  made.queue = queue;
  made.parent = parent;
  made.cells = {{0, cell}};
  return made;
}

// R nominal 4; A nominal 10 lends 6 borrows 5 uses 7; M nominal 2 lends 8 borrows 3; B 8 uses 9; C 4 lends and
// borrows nothing, uses 3.
Tree worked() {
  Tree tree;
  tree.column({"f", "cpu"});
  tree.add(node("R", false, -1, {4, {}, {}, 0}));
  tree.add(node("A", true, 0, {10, 5, 6, 7}));
  tree.add(node("M", false, 0, {2, 3, 8, 0}));
  tree.add(node("B", true, 2, {8, {}, {}, 9}));
  tree.add(node("C", true, 2, {4, 0, 0, 3}));
  tree.compute();
  return tree;
}

enum : std::int32_t { R, A, M, B, C };

TEST(Tree, WorkedExample) {
  const Tree tree = worked();
  const std::vector<std::vector<std::int64_t>> expected = {// subtree, local, usage, available, ceiling
                                                           {18, 0, 10, 8, 18},
                                                           {10, 4, 7, 8, 15},
                                                           {10, 2, 9, 4, 13},
                                                           {8, 0, 9, 4, 13},
                                                           {4, 4, 3, 1, 4}};
  for (std::int32_t i = R; i <= C; ++i) {
    const std::vector<std::int64_t> row = {tree.subtree(i, 0), tree.local(i, 0), tree.usage(i, 0),
                                           tree.available(i, 0), tree.ceiling(i, 0)};
    EXPECT_EQ(row, expected[static_cast<std::size_t>(i)]) << tree.nodes()[static_cast<std::size_t>(i)].name;
  }
}

TEST(Tree, UsageMovesUpOnlyPastWhatIsLocal) {
  Tree tree = worked();
  tree.add_usage(C, 0, 3);
  EXPECT_EQ(tree.usage(C, 0), 6);
  EXPECT_EQ(tree.usage(M, 0), 11);
  EXPECT_EQ(tree.usage(R, 0), 12);
  EXPECT_EQ(tree.available(R, 0), 6);
  EXPECT_EQ(tree.available(M, 0), 2);
  EXPECT_EQ(tree.available(C, 0), -2);
  tree.remove_usage(C, 0, 4);
  EXPECT_EQ(tree.usage(C, 0), 2);
  EXPECT_EQ(tree.usage(M, 0), 9);
  EXPECT_EQ(tree.usage(R, 0), 10);
}

TEST(Tree, CeilingsOfTwoQueuesThatLend) {
  Tree tree;
  tree.column({"f", "cpu"});
  tree.add(node("ab", false, -1, {}));
  tree.add(node("a", true, 0, {9, {}, {}, 0}));
  tree.add(node("b", true, 0, {12, {}, 1, 0}));
  tree.compute();
  EXPECT_EQ(tree.ceiling(1, 0), 10);
  EXPECT_EQ(tree.ceiling(2, 0), 21);
}

TEST(Tree, SaturatesInsteadOfWrapping) {
  Tree tree;
  tree.column({"f", "cpu"});
  tree.add(node("r", false, -1, {INT64_MAX - 1, {}, {}, 0}));
  tree.add(node("q", true, 0, {INT64_MAX - 1, INT64_MAX - 1, {}, 0}));
  tree.compute();
  EXPECT_EQ(tree.subtree(0, 0), unlimited);
  EXPECT_EQ(tree.ceiling(1, 0), unlimited);
}

// The definitions read literally, one recursion each.
struct Literal {
  const std::vector<Tree::Node>& nodes;
  const Cell& cell(std::size_t n) const { return nodes[n].cells[0].second; }
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

TEST(Tree, AgreesWithTheLiteralReadingOnRandomTrees) {
  std::mt19937 random(20260301);
  const auto pick = [&](std::int64_t top) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(top));
  };
  for (int round = 0; round < 300; ++round) {
    Tree tree;
    tree.column({"f", "cpu"});
    const std::int32_t count = 2 + static_cast<std::int32_t>(pick(9));
    for (std::int32_t i = 0; i < count; ++i) {
      const bool queue = i > 0 && pick(2) == 0;
      std::int32_t parent = i == 0 ? -1 : static_cast<std::int32_t>(pick(i));
      while (parent > 0 && tree.nodes()[static_cast<std::size_t>(parent)].queue) --parent;
      Cell cell{pick(20), {}, {}, queue ? pick(15) : 0};
      if (parent >= 0 && pick(2) == 0) cell.borrowing = pick(10);
      if (parent >= 0 && pick(2) == 0) cell.lending = pick(20);
      tree.add(node("n", queue, parent, cell));
    }
    tree.compute();
    const Literal literal{tree.nodes()};
    for (std::int32_t i = 0; i < count; ++i) {
      const std::size_t n = static_cast<std::size_t>(i);
      EXPECT_EQ(tree.subtree(i, 0), literal.subtree(n));
      EXPECT_EQ(tree.usage(i, 0), literal.usage(n));
      EXPECT_EQ(tree.ceiling(i, 0), literal.ceiling(n));
      EXPECT_EQ(tree.available(i, 0), literal.available(n));
    }
  }
}

TEST(Tree, ImplicitCohortsAndCycles) {
  kueue::Cohort a, b, loop;
  a.meta.name = "a";
  a.parent = "missing";
  b.meta.name = "b";
  b.parent = "loop";
  loop.meta.name = "loop";
  loop.parent = "loop";
  kueue::ClusterQueue in_a, in_b;
  in_a.meta.name = "in-a";
  in_a.cohort = "a";
  in_b.meta.name = "in-b";
  in_b.cohort = "b";
  const Tree tree = Tree::from_objects({in_a, in_b, b, loop, a});
  EXPECT_EQ(tree.cyclic(), (std::vector<std::string>{"b", "loop"}));
  EXPECT_GE(tree.find_queue("in-a"), 0);
  EXPECT_EQ(tree.find_queue("in-b"), -1);
  const std::int32_t missing = tree.find_cohort("missing");
  ASSERT_GE(missing, 0);
  EXPECT_EQ(tree.nodes()[static_cast<std::size_t>(tree.find_cohort("a"))].parent, missing);
}

}  // namespace
}  // namespace cmb2kueue::quota
