// Decisions that hold more than meant, and questions nobody has answered.
#include <set>

#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TenantBuilder;

model::Model shared_tree() {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 10}}).limit(5);
  tree.leaf("a", "org").reserve({{"cpu", 4}});
  tree.shared("pool", {{"cpu", 100}});
  return tree.model();
}

TEST(Policies, StrictFifoWithoutReclaimHoldsSharedCapacity) {
  TenantBuilder tree;
  tree.leaf("a").pool_of_group("gpu");
  tree.leaf("b");
  mapping::Mapping mapping = plain_mapping();
  add_flavor(mapping, "fast", "gpu");
  mapping.rules[0].queueing_strategy = "StrictFIFO";
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(run.said("T-FIFO-HOLDS"), ElementsAre(HasSubstr("warning /a: StrictFIFO without reclaim")));
  EXPECT_EQ(run.queue("a").queueing_strategy, "StrictFIFO");
  EXPECT_EQ(run.queue("b").queueing_strategy, "BestEffortFIFO");
  mapping.queueing_strategy = "StrictFIFO";
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-FIFO-HOLDS"), SizeIs(2));
  mapping.preset = mapping::Preset::lend;
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-FIFO-HOLDS"), IsEmpty());
}

TEST(Policies, OpenSplitsAreNamed) {
  mapping::Mapping mapping = plain_mapping();
  mapping.split_internal.kind = mapping.split_limit.kind = mapping::SplitKind::unset;
  EXPECT_THAT(Translated(shared_tree(), mapping).said("T-SPLIT-UNSET"),
              ElementsAre("warning : the mapping does not say how shared capacity is divided while tenants move: "
                          "split.internal, split.limit"));
  EXPECT_THAT(Translated(shared_tree(), mapping, Purpose::act).said("T-SPLIT-UNSET"),
              ElementsAre(HasSubstr("error : ")));
}

TEST(Policies, WhereNothingIsSharedLookingAsksForNoSplit) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 4}});
  mapping::Mapping mapping = plain_mapping();
  mapping.split_internal = mapping.split_pool = mapping.split_limit = {};
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-SPLIT-UNSET"), IsEmpty());
  EXPECT_THAT(Translated(tree.model(), mapping, Purpose::act).said("T-SPLIT-UNSET"), SizeIs(1));
}

TEST(Policies, APartitionStandsForTheSplits) {
  mapping::Mapping mapping = plain_mapping();
  mapping.split_internal = mapping.split_pool = mapping.split_limit = {};
  mapping.partition.emplace();
  EXPECT_THAT(Translated(shared_tree(), mapping, Purpose::act).said("T-SPLIT-UNSET"), IsEmpty());
  ASSERT_OK(split_rules(mapping));
  EXPECT_THAT(quota::check_splits(split_rules(mapping).value()), IsEmpty());
}

TEST(Policies, SplitRulesAreTheMappings) {
  mapping::Mapping mapping = plain_mapping();
  mapping.split_internal = {mapping::SplitKind::percent, 30};
  mapping.split_pool = {mapping::SplitKind::at_end, 0};
  mapping.split_limit = {mapping::SplitKind::by_moved_weight, 0};
  mapping.split_minimum = 3;
  mapping.primary_resource = "memory";
  const base::Result<quota::SplitRules> rules = split_rules(mapping);
  ASSERT_OK(rules);
  EXPECT_EQ(rules->internal.kind, quota::SplitKind::percent);
  EXPECT_EQ(rules->internal.percent, 30U);
  EXPECT_EQ(rules->pool.kind, quota::SplitKind::at_end);
  EXPECT_EQ(rules->limit.kind, quota::SplitKind::by_moved_weight);
  EXPECT_EQ(rules->minimum, 3);
  EXPECT_EQ(rules->primary_resource, "memory");
  mapping.split_pool = mapping.split_limit = {};
  EXPECT_THAT(split_rules(mapping).status(),
              testing::Fails(base::ErrorKind::input, HasSubstr("split.pool, split.limit")));
}

TEST(Policies, EveryFindingHasARuleOfTheTable) {
  std::set<std::string> ids;
  std::string last;
  for (const TranslateRule& rule : translate_rules()) {
    EXPECT_TRUE(ids.insert(std::string(rule.id)).second) << rule.id;
    EXPECT_FALSE(rule.summary.empty()) << rule.id;
  }
  mapping::Mapping mapping = plain_mapping();
  mapping.split_pool = {};
  mapping.semantics = mapping::ReservationSemantics::unset;
  for (const base::FoldedFinding& finding : Translated(shared_tree(), mapping).findings().sorted())
    EXPECT_TRUE(ids.contains(finding.rule)) << finding.rule;
}

}  // namespace
}  // namespace cmb2kueue::translate
