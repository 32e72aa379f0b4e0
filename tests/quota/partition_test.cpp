// Signed partitions: whose the parts are, and what is wrong with a list of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmb2kueue/quota/allot.h"

namespace cmb2kueue::quota {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

EntitlementNode make(const std::string& name, std::int32_t parent, bool leaf, Shares total) {
  EntitlementNode node;
  node.hash = node.object = node.display = name;
  node.parent = parent;
  node.leaf = leaf;
  node.total = std::move(total);
  if (leaf) node.columns = {0, 1};
  return node;
}

// Root 100; P 20 and 5 pods, with the leaves A 20 and B 10; Q 7, with the leaf D.
Entitlements example() {
  Entitlements tree;
  tree.cell = "one";
  tree.columns = {{"default", "cpu", base::Unit::one, false}, {"concurrency", "pods", base::Unit::one, true}};
  tree.nodes = {make("root", -1, false, {{0, 100}}), make("P", 0, false, {{0, 20}, {1, 5}}),
                make("A", 1, true, {{0, 20}}),       make("B", 1, true, {{0, 10}}),
                make("Q", 0, false, {{0, 7}}),       make("D", 4, true, {})};
  return tree;
}

TEST(PartitionParts, AreKueuesWhileSomebodyBelowIsEnrolled) {
  const std::vector<FixedPart> fixed = {{3, 0, 10}, {0, 0, 40}, {1, 0, 10}, {2, 0, 20}, {99, 0, 1}};
  EXPECT_THAT(partition_parts(example(), fixed, {false, false, false, false, false, false}),
              ElementsAre(Part{0, 0, 0}, Part{1, 0, 0}, Part{2, 0, 0}, Part{3, 0, 0}));
  EXPECT_THAT(partition_parts(example(), fixed, {false, false, true, false, false, false}),
              ElementsAre(Part{0, 0, 40}, Part{1, 0, 10}, Part{2, 0, 20}, Part{3, 0, 0}));
  EXPECT_THAT(partition_parts(example(), fixed, {false, false, false, false, false, true}),
              ElementsAre(Part{0, 0, 40}, Part{1, 0, 0}, Part{2, 0, 0}, Part{3, 0, 0}));
}

TEST(CheckPartition, AcceptsWhatTheLeafAndItsAncestorsNeed) {
  EXPECT_THAT(check_partition(example(), {{1, 1, 2}, {0, 0, 40}, {1, 0, 0}, {2, 0, 20}}, 2), IsEmpty());
}

TEST(CheckPartition, SaysEverythingThatIsWrong) {
  EXPECT_THAT(check_partition(example(), {{0, 0, 101}, {1, 0, 0}, {2, 0, 19}}, 2),
              ElementsAre("A default/cpu: the part 19 is not its whole reservation 20",
                          "P concurrency/pods: no part is given (of 5)",
                          "root default/cpu: the part 101 is not between 0 and the total 100"));
  EXPECT_THAT(check_partition(example(), {{0, 0, 1}, {0, 1, 3}, {1, 0, -1}, {1, 1, 5}, {2, 0, 20}, {2, 0, 20}}, 2),
              ElementsAre("A default/cpu: the part is given twice",
                          "P default/cpu: the part -1 is not between 0 and the total 20",
                          "root concurrency/pods: the part 3 is not between 0 and the total 0"));
}

TEST(CheckPartition, AMistakeElsewhereStopsNobody) {
  const std::vector<FixedPart> fixed = {{0, 0, 40}, {1, 0, 900}, {2, 0, 1}, {4, 0, 7}};
  EXPECT_THAT(check_partition(example(), fixed, 5), IsEmpty());
}

TEST(CheckPartition, SeveralLeavesAreJudgedTogetherAndEqualProblemsFold) {
  const std::vector<FixedPart> fixed = {{0, 0, 40}, {1, 0, 30}, {1, 1, 5}, {2, 0, 20}};
  EXPECT_THAT(check_partition(example(), fixed, std::vector<std::uint32_t>{2, 3, 5}),
              ElementsAre("B default/cpu: no part is given (of 10)",
                          "P default/cpu: the part 30 is not between 0 and the total 20",
                          "Q default/cpu: no part is given (of 7)"));
}

// Columns that the leaf does not list are none of its business.
TEST(CheckPartition, AsksOnlyForWhatTheLeafCanUse) {
  Entitlements tree = example();
  tree.nodes[2].columns = {0};
  EXPECT_THAT(check_partition(tree, {{0, 0, 40}, {1, 0, 0}, {2, 0, 20}}, 2), IsEmpty());
}

TEST(Entitlements, AnswerWhoIsWhere) {
  const Entitlements tree = example();
  EXPECT_EQ(find_node(tree, "B"), 3);
  EXPECT_EQ(find_node(tree, "nobody"), -1);
  EXPECT_EQ(find_column(tree, "concurrency", "pods"), 1);
  EXPECT_EQ(find_column(tree, "default", "pods"), -1);
  EXPECT_THAT(chain_of(tree, 3), ElementsAre(3, 1, 0));
  EXPECT_THAT(columns_of(tree, 1), ElementsAre(0, 1));
  EXPECT_THAT(columns_of(tree, 4), ElementsAre(0));
  EXPECT_THAT(columns_of(tree, 5), ElementsAre(0, 1));
  EXPECT_EQ(count_of(tree.nodes[1].total, 1), 5);
  EXPECT_EQ(count_of(tree.nodes[0].total, 1), 0);
}

TEST(Entitlements, AnIndexTellsQueuesFromCohortsOfTheSameName) {
  Entitlements tree = example();
  tree.nodes[5].object = "Q";
  const NodeIndex index(tree);
  EXPECT_EQ(index.by_hash("A"), 2);
  EXPECT_EQ(index.by_hash("nobody"), -1);
  EXPECT_EQ(index.internal_by_object("Q"), 4);
  EXPECT_EQ(index.leaf_by_object("Q"), 5);
  EXPECT_EQ(index.internal_by_object("root"), 0);
}

}  // namespace
}  // namespace cmb2kueue::quota
