// Sources with hard maxima and lendable guarantees, as YuniKorn has them.
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TenantBuilder;

TenantBuilder yunikorn() {
  TenantBuilder tree;
  tree.system("yunikorn", {{"vcore", base::Unit::milli}, {"memory", base::Unit::mebi}});
  return tree;
}

mapping::Mapping vcore_mapping() {
  mapping::Mapping mapping = plain_mapping();
  mapping.resources = {{"vcore", "cpu", false, "", {}}, {"memory", "memory", false, "", {}}};
  return mapping;
}

// root > prod (guaranteed 10 cpu, max 20) > { api (4, max 30), batch (max 6) }, dev (no guarantee).
TenantBuilder tree_with_maxima() {
  TenantBuilder tree = yunikorn();
  tree.internal("root");
  tree.internal("prod", "root").reserve({{"vcore", 10000}}).lendable().maximum({{"vcore", 20000}});
  tree.leaf("api", "prod").reserve({{"vcore", 4000}}).lendable().maximum({{"vcore", 30000}});
  tree.leaf("batch", "prod").maximum({{"vcore", 6000}});
  tree.leaf("dev", "root");
  return tree;
}

TEST(Maxima, BorrowingIsWhatTheMaximumLeavesAboveTheSubtree) {
  const Translated run(tree_with_maxima().model(), vcore_mapping());
  ASSERT_OK(run.status());
  EXPECT_EQ(row(run.cohort("prod"), "default", "cpu"), "6/10/-");  // 20 - (6 + 4 below)
  EXPECT_EQ(row(run.queue("api"), "default", "cpu"), "4/26/-");    // above its parent's: no effect, no error
  EXPECT_EQ(row(run.queue("batch"), "default", "cpu"), "0/6/0");
  EXPECT_EQ(row(run.queue("dev"), "default", "cpu"), "0/-/0");
  EXPECT_EQ(row(run.cohort(""), "default", "cpu"), "none");
}

TEST(Maxima, BelowTheGuaranteesAreAnError) {
  TenantBuilder tree = yunikorn();
  tree.internal("root").maximum({{"vcore", 3000}});
  tree.leaf("a", "root").reserve({{"vcore", 4000}});
  const Translated run(tree.model(), vcore_mapping());
  EXPECT_THAT(run.said("T-MAX-BELOW-NOMINAL"),
              ElementsAre("error /root: the maximum 3 of cpu is below the 4 guaranteed in its subtree"));
}

TEST(Maxima, AreDividedOverCellsAndMayRoundBelowAGuarantee) {
  TenantBuilder tree = yunikorn();
  tree.cells({{"a", 50}, {"b", 50}});
  tree.leaf("q").reserve({{"memory", 1}}).maximum({{"memory", 3}});
  const Translated run(tree.model(), vcore_mapping());
  EXPECT_EQ(row(run.queue("q", 0), "default", "memory"), "1Mi/1Mi/0");
  EXPECT_EQ(row(run.queue("q", 1), "default", "memory"), "0/1Mi/0");
  EXPECT_THAT(run.said("T-MAX-BELOW-NOMINAL"), IsEmpty());
}

TEST(Maxima, OfAParentLimitEveryFlavorBelowIt) {
  TenantBuilder tree = yunikorn();
  tree.internal("root").maximum({{"vcore", 9000}});
  tree.leaf("a", "root").pool_of_group("gpu").reserve({{"vcore", 4000}});
  mapping::Mapping mapping = vcore_mapping();
  add_flavor(mapping, "fast", "gpu");
  const Translated run(tree.model(), mapping);
  EXPECT_EQ(row(run.cohort("root"), "fast", "cpu"), "0/5/0");
  EXPECT_EQ(row(run.cohort("root"), "default", "cpu"), "0/9/0");
}

// Lending without taking back would lose the guarantee, so under either preset whoever stands on a lent guarantee
// takes it back, and whoever has none does not.
TEST(Lending, GuaranteesThatTheSourceLendsAreLentAndReclaimed) {
  const Translated run(tree_with_maxima().model(), vcore_mapping());
  EXPECT_EQ(run.queue("api").reclaim_within_cohort, "Any");
  EXPECT_EQ(run.queue("batch").reclaim_within_cohort, "Any");  // the guarantee of prod is lent too
  EXPECT_EQ(run.queue("dev").reclaim_within_cohort, "Never");
  EXPECT_EQ(run.queue("api").within_cluster_queue, "Never");
}

TEST(Lending, AParentWithoutAGuaranteeLetsWhatIsLentPass) {
  TenantBuilder tree = yunikorn();
  tree.internal("root").maximum({{"vcore", 9000}});
  tree.leaf("a", "root").reserve({{"vcore", 4000}}).lendable();
  EXPECT_EQ(row(Translated(tree.model(), vcore_mapping()).cohort("root"), "default", "cpu"), "0/5/-");
}

TEST(Lending, NoObjectLendsWithoutTakingBack) {
  for (const mapping::Preset preset : {mapping::Preset::parity, mapping::Preset::lend}) {
    mapping::Mapping mapping = vcore_mapping();
    mapping.preset = preset;
    const Translated run(tree_with_maxima().model(), mapping);
    for (const char* id : {"api", "batch", "dev"}) {
      const kueue::ClusterQueue queue = run.queue(id);
      kueue::for_each_quota(queue, [&](const std::string&, const kueue::ResourceQuota& one) {
        if (!one.lending_limit && !one.nominal.is_zero()) {
          EXPECT_EQ(queue.reclaim_within_cohort, "Any") << id;
        }
      });
    }
  }
}

TEST(Lending, IsInTheLedger) {
  const Translated run(tree_with_maxima().model(), vcore_mapping());
  EXPECT_THAT(run.ledger(), Contains(::testing::StartsWith("C-09 queue.resources api ")));
}

}  // namespace
}  // namespace cmb2kueue::translate
