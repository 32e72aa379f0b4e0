// What must hold for every tree, every rule and every order of moving, on seeded random trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cmb2kueue/quota/allot.h"

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

Shares some_shares(Dice& dice, std::uint32_t columns, std::int64_t top) {
  Shares shares;
  for (std::uint32_t c = 0; c < columns; ++c)
    if (dice.below(3) > 0) shares.push_back({c, dice.below(top)});
  return shares;
}

// cpu and memory of one flavor and a limit; every internal node has a leaf below.
Entitlements random_tree(Dice& dice) {
  Entitlements tree;
  tree.columns = {{"f", "cpu", base::Unit::one, false},
                  {"f", "memory", base::Unit::mebi, false},
                  {"c", "pods", base::Unit::one, true}};
  const std::int32_t internals = 1 + static_cast<std::int32_t>(dice.below(5));
  const std::int32_t leaves = internals + static_cast<std::int32_t>(dice.below(6));
  for (std::int32_t i = 0; i < internals + leaves; ++i) {
    EntitlementNode node;
    node.leaf = i >= internals;
    node.parent = i == 0 ? -1 : static_cast<std::int32_t>(dice.below(std::min(i, internals)));
    if (node.leaf && i < 2 * internals) node.parent = i - internals;
    node.weight = static_cast<std::uint32_t>(dice.below(4));
    node.reserved = some_shares(dice, 2, 50);
    node.total = some_shares(dice, 3, dice.below(2) == 0 ? 5 : 1'000'000);
    tree.nodes.push_back(std::move(node));
  }
  return tree;
}

SplitRules random_rules(Dice& dice) {
  const auto split = [&](std::int64_t kinds) {
    return Split{static_cast<SplitKind>(dice.below(kinds)), static_cast<std::uint32_t>(dice.below(101))};
  };
  SplitRules rules;
  rules.internal = split(4);
  rules.pool = split(4);
  rules.limit = split(3);
  rules.minimum = dice.below(4);
  rules.primary_resource = dice.below(2) == 0 ? "cpu" : "memory";
  return rules;
}

std::vector<std::uint32_t> leaves_of(const Entitlements& tree) {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].leaf) leaves.push_back(i);
  return leaves;
}

std::vector<Part> whole_parts(const Entitlements& tree, std::int64_t of_hundred) {
  std::vector<Part> parts;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    for (const Share& total : tree.nodes[i].total)
      if (total.count > 0) parts.push_back({i, total.column, total.count * of_hundred / 100});
  return parts;
}

TEST(AllotProperties, NothingAtTheStartEverythingAtTheEndAndNeverLessOnTheWay) {
  Dice dice(11);
  for (int round = 0; round < 500; ++round) {
    const Entitlements tree = random_tree(dice);
    const SplitRules rules = random_rules(dice);
    std::vector<bool> enrolled(tree.nodes.size());
    const std::vector<std::uint32_t> moved(tree.nodes.size(), 100);
    std::vector<std::uint32_t> order = leaves_of(tree);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(i)))]);
    std::vector<Part> last = target_parts(tree, rules, enrolled, moved);
    EXPECT_EQ(last, whole_parts(tree, 0));
    for (const std::uint32_t leaf : order) {
      enrolled[leaf] = true;
      const std::vector<Part> now = target_parts(tree, rules, enrolled, moved);
      for (std::size_t i = 0; i < now.size(); ++i) {
        EXPECT_GE(now[i].kueue, last[i].kueue) << "round " << round;
        EXPECT_LE(now[i].kueue, count_of(tree.nodes[now[i].node].total, now[i].column)) << "round " << round;
      }
      last = now;
    }
    EXPECT_EQ(last, whole_parts(tree, 100)) << "round " << round;
  }
}

// The exact share is sum of enrolled / sum of all x total; the part is the whole number nearest to it.
TEST(AllotProperties, ByMovedReservationIsTheNearestWholeNumber) {
  Dice dice(12);
  SplitRules rules;
  rules.internal = rules.pool = rules.limit = {SplitKind::by_moved_reservation, 0};
  rules.minimum = 0;
  rules.primary_resource = "cpu";
  for (int round = 0; round < 300; ++round) {
    const Entitlements tree = random_tree(dice);
    std::vector<bool> enrolled(tree.nodes.size());
    for (const std::uint32_t leaf : leaves_of(tree)) enrolled[leaf] = dice.below(2) == 0;
    const std::vector<std::uint32_t> moved(tree.nodes.size(), 100);
    for (const Part& part : target_parts(tree, rules, enrolled, moved)) {
      if (tree.nodes[part.node].leaf) continue;
      std::int64_t all = 0, gone = 0;
      for (const std::uint32_t leaf : leaves_of(tree)) {
        const std::vector<std::uint32_t> chain = chain_of(tree, leaf);
        if (std::find(chain.begin(), chain.end(), part.node) == chain.end()) continue;
        const std::int64_t reserved = count_of(tree.nodes[leaf].reserved, part.column == 2 ? 0 : part.column);
        all += reserved;
        gone += enrolled[leaf] ? reserved : 0;
      }
      if (all == 0) continue;
      const std::int64_t exact = count_of(tree.nodes[part.node].total, part.column) * gone;  // times all
      const std::int64_t beyond = 2 * (exact - part.kueue * all);
      EXPECT_GT(beyond, -all) << "a tie goes to CMB, round " << round;
      EXPECT_LE(beyond, all) << "round " << round;
    }
  }
}

TEST(AllotProperties, FiveSiblingsEndTheSameInEveryOrderThereAndBack) {
  Dice dice(13);
  Entitlements tree;
  tree.columns = {{"f", "cpu", base::Unit::one, false}};
  tree.nodes.resize(6);
  tree.nodes[0].total = {{0, 1000}};
  for (std::size_t i = 1; i < 6; ++i) {
    tree.nodes[i].leaf = true;
    tree.nodes[i].parent = 0;
    tree.nodes[i].reserved = tree.nodes[i].total = {{0, dice.below(30) + 1}};
  }
  SplitRules rules;
  rules.pool = {SplitKind::by_moved_reservation, 0};
  const std::vector<std::uint32_t> moved(6, 100);
  std::vector<std::size_t> order = {1, 2, 3, 4, 5};
  int orders = 0;
  do {
    std::vector<bool> enrolled(6);
    std::vector<std::vector<Part>> seen = {target_parts(tree, rules, enrolled, moved)};
    for (const std::size_t leaf : order) {
      enrolled[leaf] = true;
      seen.push_back(target_parts(tree, rules, enrolled, moved));
    }
    EXPECT_EQ(seen.back(), whole_parts(tree, 100));
    for (std::size_t back = order.size(); back-- > 0;) {
      enrolled[order[back]] = false;
      EXPECT_EQ(target_parts(tree, rules, enrolled, moved), seen[back]);
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 120);
}

}  // namespace
}  // namespace cmb2kueue::quota
