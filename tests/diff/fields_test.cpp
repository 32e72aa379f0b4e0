// Every field of every kind counts: changing one is one difference, and only those Kueue does not act upon are
// cosmetic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "cmb2kueue/diff/change_set.h"

namespace cmb2kueue::diff {
namespace {

using ::testing::ElementsAre;

template <class Kind>
using Edit = std::pair<const char*, std::function<void(Kind&)>>;

// Each edit alone must show as one change of a field whose path has these words.
template <class Kind>
void expect_each_seen(const Kind& object, const std::vector<Edit<Kind>>& edits, bool cosmetic = false) {
  for (const auto& [path, edit] : edits) {
    Kind edited = object;
    edit(edited);
    for (const bool forward : {true, false}) {
      const ChangeSet set = forward ? change_set({object}, {edited}) : change_set({edited}, {object});
      ASSERT_EQ(set.changes.size(), 1U) << path;
      EXPECT_EQ(set.changes[0].action, Action::update) << path;
      ASSERT_EQ(set.changes[0].fields.size(), 1U) << path;
      EXPECT_EQ(set.changes[0].fields[0].path, path);
      EXPECT_NE(set.changes[0].fields[0].before, set.changes[0].fields[0].after) << path;
      EXPECT_EQ(set.changes[0].cosmetic(), cosmetic) << path;
      EXPECT_EQ(set.differs(), !cosmetic) << path;
    }
  }
}

kueue::ClusterQueue queue() {
  kueue::ClusterQueue queue;
  queue.meta.name = "q";
  queue.groups = {{{"cpu"}, {{"f", {{"cpu", base::Quantity::of(4, base::Unit::one), {}, {}}}}}}};
  return queue;
}

TEST(Fields, PoliciesOfAClusterQueue) {
  using Q = kueue::ClusterQueue;
  expect_each_seen<Q>(
      queue(),
      {{"spec.cohortName", [](Q& q) { q.cohort = "c"; }},
       {"spec.queueingStrategy", [](Q& q) { q.queueing_strategy = "StrictFIFO"; }},
       {"spec.flavorFungibility.whenCanBorrow", [](Q& q) { q.when_can_borrow = "TryNextFlavor"; }},
       {"spec.flavorFungibility.whenCanPreempt", [](Q& q) { q.when_can_preempt = "MayStopSearch"; }},
       {"spec.flavorFungibility.preference", [](Q& q) { q.flavor_preference = "BorrowingOverPreemption"; }},
       {"spec.preemption.withinClusterQueue", [](Q& q) { q.within_cluster_queue = "LowerPriority"; }},
       {"spec.preemption.reclaimWithinCohort", [](Q& q) { q.reclaim_within_cohort = "Any"; }},
       {"spec.preemption.borrowWithinCohort.policy", [](Q& q) { q.borrow_within_cohort = "LowerPriority"; }},
       {"spec.preemption.borrowWithinCohort.maxPriorityThreshold", [](Q& q) { q.max_priority_threshold = 0; }},
       {"spec.stopPolicy", [](Q& q) { q.stop_policy = "Hold"; }},
       {"spec.fairSharing.weight", [](Q& q) { q.weight = base::Quantity(); }},
       {"spec.admissionScope.admissionMode", [](Q& q) { q.admission_mode = "NoAdmissionFairSharing"; }},
       {"spec.namespaceSelector", [](Q& q) { q.namespace_selector.emplace(); }},
       {"spec.admissionChecksStrategy.admissionChecks[a]", [](Q& q) {
          q.admission_checks = {{"a", {}}};
        }}});
}

TEST(Fields, QuotaRows) {
  using Q = kueue::ClusterQueue;
  const auto row = [](Q& q) -> kueue::ResourceQuota& { return q.groups[0].flavors[0].resources[0]; };
  expect_each_seen<Q>(
      queue(),
      {{"spec.resourceGroups[f/cpu].nominalQuota", [&](Q& q) { row(q).nominal = base::Quantity(); }},
       {"spec.resourceGroups[f/cpu].borrowingLimit", [&](Q& q) { row(q).borrowing_limit = base::Quantity(); }},
       {"spec.resourceGroups[f/cpu].lendingLimit", [&](Q& q) { row(q).lending_limit = base::Quantity(); }}});
}

TEST(Fields, OfTheOtherKinds) {
  kueue::Cohort cohort;
  kueue::LocalQueue local;
  kueue::ResourceFlavor flavor;
  kueue::WorkloadPriorityClass priority;
  expect_each_seen<kueue::Cohort>(cohort, {{"spec.parentName", [](kueue::Cohort& one) { one.parent = "p"; }},
                                           {"spec.fairSharing.weight", [](kueue::Cohort& one) {
                                              one.weight = base::Quantity::of(500, base::Unit::milli);
                                            }}});
  expect_each_seen<kueue::LocalQueue>(
      local, {{"spec.clusterQueue", [](kueue::LocalQueue& one) { one.cluster_queue = "q"; }},
              {"spec.stopPolicy", [](kueue::LocalQueue& one) { one.stop_policy = "Hold"; }},
              {"spec.fairSharing.weight", [](kueue::LocalQueue& one) { one.weight = base::Quantity(); }}});
  using F = kueue::ResourceFlavor;
  expect_each_seen<F>(flavor, {{"spec.nodeLabels[zone]",
                                [](F& one) {
                                  one.node_labels = {{"zone", ""}};
                                }},
                               {"spec.nodeTaints[gpu:NoSchedule]",
                                [](F& one) {
                                  one.taints = {{"gpu", "", "NoSchedule"}};
                                }},
                               {"spec.tolerations[gpu:]",
                                [](F& one) {
                                  one.tolerations = {{"gpu", "", "", "", {}}};
                                }},
                               {"spec.topologyName", [](F& one) { one.topology = "t"; }}});
  expect_each_seen<kueue::WorkloadPriorityClass>(
      priority, {{"value", [](kueue::WorkloadPriorityClass& one) { one.value = 1; }}});
}

TEST(Fields, ThatChangeNothingAreCosmetic) {
  using P = kueue::WorkloadPriorityClass;
  expect_each_seen<P>(P(),
                      {{"metadata.labels[team]",
                        [](P& one) {
                          one.meta.labels = {{"team", ""}};
                        }},
                       {"metadata.annotations[note]",
                        [](P& one) {
                          one.meta.annotations = {{"note", "x"}};
                        }},
                       {"description", [](P& one) { one.description = "urgent"; }}},
                      true);
}

kueue::ResourceFlavor tolerating(std::vector<std::pair<const char*, const char*>> ops_and_values) {
  kueue::ResourceFlavor flavor;
  for (const auto& [op, value] : ops_and_values) flavor.tolerations.push_back({"gpu", op, value, "NoSchedule", {}});
  return flavor;
}

TEST(Fields, EntriesOfOneKeyAreComparedTogetherWhateverTheirOrder) {
  const auto differs = [](const kueue::Object& a, const kueue::Object& b) {
    return change_set({a}, {b}).differs();
  };
  EXPECT_FALSE(differs(tolerating({{"", "a"}, {"Equal", "b"}}), tolerating({{"Equal", "b"}, {"Equal", "a"}})));
  EXPECT_TRUE(differs(tolerating({{"Equal", "a"}, {"Equal", "b"}}), tolerating({{"Equal", "b"}})));
  kueue::ClusterQueue a = queue(), b = queue();
  a.namespace_selector = {{}, {{"team", "NotIn", {"x", "y"}}, {"team", "NotIn", {"z"}}}};
  b.namespace_selector = {{}, {{"team", "NotIn", {"z"}}, {"team", "NotIn", {"y", "x"}}}};
  EXPECT_FALSE(differs(a, b));
  b.namespace_selector->match_expressions.pop_back();
  EXPECT_TRUE(differs(a, b));
  a.namespace_selector.emplace();  // everything
  b.namespace_selector.reset();    // nothing
  EXPECT_TRUE(differs(a, b));
}

kueue::Object named(const char* name, std::int64_t value = 0) {
  kueue::WorkloadPriorityClass priority;
  priority.meta.name = name;
  priority.value = value;
  return priority;
}

TEST(ChangeSet, CountsAndSortsByKey) {
  kueue::Cohort cohort;
  cohort.meta.name = "a";
  const ChangeSet set =
      change_set({named("same"), named("gone"), cohort}, {named("new"), cohort, named("same", 1)});
  std::vector<std::string> lines;
  for (const Change& change : set.changes)
    lines.push_back(std::string(to_string(change.action)) + " " + kueue::to_string(change.key));
  EXPECT_THAT(lines, ElementsAre("remove WorkloadPriorityClass/gone", "create WorkloadPriorityClass/new",
                                 "update WorkloadPriorityClass/same"));
  EXPECT_EQ(set.creates, 1U);
  EXPECT_EQ(set.updates, 1U);
  EXPECT_EQ(set.removes, 1U);
  EXPECT_EQ(set.same, 1U);
  EXPECT_TRUE(set.differs());
  EXPECT_FALSE(change_set({cohort}, {cohort}).differs());
}

TEST(ChangeSet, OfObjectsGivenTwiceTheLastCounts) {
  EXPECT_FALSE(change_set({named("x", 1), named("x", 2)}, {named("x", 2)}).differs());
  EXPECT_EQ(change_set({named("x", 2), named("x", 1)}, {named("x", 2)}).updates, 1U);
}

}  // namespace
}  // namespace cmb2kueue::diff
