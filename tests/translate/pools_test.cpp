// Shared pools, and who is left with nothing.
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TenantBuilder;

constexpr const char* cpu = "default/cpu";

TEST(Pools, AreQuotaOfTheRootThatEverybodyBorrows) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 3}});
  tree.shared("one", {{"cpu", 100}}).shared("two", {{"cpu", 20}, {"memoryMB", 64}});
  const Translated run(tree.model());
  ASSERT_OK(run.status());
  EXPECT_EQ(run.total("", cpu), 120);
  EXPECT_EQ(row(run.cohort(""), "default", "cpu"), "120/-/-");  // a root neither borrows nor lends
  EXPECT_EQ(row(run.queue("a"), "default", "cpu"), "3/-/0");
  EXPECT_EQ(run.out().conservation[0].shared, 120);
  EXPECT_EQ(run.out().conservation[0].nominal, 123);
}

TEST(Pools, StayInTheirCellOrAreDividedOverAll) {
  TenantBuilder tree;
  tree.cells({{"east", 60}, {"west", 40}}).leaf("a");
  tree.shared("all", {{"cpu", 10}}).shared("west only", {{"cpu", 5}});
  tree.model().pools[1].cell = "west";
  const Translated run(tree.model());
  EXPECT_EQ(run.total("", cpu, 0), 6);
  EXPECT_EQ(run.total("", cpu, 1), 9);
  EXPECT_THAT(run.out().conservation[0].per_cell, ElementsAre(6, 9));
}

TEST(Pools, OfAnUnknownCellAreLeftOutAndSaidSo) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.shared("lost", {{"cpu", 5}});
  tree.model().pools[0].cell = "nowhere";
  const Translated run(tree.model());
  ASSERT_OK(run.status());
  EXPECT_THAT(
      run.said("T-POOL-CELL"),
      ElementsAre("error : the shared pool \"lost\" is in the cell \"nowhere\", which the export does not have"));
  EXPECT_EQ(run.out().conservation[0].shared, 0);
}

TEST(Pools, OfReservationsThatNoFlavorClaimsAreSaidToCountAsAnotherOne) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 3}}).pool_of_group("gpu-a100");
  tree.leaf("b").reserve({{"cpu", 3}}).pool_of_group("gpu");
  tree.leaf("c").pool_of_group("elsewhere");  // reserves nothing
  mapping::Mapping mapping = plain_mapping();
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-RESERVATION-POOL"), IsEmpty());  // nobody claims any
  add_flavor(mapping, "fast", "gpu");
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-RESERVATION-POOL"),
              ElementsAre("warning /a: the reservation is held in the resource pool \"gpu-a100\", which no flavor "
                          "claims; it counts as default"));
  mapping::Rule rule = mapping.rules.back();
  rule.match.pool = "gpu-a100";
  mapping.rules.insert(mapping.rules.begin(), rule);
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-RESERVATION-POOL"), IsEmpty());
}

TEST(Pools, GoToTheFlavorThatClaimsThem) {
  TenantBuilder tree;
  tree.leaf("a").pool_of_group("gpu");
  tree.shared("g", {{"gpu", 8}}, "gpu").shared("x", {{"gpu", 1}}, "unclaimed");
  mapping::Mapping mapping = plain_mapping();
  add_flavor(mapping, "fast", "gpu");
  const Translated run(tree.model(), mapping);
  EXPECT_EQ(run.total("", "fast/nvidia.com/gpu"), 8);
  EXPECT_THAT(run.said("T-POOL-FLAVOR"),
              ElementsAre("error : no flavor claims the shared pool \"x\" of resource pool \"unclaimed\""));
}

TEST(Pools, ForMembersOnlyAreALossBecauseEverybodyCanBorrow) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.shared("few", {{"cpu", 5}});
  tree.model().pools[0].all_members = false;
  tree.model().pools[0].members = {0};
  const Translated run(tree.model());
  EXPECT_THAT(run.said("T-POOL-MEMBERS"), ElementsAre(HasSubstr("warning : the shared pool \"few\" has 1 member")));
  for (const LedgerEntry& entry : run.out().ledger)
    if (entry.field == "sharedPools[few]") {
      EXPECT_EQ(entry.loss, model::LossClass::lossy);
    }
}

TEST(Pools, LeftOpenAreAWarningForLookingAndAnErrorForActing) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 1}});
  mapping::Mapping mapping = plain_mapping();
  mapping.shared_pools = mapping::SharedPools::unset;
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-SHARED-POOLS-UNSET"), ElementsAre(HasSubstr("warning : ")));
  EXPECT_THAT(Translated(tree.model(), mapping, Purpose::act).said("T-SHARED-POOLS-UNSET"),
              ElementsAre(HasSubstr("error : the mapping does not say")));
  mapping.shared_pools = mapping::SharedPools::from_export;
  tree.model().pools_given = false;
  EXPECT_THAT(Translated(tree.model(), mapping, Purpose::act).said("T-SHARED-POOLS-UNSET"),
              ElementsAre(HasSubstr("which says nothing about them")));
  mapping.shared_pools = mapping::SharedPools::none;
  EXPECT_THAT(Translated(tree.model(), mapping, Purpose::act).said("T-SHARED-POOLS-UNSET"), IsEmpty());
}

TEST(Pools, TheMappingMayTakeNone) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 1}});
  tree.shared("p", {{"cpu", 9}});
  mapping::Mapping mapping = plain_mapping();
  mapping.shared_pools = mapping::SharedPools::none;
  const Translated run(tree.model(), mapping);
  ASSERT_OK(run.status());
  EXPECT_EQ(run.total("", cpu), 0);
  EXPECT_THAT(run.ledger(), Contains(HasSubstr("C-13 sharedPools[p] *")));
}

TEST(Reach, ALeafWithoutAnythingAboveItIsWarnedAbout) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 1}});
  tree.leaf("fed", "org");
  tree.leaf("starved");
  EXPECT_THAT(Translated(tree.model()).said("T-NOTHING-REACHABLE"), ElementsAre(HasSubstr("warning /starved: ")));
  tree.shared("pool", {{"cpu", 1}});
  EXPECT_THAT(Translated(tree.model()).said("T-NOTHING-REACHABLE"), IsEmpty());
}

TEST(Reach, APoolOfAFlavorTheLeafDoesNotListHelpsNobody) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.leaf("b").pool_of_group("gpu");
  tree.shared("g", {{"gpu", 8}}, "gpu");
  mapping::Mapping mapping = plain_mapping();
  add_flavor(mapping, "fast", "gpu");
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-NOTHING-REACHABLE"),
              ElementsAre(HasSubstr("warning /a: ")));
}

TEST(Reach, OneCellIsEnough) {
  TenantBuilder tree;
  tree.cells({{"east", 50}, {"west", 50}}).leaf("a").percent({{"west", 100}}).reserve({{"cpu", 4}});
  EXPECT_THAT(Translated(tree.model()).said("T-NOTHING-REACHABLE"), IsEmpty());
}

}  // namespace
}  // namespace cmb2kueue::translate
