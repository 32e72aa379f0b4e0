// The algebra against trees worked out by hand, and trees made from objects.
#include "cmb2kueue/quota/tree.h"

#include <gtest/gtest.h>

#include <utility>

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

TEST(Tree, TheCeilingIsTheOwnQuotaAndWhatTheLimitLetsBorrow) {
  for (const auto& [spare, ceiling] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{15, 25}, {40, 25}, {6, 16}}) {
    Tree tree;
    tree.column({"f", "cpu"});
    tree.add(node("cohort", false, -1, {spare, {}, {}, 0}));
    tree.add(node("p", true, 0, {10, 15, {}, 0}));
    tree.compute();
    EXPECT_EQ(tree.ceiling(1, 0), ceiling) << spare;
  }
}

// A quota lowered below what is used makes what is available negative; nothing else changes.
TEST(Tree, AQuotaBelowItsUsageLeavesLessThanNothing) {
  Tree tree;
  tree.column({"f", "cpu"});
  tree.add(node("alone", true, -1, {1, {}, {}, 3}));
  tree.compute();
  EXPECT_EQ(tree.available(0, 0), -2);
  EXPECT_EQ(tree.ceiling(0, 0), 1);
  EXPECT_EQ(tree.usage(0, 0), 3);
}

// The API refuses limits at a root; should one be there, there is nobody it could hold against.
TEST(Tree, LimitsOfARootMeanNothing) {
  Tree tree;
  tree.column({"f", "cpu"});
  tree.add(node("alone", true, -1, {5, 0, 2, 0}));
  tree.compute();
  EXPECT_EQ(tree.local(0, 0), 0);
  EXPECT_EQ(tree.ceiling(0, 0), 5);
  EXPECT_EQ(tree.available(0, 0), 5);
}

TEST(Tree, UnlimitedStaysUnlimited) {
  Tree tree;
  tree.column({"f", "cpu"});
  tree.add(node("r", false, -1, {5, {}, {}, 0}));
  tree.add(node("all", true, 0, {unlimited, {}, unlimited, 4}));
  tree.add(node("other", true, 0, {1, {}, {}, 0}));
  tree.compute();
  EXPECT_EQ(tree.local(1, 0), 0) << "unlimited less unlimited is nothing";
  EXPECT_EQ(tree.subtree(0, 0), unlimited);
  EXPECT_EQ(tree.available(2, 0), unlimited);
  EXPECT_EQ(tree.ceiling(2, 0), unlimited);
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

// own -> x -> y -> x: the circle and what hangs below it, not what stands beside it.
TEST(Tree, LongerCirclesTakeOnlyWhatIsBelowThem) {
  const auto cohort = [](const std::string& name, const std::string& parent) {
    kueue::Cohort made;
    made.meta.name = name;
    made.parent = parent;
    return kueue::Object(made);
  };
  const Tree tree = Tree::from_objects({cohort("own", "x"), cohort("x", "y"), cohort("y", "x"), cohort("z", "")});
  EXPECT_EQ(tree.cyclic(), (std::vector<std::string>{"own", "x", "y"}));
  ASSERT_EQ(tree.nodes().size(), 1U);
  EXPECT_EQ(tree.nodes()[0].name, "z");
}

kueue::ResourceGroup group(const std::string& resource, const std::string& nominal, const char* borrowing) {
  kueue::ResourceQuota row;
  row.resource = resource;
  row.nominal = base::Quantity::parse(nominal).value();
  if (borrowing != nullptr) row.borrowing_limit = base::Quantity::parse(borrowing).value();
  return {{resource}, {{"f", {row}}}};
}

TEST(Tree, CountsAsKueueCounts) {
  kueue::Cohort root;
  root.meta.name = "root";
  root.groups = {group("cpu", "100u", nullptr)};
  kueue::ClusterQueue queue;
  queue.meta.name = "q";
  queue.cohort = "root";
  queue.groups = {group("cpu", "1500m", nullptr), group("memory", "1Gi", "1Ki"),
                  group("nvidia.com/gpu", "500m", nullptr), group("vast", "9223372036854775807", nullptr)};
  Tree tree = Tree::from_objects({queue, root});
  const std::int32_t q = tree.find_queue("q");
  ASSERT_GE(q, 0);
  EXPECT_EQ(tree.ceiling(q, tree.column({"f", "cpu"})), 1501) << "milli, rounded up";
  EXPECT_EQ(tree.ceiling(q, tree.column({"f", "memory"})), 1073741824) << "nobody to borrow from";
  EXPECT_EQ(tree.ceiling(q, tree.column({"f", "nvidia.com/gpu"})), 1);
  EXPECT_EQ(tree.ceiling(q, tree.column({"f", "vast"})), unlimited);
}

}  // namespace
}  // namespace cmb2kueue::quota
