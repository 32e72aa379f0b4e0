// Splitting between the sides: the worked numbers, and what must hold for every rule and every order.
#include "cmb2kueue/quota/allot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace cmb2kueue::quota {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

EntitlementNode make(const std::string& name, std::int32_t parent, bool leaf, Shares reserved, Shares total) {
  EntitlementNode node;
  node.hash = node.id = node.object = node.display = name;
  node.parent = parent;
  node.leaf = leaf;
  node.reserved = std::move(reserved);
  node.total = std::move(total);
  if (leaf) node.columns = {0, 1};
  return node;
}

// Root pool 100; P 50 inclusive with a limit of 5 pods; leaves A 20, B 10, C 0.
Entitlements worked() {
  Entitlements tree;
  tree.columns = {{"default", "cpu", base::Unit::one, false}, {"concurrency", "pods", base::Unit::one, true}};
  tree.nodes = {make("root", -1, false, {}, {{0, 100}}), make("P", 0, false, {{0, 50}}, {{0, 20}, {1, 5}}),
                make("A", 1, true, {{0, 20}}, {{0, 20}}), make("B", 1, true, {{0, 10}}, {{0, 10}}),
                make("C", 1, true, {}, {})};
  return tree;
}

SplitRules all_by(SplitKind kind, std::uint32_t percent = 0) {
  SplitRules rules;
  rules.internal = rules.pool = rules.limit = {kind, percent};
  rules.primary_resource = "cpu";
  return rules;
}

// Kueue's part of root, P and P's pods with these leaves enrolled.
std::vector<std::int64_t> shared(const SplitRules& rules, const std::vector<bool>& leaves) {
  const std::vector<bool> enrolled = {false, false, leaves[0], leaves[1], leaves[2]};
  std::vector<std::int64_t> found;
  for (const Part& part : target_parts(worked(), rules, enrolled, {0, 0, 100, 100, 100}))
    if (part.node < 2) found.push_back(part.kueue);
  return found;
}

TEST(TargetParts, WorkedNumbersByMovedReservation) {
  const SplitRules rules = all_by(SplitKind::by_moved_reservation);
  EXPECT_THAT(shared(rules, {true, false, false}), ElementsAre(67, 13, 3));
  EXPECT_THAT(shared(rules, {true, true, false}), ElementsAre(99, 19, 4));
  EXPECT_THAT(shared(rules, {false, true, false}), ElementsAre(33, 7, 2));
  EXPECT_THAT(shared(rules, {true, true, true}), ElementsAre(100, 20, 5));
  EXPECT_THAT(shared(rules, {false, false, false}), ElementsAre(0, 0, 0));
  EXPECT_THAT(shared(rules, {false, false, true}), ElementsAre(1, 1, 1));
}

TEST(TargetParts, OtherRules) {
  EXPECT_THAT(shared(all_by(SplitKind::by_moved_weight), {true, false, false}), ElementsAre(33, 7, 2));
  EXPECT_THAT(shared(all_by(SplitKind::percent, 30), {true, true, false}), ElementsAre(30, 6, 1));
  EXPECT_THAT(shared(all_by(SplitKind::percent, 30), {true, true, true}), ElementsAre(100, 20, 5));
  EXPECT_THAT(shared(all_by(SplitKind::at_end), {true, true, false}), ElementsAre(0, 0, 0));
  EXPECT_THAT(check_splits(all_by(SplitKind::at_end)), ElementsAre(HasSubstr("at-end")));
  EXPECT_TRUE(check_splits(all_by(SplitKind::percent, 100)).empty());
}

TEST(TargetParts, ATieGoesToCmb) {
  Entitlements tree = worked();
  tree.nodes[0].total = {{0, 5}};
  tree.nodes[2].reserved = tree.nodes[3].reserved = {{0, 10}};
  const std::vector<Part> parts = target_parts(tree, all_by(SplitKind::by_moved_reservation),
                                               {false, false, true, false, false}, {0, 0, 100, 0, 0});
  EXPECT_EQ(parts[0].kueue, 2);  // half of 5
}

TEST(TargetParts, ALeafMovesByItsRamp) {
  const std::vector<Part> parts =
      target_parts(worked(), all_by(SplitKind::percent, 50), {false, false, true, true, false}, {0, 0, 25, 0, 0});
  EXPECT_EQ(parts[3], (Part{2, 0, 5}));
  EXPECT_EQ(parts[4], (Part{3, 0, 0}));
}

TEST(TargetParts, StayWithinTheTotalAndEndTheSameInEveryOrder) {
  for (const SplitKind kind :
       {SplitKind::by_moved_reservation, SplitKind::by_moved_weight, SplitKind::percent, SplitKind::at_end}) {
    const SplitRules rules = all_by(kind, 40);
    std::vector<int> order = {0, 1, 2};
    do {
      std::vector<bool> leaves(3);
      std::vector<std::int64_t> last = shared(rules, leaves);
      for (const int leaf : order) {
        leaves[static_cast<std::size_t>(leaf)] = true;
        const std::vector<std::int64_t> now = shared(rules, leaves);
        for (std::size_t i = 0; i < now.size(); ++i) EXPECT_GE(now[i], last[i]) << "moving one more gives no less";
        last = now;
      }
      EXPECT_THAT(last, ElementsAre(100, 20, 5));
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(PartitionParts, AreKueuesWhileSomebodyBelowIsEnrolled) {
  const std::vector<FixedPart> fixed = {{0, 0, 40}, {1, 0, 10}, {2, 0, 20}, {3, 0, 10}};
  const std::vector<Part> none = partition_parts(worked(), fixed, {false, false, false, false, false});
  const std::vector<Part> one = partition_parts(worked(), fixed, {false, false, true, false, false});
  EXPECT_THAT(none, ElementsAre(Part{0, 0, 0}, Part{1, 0, 0}, Part{2, 0, 0}, Part{3, 0, 0}));
  EXPECT_THAT(one, ElementsAre(Part{0, 0, 40}, Part{1, 0, 10}, Part{2, 0, 20}, Part{3, 0, 0}));
}

TEST(CheckPartition, SaysEverythingThatIsWrong) {
  EXPECT_TRUE(check_partition(worked(), {{0, 0, 40}, {1, 0, 0}, {1, 1, 2}, {2, 0, 20}}, 2).empty());
  EXPECT_THAT(check_partition(worked(), {{0, 0, 101}, {1, 0, 0}, {2, 0, 19}}, 2),
              ElementsAre("A default/cpu: the part 19 is not its whole reservation 20",
                          "P concurrency/pods: no part is given (of 5)",
                          "root default/cpu: the part 101 is not between 0 and the total 100"));
}

}  // namespace
}  // namespace cmb2kueue::quota
