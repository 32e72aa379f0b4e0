// Concurrency limits in their three shapes, and weights.
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TenantBuilder;

// outer (limit 10) > { inner (limit 4) > a, b } and c (limit 7); own (limit 3) and free beside it.
TenantBuilder limited_tree() {
  TenantBuilder tree;
  tree.internal("outer").limit(10);
  tree.internal("inner", "outer").limit(4);
  tree.leaf("a", "inner");
  tree.leaf("b", "inner");
  tree.leaf("c", "outer").limit(7);
  tree.leaf("free");
  tree.leaf("own").limit(3);
  return tree;
}

class Limits : public ::testing::TestWithParam<mapping::Preset> {};

TEST_P(Limits, TakeTheirShapeFromWhereTheyStand) {
  mapping::Mapping mapping = plain_mapping();
  mapping.preset = GetParam();
  const Translated run(limited_tree().model(), mapping);
  ASSERT_OK(run.status());
  EXPECT_EQ(row(run.queue("own"), "concurrency", "pods"), "3/0/0");      // (a)
  EXPECT_EQ(row(run.cohort("outer"), "concurrency", "pods"), "10/0/0");  // (b)
  EXPECT_EQ(row(run.cohort("inner"), "concurrency", "pods"), "0/4/-");   // (c), internal
  EXPECT_EQ(row(run.queue("c"), "concurrency", "pods"), "0/7/-");        // (c), leaf
  EXPECT_EQ(row(run.queue("a"), "concurrency", "pods"), "0/-/-");        // unlimited below a limit
  EXPECT_EQ(row(run.queue("free"), "concurrency", "pods"), "none");      // unlimited stays unlimited
}

INSTANTIATE_TEST_SUITE_P(BothPresets, Limits, ::testing::Values(mapping::Preset::parity, mapping::Preset::lend));

TEST(LimitGroups, PodsAreAGroupOfTheirOwnWithAnEmptyFlavor) {
  const Translated run(limited_tree().model());
  const kueue::ClusterQueue queue = run.queue("own");
  ASSERT_THAT(queue.groups, SizeIs(2));
  EXPECT_THAT(queue.groups[1].covered, ElementsAre("pods"));
  EXPECT_EQ(queue.groups[1].flavors[0].flavor, "concurrency");
  EXPECT_THAT(run.queue("free").groups, SizeIs(1));
  for (const kueue::Object& object : run.objects())
    if (const kueue::ResourceFlavor* flavor = std::get_if<kueue::ResourceFlavor>(&object)) {
      EXPECT_THAT(flavor->node_labels, IsEmpty());
    }
}

TEST(LimitGroups, NobodyLimitedMeansNoPodsAnywhere) {
  TenantBuilder tree;
  tree.leaf("a");
  const Translated run(tree.model());
  for (const quota::Column& column : run.out().cells[0].columns) EXPECT_FALSE(column.limit);
}

TEST(LimitGroups, LimitsAreNoCapacity) {
  const Translated run(limited_tree().model());
  for (const Conservation& row : run.out().conservation) EXPECT_NE(row.resource, "pods");
}

TEST(LimitGroups, ASkippedTenantsLimitMakesNoColumn) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.leaf("b").limit(2);
  mapping::Mapping mapping = plain_mapping();
  mapping::Rule skip;
  skip.match.tenant = "b";
  skip.skip = true;
  mapping.rules.insert(mapping.rules.begin(), skip);
  const Translated run(tree.model(), mapping);
  for (const quota::Column& column : run.out().cells[0].columns) EXPECT_FALSE(column.limit);
}

TEST(Weights, AreCarriedAndDefaultToOneWithANote) {
  TenantBuilder tree;
  tree.internal("org").weight(7);
  tree.leaf("given", "org").weight(3);
  tree.leaf("unset", "org");
  tree.leaf("zero", "org").weight(0);
  const Translated run(tree.model());
  EXPECT_EQ(run.queue("given").weight->to_string(), "3");
  EXPECT_EQ(run.cohort("org").weight->to_string(), "7");
  EXPECT_EQ(run.queue("zero").weight->to_string(), "1");
  EXPECT_EQ(run.queue("unset").weight->to_string(), "1");
  EXPECT_FALSE(run.cohort("").weight.has_value());
  EXPECT_THAT(run.said("T-WEIGHT-DEFAULT"), ElementsAre("note /org/unset: the weight is not set and counts as 1",
                                                        "note /org/zero: the weight 0 counts as 1"));
}

TEST(Weights, ZeroIsWrittenOnRequestOnly) {
  TenantBuilder tree;
  tree.leaf("zero").weight(0);
  mapping::Mapping mapping = plain_mapping();
  mapping.zero_weight = mapping::ZeroWeight::starve;
  const Translated run(tree.model(), mapping);
  EXPECT_EQ(run.queue("zero").weight->to_string(), "0");
  EXPECT_THAT(run.said("T-WEIGHT-DEFAULT"), IsEmpty());
}

TEST(Weights, OtherSystemsHaveNoneToMiss) {
  TenantBuilder tree;
  tree.leaf("unset");
  tree.model().system = "yunikorn";
  EXPECT_THAT(Translated(tree.model()).said("T-WEIGHT-DEFAULT"), IsEmpty());
}

}  // namespace
}  // namespace cmb2kueue::translate
