// Own nominal = reservation less what the nearest descendants reserve of the same pair.
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TenantBuilder;

constexpr const char* cpu = "default/cpu";
constexpr const char* memory = "default/memory";

// org 50 > team (no cpu) > a 20; org > b 10.
TenantBuilder small_tree() {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 50}});
  tree.internal("team", "org").reserve({{"memoryMB", 512}});
  tree.leaf("a", "team").reserve({{"cpu", 2}}, 10);
  tree.leaf("b", "org").reserve({{"cpu", 10}});
  return tree;
}

TEST(Reservations, InclusiveSubtractsWhatIsReservedBelow) {
  const Translated run(small_tree().model());
  ASSERT_OK(run.status());
  EXPECT_EQ(run.total("org", cpu), 20);
  EXPECT_EQ(run.total("team", cpu), 0);
  EXPECT_EQ(run.total("a", cpu), 20);
  EXPECT_EQ(run.total("b", cpu), 10);
}

TEST(Reservations, AnotherResourceOfATenantBetweenHidesNothing) {
  const Translated run(small_tree().model());
  EXPECT_EQ(run.total("team", memory), 512);
  EXPECT_EQ(run.total("org", memory), 0);
  ASSERT_EQ(run.out().conservation.size(), 5U);
  EXPECT_EQ(run.out().conservation[1].reserved, 512);
}

TEST(Reservations, OnlyTheNearestThatReserveThePairAreSubtracted) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 100}});
  tree.internal("dept", "org").reserve({{"cpu", 60}});
  tree.leaf("a", "dept").reserve({{"cpu", 25}});
  const Translated run(tree.model());
  EXPECT_EQ(run.total("org", cpu), 40);
  EXPECT_EQ(run.total("dept", cpu), 35);
  EXPECT_EQ(run.total("a", cpu), 25);
}

TEST(Reservations, ReservingZeroOfAPairClaimsNothing) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 10}});
  tree.internal("dept", "org").reserve({{"cpu", 0}, {"memoryMB", 64}});
  tree.leaf("a", "dept").reserve({{"cpu", 4}});
  const Translated run(tree.model());
  EXPECT_THAT(run.said("T-RESERVATION-OVERCOMMIT"), IsEmpty());
  EXPECT_EQ(run.total("org", cpu), 6);
}

TEST(Reservations, AdditiveKeepsEveryReservation) {
  mapping::Mapping mapping = plain_mapping();
  mapping.semantics = mapping::ReservationSemantics::additive;
  const Translated run(small_tree().model(), mapping);
  ASSERT_OK(run.status());
  EXPECT_EQ(run.total("org", cpu), 50);
  EXPECT_EQ(run.out().conservation[0].reserved, 80);
  EXPECT_EQ(run.out().conservation[0].nominal, 80);
}

TEST(Reservations, OvercommitNamesParentDescendantsAndWhatIsMissing) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 25}, {"memoryMB", 1024}});
  tree.internal("team", "org");
  tree.leaf("a", "team").reserve({{"cpu", 20}});
  tree.leaf("b", "org").reserve({{"cpu", 10}, {"memoryMB", 3072}});
  const Translated run(tree.model());
  ASSERT_OK(run.status());
  EXPECT_THAT(run.said("T-RESERVATION-OVERCOMMIT"),
              ElementsAre("error /org: 30 of default/cpu are reserved below it, 5 more than its own 25: "
                          "/org/team/a 20, /org/b 10",
                          "error /org: 3Gi of default/memory are reserved below it, 2Gi more than its own 1Gi: "
                          "/org/b 3Gi"));
  EXPECT_EQ(run.findings().sorted()[0].instances[0].place.offset, 110U);  // of the reservation
}

TEST(Reservations, AnotherFlavorIsAnotherPair) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 5}});
  tree.leaf("fast", "org").pool_of_group("gpu").reserve({{"cpu", 10}});
  mapping::Mapping mapping = plain_mapping();
  add_flavor(mapping, "fast", "gpu");
  const Translated run(tree.model(), mapping);
  ASSERT_OK(run.status());
  EXPECT_EQ(run.total("org", cpu), 5);
  EXPECT_EQ(run.total("fast", "fast/cpu"), 10);
}

TEST(Reservations, SemanticsLeftOpenIsAWarningForLookingAndAnErrorForActing) {
  mapping::Mapping mapping = plain_mapping();
  mapping.semantics = mapping::ReservationSemantics::unset;
  const Translated look(small_tree().model(), mapping);
  EXPECT_THAT(look.said("T-SEMANTICS-UNSET"), ElementsAre(HasSubstr("warning : the mapping does not say whether")));
  EXPECT_EQ(look.total("org", cpu), 20);
  const Translated act(small_tree().model(), mapping, Purpose::act);
  EXPECT_THAT(act.said("T-SEMANTICS-UNSET"), ElementsAre(HasSubstr("error : ")));
}

TEST(Reservations, YunikornIsInclusiveByNature) {
  TenantBuilder tree = small_tree();
  tree.model().system = "yunikorn";
  mapping::Mapping mapping = plain_mapping();
  mapping.semantics = mapping::ReservationSemantics::unset;
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(run.said("T-SEMANTICS-UNSET"), IsEmpty());
  EXPECT_EQ(run.total("org", cpu), 20);
}

}  // namespace
}  // namespace cmb2kueue::translate
