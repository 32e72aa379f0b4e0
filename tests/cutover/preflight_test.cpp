// What is refused before the first write, and what is not our business to refuse.
#include <gtest/gtest.h>

#include "cmb2kueue/kueue/api.h"
#include "migration.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

constexpr const char* cohort_head = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: ";

class PreflightTest : public ::testing::Test {
 protected:
  // Refused, and not a manifest has changed.
  void refused(const Plan& plan, const std::string& leaf, ErrorKind kind, const std::string& words) {
    const std::string before = manifests_of(fs_, "cell");
    const base::Result<Outcome> outcome = place_.cut_over(leaf, false, &plan);
    EXPECT_THAT(outcome.status(), Fails(kind, HasSubstr(words)));
    EXPECT_EQ(manifests_of(fs_, "cell"), before);
    EXPECT_FALSE(place_.state().enrolled.contains(hash_of(leaf)));
  }
  base::MemoryFileSystem fs_;
  Place place_{fs_, "cell", How::partition};
};

TEST_F(PreflightTest, APlanIsStaleWhenWhatItCountsOnHasMoved) {
  const Plan plan = place_.plan({"a"});
  fs_.files["cell/shared/flavor-default.yaml"] = "# appeared since\n";
  refused(plan, "a", ErrorKind::stale, "shared/flavor-default exists now");
}

TEST_F(PreflightTest, AnUnrelatedMoveOfTheHeadDoesNotMakeAPlanStale) {
  const Plan plan = place_.plan({"a"});
  ASSERT_OK(place_.cut_over("b", true));
  ASSERT_OK(place_.cut_over("a", false, &plan));
}

TEST_F(PreflightTest, APlanForAnotherTargetIsRefused) {
  base::MemoryFileSystem other_fs;
  Place other(other_fs, "cell", How::partition);
  ASSERT_OK(other.cut_over("b", true));
  ASSERT_OK(other.roll_back("b"));
  refused(other.plan({"a"}), "a", ErrorKind::stale, "of a journal that this is not");
}

TEST_F(PreflightTest, TheTreeOfEnrolledTenantsIsNotChangedByACutover) {
  ASSERT_OK(place_.cut_over("b", true));
  Plan plan = place_.plan({"a"});
  plan.cells[0].tree.nodes[1].total[0].count += 1;
  seal(plan);
  refused(plan, "a", ErrorKind::stale, "the tenant tree or its reservations");
  plan = place_.plan({"a"});
  plan.inputs.preset = "lend";
  seal(plan);
  refused(plan, "a", ErrorKind::stale, "the preset was parity, the plan says lend");
  plan = place_.plan({"a"});
  plan.cells[0].shared[0].object = [] {
    kueue::ResourceFlavor flavor;
    flavor.meta.name = "default";
    flavor.node_labels = {{"pool", "new"}};
    return flavor;
  }();
  seal(plan);
  refused(plan, "a", ErrorKind::stale, "ResourceFlavor/default is not what enrolled tenants moved with");
}

TEST_F(PreflightTest, EveryPartTheTenantNeedsMustBeGivenAndFit) {
  Plan plan = place_.plan({"a"});
  std::erase_if(plan.cells[0].partition, [](const quota::FixedPart& part) { return part.node == 1; });
  plan.cells[0].partition[0].kueue = 101;
  plan.cells[0].partition[1].kueue = 19;
  seal(plan);
  refused(plan, "a", ErrorKind::input, "p default/cpu: no part is given (of 10)");
  refused(plan, "a", ErrorKind::input, "root default/cpu: the part 101 is not between 0 and the total 100");
  refused(plan, "a", ErrorKind::input, "a default/cpu: the part 19 is not its whole reservation 20");
  EXPECT_THAT(place_.cut_over("a", false, &plan).status().advice(), HasSubstr("--propose-partition"));
}

TEST_F(PreflightTest, APartInUseMayGrowButNotShrink) {
  ASSERT_OK(place_.cut_over("b", true));
  Plan plan = place_.plan({"a"});
  plan.cells[0].partition[0].kueue = 59;
  seal(plan);
  refused(plan, "a", ErrorKind::input, "root default/cpu: Kueue has 60 in use, the part is 59");
  plan.cells[0].partition[0].kueue = 70;
  seal(plan);
  ASSERT_OK(place_.cut_over("a", true, &plan));
  EXPECT_EQ(place_.state().allotments.at({0, 0}), (Allotment{100, 70, 0}));
}

TEST_F(PreflightTest, TwoTenantsNeverShareAName) {
  ASSERT_OK(place_.cut_over("b", true));
  Plan plan = place_.plan({"a"});
  plan.cells[0].tenants[0].object = "b-object";
  seal(plan);
  refused(plan, "a", ErrorKind::conflict, "b has the name \"b-object\" already");
}

TEST_F(PreflightTest, ACircleAboveTheTenantIsRefusedOneElsewhereIsNot) {  // scenarios 36, 38
  fs_.files["cell/x.yaml"] =
      std::string(cohort_head) + "x}\nspec: {parentName: y}\n---\n" + cohort_head + "y}\nspec: {parentName: x}\n";
  ASSERT_OK(place_.cut_over("b", false));
  fs_.files["cell/shared/cohort-p-object.yaml"].clear();
  ASSERT_OK(place_.roll_back("b"));
  Plan plan = place_.plan({"a"});
  std::get<kueue::Cohort>(plan.cells[0].shared[2].object).parent = "p-object";
  seal(plan);
  refused(plan, "a", ErrorKind::conflict, "would be their own ancestors");
}

TEST_F(PreflightTest, AFlavorThatIsNowhereIsNamed) {
  Plan plan = place_.plan({"a"});
  std::erase_if(plan.cells[0].shared,
                [](const PlannedShared& one) { return one.bundle == "shared/flavor-default"; });
  seal(plan);
  refused(plan, "a", ErrorKind::conflict, "flavors are missing:\n    default");
}

TEST_F(PreflightTest, OthersMayKeepWhatIsNoManifest) {
  fs_.files["cell/chart/templates/q.yaml"] = "{{ if .Values.x }}\na: {{ .y }}\n{{ end }}\n";
  const base::Result<Outcome> outcome = place_.cut_over("a", false);
  ASSERT_OK(outcome);
  EXPECT_THAT(told(outcome.value()),
              HasSubstr("preflight skipped: not checked: 1 file of others cannot be parsed"));
}

TEST_F(PreflightTest, AFileOfOursThatCannotBeReadStopsEverything) {
  fs_.files["cell/shared/cohort-z.yaml"] = "a: [";
  refused(place_.plan({"a"}), "a", ErrorKind::conflict, "cohort-z.yaml");
}

TEST_F(PreflightTest, ACohortThatCarriesCapacityIsNotAdopted) {
  Plan plan = place_.plan({"a"});
  fs_.files["cell/mine.yaml"] = kueue::to_yaml(plan.cells[0].shared[3].object);
  refused(plan, "a", ErrorKind::conflict, "Cohort/p-object exists in cell/mine.yaml and carries capacity");
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
