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

TEST(TargetParts, TheRootTheNodesAndTheLimitsHaveEachTheirRule) {
  SplitRules rules = all_by(SplitKind::percent, 10);
  rules.pool.percent = 50;
  rules.limit.percent = 80;
  EXPECT_THAT(shared(rules, {true, false, false}), ElementsAre(50, 2, 4));
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
  EXPECT_EQ(parts[4], (Part{3, 0, 1})) << "the canary: one unit, though nothing has moved";
}

// A column that counts thousandths: one whole unit, or all there is.
TEST(TargetParts, TheCanaryIsAWholeUnit) {
  Entitlements tree = worked();
  tree.columns[0].unit = base::Unit::milli;
  tree.nodes[2].total = {{0, 20'000}};
  tree.nodes[3].total = {{0, 700}};
  const std::vector<Part> parts =
      target_parts(tree, all_by(SplitKind::percent, 50), {false, false, true, true, false}, {0, 0, 0, 0, 0});
  EXPECT_EQ(parts[3], (Part{2, 0, 1000}));
  EXPECT_EQ(parts[4], (Part{3, 0, 700}));
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

TEST(TargetParts, WeightsMultiplyLevelByLevel) {
  Entitlements tree = worked();  // root: P weight 2 over A, B, C; one more leaf D of weight 1
  tree.nodes[1].weight = 2;
  tree.nodes.push_back(make("D", 0, true, {}, {{0, 20}}));
  tree.nodes[0].total = {{0, 900}};
  const auto root_part = [&](const std::vector<bool>& enrolled) {
    return target_parts(tree, all_by(SplitKind::by_moved_weight), enrolled, {0, 0, 0, 0, 0, 0})[0].kueue;
  };
  EXPECT_EQ(root_part({false, false, true, false, false, false}), 200);  // 2/3 x 1/3
  EXPECT_EQ(root_part({false, false, true, false, false, true}), 500);   // 2/3 x 1/3 + 1/3
  EXPECT_EQ(root_part({false, false, true, true, true, false}), 600);
}

TEST(TargetParts, ByWeightWhereNobodyReserves) {
  Entitlements tree = worked();
  for (EntitlementNode& node : tree.nodes) node.reserved.clear();
  tree.nodes[2].weight = 3;
  const std::vector<Part> parts = target_parts(tree, all_by(SplitKind::by_moved_reservation),
                                               {false, false, true, false, false}, {0, 0, 100, 0, 0});
  EXPECT_EQ(parts[0].kueue, 60);  // 3 of 5
}

TEST(TargetParts, LimitsGoByThePrimaryResourceOfEveryFlavor) {
  Entitlements tree = worked();
  tree.columns = {{"default", "cpu", base::Unit::one, false},
                  {"default", "memory", base::Unit::mebi, false},
                  {"spot", "cpu", base::Unit::one, false},
                  {"concurrency", "pods", base::Unit::one, true}};
  tree.nodes[1].total = {{3, 40}};
  tree.nodes[2].reserved = {{0, 10}, {1, 9000}};
  tree.nodes[3].reserved = {{2, 30}};
  SplitRules rules = all_by(SplitKind::by_moved_reservation);
  const auto pods_of_P = [&] {
    return target_parts(tree, rules, {false, false, true, false, false}, {0, 0, 100, 0, 0})[1].kueue;
  };
  EXPECT_EQ(pods_of_P(), 10);
  rules.primary_resource = "memory";
  EXPECT_EQ(pods_of_P(), 39);  // all of it, but for the one that CMB keeps
}

TEST(TargetParts, CmbKeepsItsMinimumFirst) {
  SplitRules rules = all_by(SplitKind::by_moved_reservation);
  rules.minimum = 3;
  EXPECT_THAT(shared(rules, {true, true, false}), ElementsAre(97, 17, 2));
  EXPECT_THAT(shared(rules, {false, false, true}), ElementsAre(3, 3, 2));
  rules.minimum = 50;
  EXPECT_THAT(shared(rules, {true, true, false}), ElementsAre(50, 0, 0));
  rules.minimum = 0;
  EXPECT_THAT(shared(rules, {false, false, true}), ElementsAre(0, 0, 0));
  EXPECT_THAT(shared(rules, {true, true, true}), ElementsAre(100, 20, 5));
}

TEST(TargetParts, ALeafsOwnLimitMovesByItsRampRoundedDown) {
  Entitlements tree = worked();
  tree.nodes[3].limit_role = LimitRole::own_leaf;
  tree.nodes[3].total = {{0, 10}, {1, 7}};
  const std::vector<Part> parts =
      target_parts(tree, all_by(SplitKind::percent, 50), {false, false, false, true, false}, {0, 0, 0, 50, 0});
  EXPECT_EQ(parts[5], (Part{3, 1, 3}));
}

// No tenant's move ever creates the Cohort of a node that has no leaves.
TEST(TargetParts, WhatHasNoLeavesStaysWithCmb) {
  Entitlements tree = worked();
  tree.nodes.push_back(make("empty", 0, false, {}, {{0, 9}}));
  const std::vector<Part> parts = target_parts(tree, all_by(SplitKind::percent, 50),
                                               {false, false, true, true, true, false}, {0, 0, 100, 100, 100, 0});
  EXPECT_EQ(parts.front(), (Part{0, 0, 100}));
  EXPECT_EQ(parts.back(), (Part{5, 0, 0}));
}

TEST(TargetParts, HugeNumbersStayWithinTheTotal) {
  Entitlements tree = worked();
  tree.nodes[0].total = {{0, INT64_MAX}};
  tree.nodes[2].reserved = tree.nodes[3].reserved = tree.nodes[4].reserved = {{0, INT64_MAX}};
  const std::vector<Part> parts = target_parts(tree, all_by(SplitKind::by_moved_reservation),
                                               {false, false, true, true, false}, {0, 0, 100, 100, 0});
  EXPECT_GT(parts[0].kueue, INT64_MAX / 3 * 2 - 10);
  EXPECT_LT(parts[0].kueue, INT64_MAX / 3 * 2 + 10);
}

TEST(CheckSplits, SaysEverythingThatIsWrong) {
  SplitRules rules = all_by(SplitKind::percent, 101);
  rules.limit.kind = SplitKind::at_end;
  rules.minimum = -1;
  EXPECT_THAT(check_splits(rules),
              ElementsAre("subtree limits cannot be split at-end: the first tenant to move could start nothing",
                          "a split of 101 percent is more than everything",
                          "a split of 101 percent is more than everything",
                          "the minimum each side keeps is -1, and cannot be below 0"));
}

}  // namespace
}  // namespace cmb2kueue::quota
