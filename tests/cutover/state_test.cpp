// What follows from a state: allotments, present quotas, what should be live; and the words of its files.
#include "cmb2kueue/cutover/state.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "migration.h"
#include "support/result.h"
#include "words.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

State worked(const std::vector<std::string>& counting) {
  State state;
  state.tree = tree();
  for (const char* leaf : leaf_names) {
    Enrolled tenant;
    tenant.hash = hash_of(leaf);
    tenant.counts = std::find(counting.begin(), counting.end(), leaf) != counting.end();
    state.enrolled[tenant.hash] = tenant;
  }
  return state;
}

TEST(SettledAllotments, APartIsHeldUntilSomebodyBelowCountsWhateverTheOrderOfTheParts) {
  State state = worked({"a"});
  state.inputs.partitioned = true;
  state.inputs.partition = {{3, 0, 10}, {2, 0, 20}, {1, 1, 3}, {0, 0, 60}};
  const std::map<std::pair<std::uint32_t, std::uint32_t>, Allotment> settled = settled_allotments(state);
  EXPECT_EQ(settled.at({0, 0}), (Allotment{100, 60, 0}));
  EXPECT_EQ(settled.at({1, 1}), (Allotment{5, 3, 0}));
  EXPECT_EQ(settled.at({2, 0}), (Allotment{20, 20, 0}));
  EXPECT_EQ(settled.at({3, 0}), (Allotment{10, 0, 10}));  // b does not count: its part is held
  EXPECT_EQ(settled.at({0, 0}).cmb(), 40);
  EXPECT_EQ(settled.size(), 4U);
}

TEST(SettledAllotments, NobodyCountingLeavesEverythingWithCmb) {
  State state = worked({});
  state.inputs.splits.internal = state.inputs.splits.pool =
      state.inputs.splits.limit = {quota::SplitKind::by_moved_reservation, 0};
  EXPECT_TRUE(settled_allotments(state).empty());
}

TEST(AtAllotment, AnInnerLimitIsCarriedByTheBorrowingLimit) {
  State state = worked({});
  state.tree.nodes[1].limit_role = quota::LimitRole::inner;
  state.allotments[{1, 0}] = {10, 4, 0};
  state.allotments[{1, 1}] = {5, 3, 1};
  kueue::Cohort cohort;
  kueue::ResourceQuota cpu, pods;
  cpu.resource = "cpu";
  pods.resource = "pods";
  cohort.groups = {{{"cpu"}, {{"default", {cpu}}}}, {{"pods"}, {{"concurrency", {pods}}}}};
  const kueue::Cohort now = std::get<kueue::Cohort>(at_allotment(cohort, state, 1));
  EXPECT_EQ(now.groups[0].flavors[0].resources[0].nominal, base::Quantity::of(4, base::Unit::one));
  EXPECT_EQ(now.groups[1].flavors[0].resources[0].nominal, base::Quantity());
  EXPECT_EQ(now.groups[1].flavors[0].resources[0].borrowing_limit, base::Quantity::of(3, base::Unit::one));
}

TEST(ExpectedObjects, AreSortedHeldOrOpenAndAtPresentQuotas) {
  base::MemoryFileSystem fs;
  Place place(fs, "cell", How::partition);
  const Plan plan = place.plan({"a"});
  ASSERT_OK(place.cut_over_with(plan, {false, "hold", true}));
  ASSERT_OK(place.cut_over("b", true));
  const std::vector<kueue::Object> objects = expected_objects(place.state());
  ASSERT_EQ(objects.size(), 8U);
  EXPECT_TRUE(std::is_sorted(objects.begin(), objects.end(), [](const kueue::Object& x, const kueue::Object& y) {
    return kueue::key_of(x) < kueue::key_of(y);
  }));
  const kueue::ClusterQueue& a = std::get<kueue::ClusterQueue>(objects[4]);
  const kueue::ClusterQueue& b = std::get<kueue::ClusterQueue>(objects[5]);
  EXPECT_EQ(a.stop_policy, "Hold");
  EXPECT_EQ(a.groups[0].flavors[0].resources[0].nominal, base::Quantity());
  EXPECT_EQ(b.stop_policy, "None");
  EXPECT_EQ(b.groups[0].flavors[0].resources[0].nominal, base::Quantity::of(10, base::Unit::one));
}

TEST(Words, EveryValueHasOneAndComesBack) {
  for (int i = 0; i <= static_cast<int>(TenantState::failed); ++i) {
    const TenantState state = static_cast<TenantState>(i);
    EXPECT_EQ(of_word<TenantState>(word_of(state)), state);
  }
  for (int i = 0; i <= static_cast<int>(kueue::Kind::other); ++i)
    EXPECT_EQ(of_word<kueue::Kind>(word_of(static_cast<kueue::Kind>(i))), static_cast<kueue::Kind>(i));
  for (int i = 0; i <= static_cast<int>(quota::SplitKind::at_end); ++i)
    EXPECT_EQ(of_word<quota::SplitKind>(word_of(static_cast<quota::SplitKind>(i))),
              static_cast<quota::SplitKind>(i));
  for (int i = 0; i <= static_cast<int>(quota::LimitRole::inner); ++i)
    EXPECT_EQ(of_word<quota::LimitRole>(word_of(static_cast<quota::LimitRole>(i))),
              static_cast<quota::LimitRole>(i));
  for (int i = 0; i <= static_cast<int>(base::Unit::mega); ++i)
    EXPECT_EQ(of_word<base::Unit>(word_of(static_cast<base::Unit>(i))), static_cast<base::Unit>(i));
  EXPECT_EQ(of_word<TenantState>("Asleep"), std::nullopt);
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
