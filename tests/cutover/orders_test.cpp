// Five siblings moved and brought back in all 120 orders, under each way to divide what is shared: whatever the
// order, what is left in between depends only on who is enrolled, and the end is the beginning.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "migration.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

class OrdersTest : public ::testing::TestWithParam<How> {};

// What of a state must not depend on how it was reached.
std::string essence(const State& state) {
  std::string text;
  for (const auto& [at, allotment] : state.allotments)
    text += std::to_string(at.first) + "/" + std::to_string(at.second) + "=" + std::to_string(allotment.kueue) +
            "+" + std::to_string(allotment.held) + "<" + std::to_string(allotment.ceiling()) + " ";
  for (const auto& [hash, tenant] : state.enrolled) text += hash + ":" + to_string(tenant.state) + " ";
  for (const auto& [key, shared] : state.shared) {
    text += to_string(key) + "[";
    for (const std::string& user : shared.users) text += user + ",";
    text += "] ";
  }
  return text;
}

// c reserves nothing: where what is shared moves at the end, it can only be the last to move.
std::vector<std::string> movable(std::vector<std::string> order, How how) {
  if (how != How::at_end) return order;
  std::erase(order, "c");
  order.emplace_back("c");
  return order;
}

TEST_P(OrdersTest, AllRollbackOrdersEndInTheSameState) {
  std::vector<std::string> order(std::begin(leaf_names), std::end(leaf_names));
  std::map<std::string, std::pair<std::string, std::string>> seen;  // who is enrolled -> essence and manifests
  base::MemoryFileSystem moved;
  moved.files["cell/theirs.yaml"] = "# not ours\n";
  const std::string before = manifests_of(moved, "cell");
  Place all(moved, "cell", GetParam());
  for (const std::string& leaf : movable(order, GetParam())) {
    const base::Result<Outcome> outcome = all.cut_over(leaf, true);
    ASSERT_OK(outcome);
    ASSERT_EQ(outcome->state, TenantState::moved);
  }
  int orders = 0;
  do {
    base::MemoryFileSystem fs = moved;
    Place place(fs, "cell", GetParam());
    std::vector<std::string> left = {"a", "b", "c", "d", "e"};
    for (const std::string& leaf : order) {
      ASSERT_OK(place.roll_back(leaf));
      std::erase(left, leaf);
      const State state = place.state();
      expect_sums(state);
      std::string who;
      for (const std::string& one : left) who += one;
      const std::pair<std::string, std::string> now = {essence(state), manifests_of(fs, "cell")};
      const auto [slot, fresh] = seen.try_emplace(who, now);
      EXPECT_EQ(slot->second, now) << "left: " << who;
    }
    EXPECT_EQ(manifests_of(fs, "cell"), before);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 120);
  EXPECT_EQ(seen.size(), 31U);
}

// Nor does it matter who moved first: every tenth of the 120 orders of enrolling, compared by who is enrolled.
TEST_P(OrdersTest, OrdersOfMovingMeetInTheSameStates) {
  std::vector<std::string> order(std::begin(leaf_names), std::end(leaf_names));
  std::map<std::set<std::string>, std::pair<std::string, std::string>> seen;
  int count = 0;
  do {
    if (count++ % 10 != 0) continue;
    base::MemoryFileSystem fs;
    Place place(fs, "cell", GetParam());
    std::set<std::string> who;
    for (const std::string& leaf : movable(order, GetParam())) {
      ASSERT_OK(place.cut_over(leaf, true));
      who.insert(leaf);
      expect_sums(place.state());
      const std::pair<std::string, std::string> now = {essence(place.state()), manifests_of(fs, "cell")};
      const auto [slot, fresh] = seen.try_emplace(who, now);
      EXPECT_EQ(slot->second, now);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(count, 120);
}

INSTANTIATE_TEST_SUITE_P(Splits, OrdersTest,
                         ::testing::Values(How::partition, How::by_reservation, How::by_weight, How::percent,
                                           How::at_end));

// Live quotas follow the allotments: what the cohort of P has in the manifests is what the state says.
TEST(Allotments, LiveQuotasAreThePresentParts) {
  base::MemoryFileSystem fs;
  Place place(fs, "cell", How::by_reservation);
  ASSERT_OK(place.cut_over("a", true));
  const State state = place.state();
  EXPECT_EQ(state.allotments.at({0, 0}).kueue, 50);  // 100 x 20/40
  EXPECT_EQ(state.allotments.at({1, 0}).kueue, 5);
  EXPECT_EQ(state.allotments.at({1, 1}).kueue, 2);  // 2.5: the tie goes to CMB
  const std::string cohort = fs.files.at("cell/shared/cohort-p-object.yaml");
  EXPECT_NE(cohort.find("nominalQuota: '5'"), std::string::npos) << cohort;
  EXPECT_NE(cohort.find("nominalQuota: '2'"), std::string::npos) << cohort;
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
