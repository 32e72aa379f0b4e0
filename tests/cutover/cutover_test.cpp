// One tenant there and back: states, journal, lock, drift, plans used once, and what is refused.
#include "cmb2kueue/cutover/cutover.h"

#include <gtest/gtest.h>

#include "migration.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

class CutoverTest : public ::testing::Test {
 protected:
  base::MemoryFileSystem fs_;
  Place place_{fs_, "cell", How::partition};
  std::string queue_file() const { return "cell/tenants/a-object.yaml"; }
};

TEST_F(CutoverTest, StopsOpenAndGoesOnWithTheOperatorsWord) {
  const Plan plan = place_.plan({"a"});
  const base::Result<Outcome> open = place_.cut_over("a", false, &plan);
  ASSERT_OK(open);
  EXPECT_EQ(open->state, TenantState::open);
  ASSERT_FALSE(open->next.empty());
  EXPECT_THAT(open->next[0], HasSubstr("switch \"a\" at CMB"));
  EXPECT_THAT(fs_.files.at(queue_file()), HasSubstr("stopPolicy: None"));
  const base::Result<Outcome> again = place_.cut_over("a", false, &plan);
  ASSERT_OK(again);
  EXPECT_EQ(again->state, TenantState::open);
  const base::Result<Outcome> moved = place_.cut_over("a", true, &plan);
  ASSERT_OK(moved);
  EXPECT_EQ(moved->state, TenantState::moved);
}

TEST_F(CutoverTest, RollbackReturnsAnExistingFileByteForByte) {
  const std::string theirs = "# mine,   oddly  spaced\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n";
  fs_.files[queue_file()] = theirs;
  ASSERT_OK(place_.cut_over("a", true));
  EXPECT_NE(fs_.files.at(queue_file()), theirs);
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_EQ(fs_.files.at(queue_file()), theirs);
  EXPECT_EQ(manifests_of(fs_, "cell"), "tenants/a-object.yaml\n" + theirs);
}

TEST_F(CutoverTest, RollbackOfSwitchedWorkNeedsTheOperatorsWord) {
  ASSERT_OK(place_.cut_over("a", true));
  EXPECT_THAT(place_.roll_back("a", false).status(), Fails(ErrorKind::usage, HasSubstr("goes to Kueue")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::moved);
  ASSERT_OK(place_.roll_back("a", true));
  EXPECT_TRUE(place_.state().enrolled.empty());
  EXPECT_THAT(place_.roll_back("a").status(), Fails(ErrorKind::not_found, HasSubstr("hash-a")));
}

TEST_F(CutoverTest, APlanIsUsedOnceAlsoWhereNothingExistedBefore) {  // scenario 16
  const Plan plan = place_.plan({"a"});
  ASSERT_OK(place_.cut_over("a", false, &plan));
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_THAT(place_.cut_over("a", false, &plan).status(), Fails(ErrorKind::stale, HasSubstr("has been used")));
  ASSERT_OK(place_.cut_over("a", false));
}

TEST_F(CutoverTest, AForeignObjectOfTheSameNameIsAConflictAndNothingIsWritten) {
  fs_.files["cell/other/q.yaml"] =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: a-object}\nspec: {}\n";
  const std::string before = manifests_of(fs_, "cell");
  EXPECT_THAT(place_.cut_over("a", false).status(),
              Fails(ErrorKind::conflict, HasSubstr("ClusterQueue/a-object exists in cell/other/q.yaml")));
  EXPECT_EQ(manifests_of(fs_, "cell"), before);
}

TEST_F(CutoverTest, AnEqualForeignFlavorIsAdoptedAndNeverTouched) {
  const std::string theirs =
      "# theirs\nkind: ResourceFlavor\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: default}\n";
  fs_.files["cell/other/f.yaml"] = theirs;
  ASSERT_OK(place_.cut_over("a", true));
  EXPECT_TRUE(place_.state().shared.at({kueue::Kind::resource_flavor, "", "default"}).adopted);
  EXPECT_FALSE(fs_.files.contains("cell/shared/flavor-default.yaml"));
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_EQ(manifests_of(fs_, "cell"), "other/f.yaml\n" + theirs);
}

TEST_F(CutoverTest, ADifferingForeignFlavorIsRefusedAndWhatWasDoneIsUndone) {
  fs_.files["cell/other/f.yaml"] =
      "kind: ResourceFlavor\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: default}\nspec: {nodeLabels: {a: "
      "b}}\n";
  const std::string before = manifests_of(fs_, "cell");
  const base::Result<Outcome> outcome = place_.cut_over("a", false);
  EXPECT_THAT(outcome.status(), Fails(ErrorKind::conflict, HasSubstr("is not what the mapping wants")));
  EXPECT_THAT(outcome.status().message(), HasSubstr("what the run had done was undone"));
  EXPECT_EQ(manifests_of(fs_, "cell"), before);
  EXPECT_TRUE(place_.state().enrolled.empty());
  EXPECT_FALSE(fs_.files.contains("cell/.cmb2kueue/lock"));  // scenario 15
}

TEST_F(CutoverTest, DriftStopsACutoverButNeverARollback) {
  const Plan plan = place_.plan({"a"});
  ASSERT_OK(place_.cut_over("a", false, &plan));
  fs_.files[queue_file()] += "# edited by hand\n";
  EXPECT_THAT(place_.cut_over("a", true, &plan).status(),
              Fails(ErrorKind::conflict, HasSubstr("changed by somebody else")));
  const base::Result<Outcome> back = place_.roll_back("a");
  ASSERT_OK(back);
  EXPECT_THAT(back->events[1].what, HasSubstr("was changed by somebody else; that text is kept"));
  EXPECT_EQ(manifests_of(fs_, "cell"), "");
  bool kept = false;
  for (const auto& [name, text] : fs_.files)
    kept |= name.find("/foreign-") != std::string::npos && text.find("# edited by hand") != std::string::npos;
  EXPECT_TRUE(kept);
}

TEST_F(CutoverTest, WithoutAPartitionNobodyKnowsWhatCmbKeepsFree) {
  place_.context().other_side = nullptr;
  base::MemoryFileSystem fs;
  Place place(fs, "cell", How::by_reservation);
  place.context().other_side = nullptr;
  EXPECT_THAT(place.cut_over("a", false).status(),
              Fails(ErrorKind::input, HasSubstr("what capacity CMB keeps free")));
}

TEST_F(CutoverTest, CompleteDropsTheSnapshotAndRefusesBefore) {
  const Plan plan = place_.plan({"a"});
  ASSERT_OK(place_.cut_over("a", false, &plan));
  EXPECT_THAT(place_.cut_over("a", false).status(), Fails(ErrorKind::conflict, HasSubstr("by another plan")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::open);  // not undone by the stranger
  EXPECT_THAT(complete(place_.context(), hash_of("a")).status(),
              Fails(ErrorKind::usage, HasSubstr("is Open, not Moved")));
  ASSERT_OK(place_.cut_over("a", true, &plan));
  ASSERT_OK(complete(place_.context(), hash_of("a")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::completed);
  for (const auto& [name, text] : fs_.files) EXPECT_EQ(name.find("/before/"), std::string::npos) << name;
}

TEST_F(CutoverTest, AbortUndoesAnUnfinishedRunOnly) {
  ASSERT_OK(place_.cut_over("a", false));
  ASSERT_OK(abort_run(place_.context(), hash_of("a")));
  EXPECT_EQ(manifests_of(fs_, "cell"), "");
  ASSERT_OK(place_.cut_over("a", true));
  EXPECT_THAT(abort_run(place_.context(), hash_of("a")).status(),
              Fails(ErrorKind::usage, HasSubstr("its work goes to Kueue")));
}

TEST_F(CutoverTest, ADryRunWritesNothing) {
  place_.context().dry_run = true;
  const base::Result<Outcome> outcome = place_.cut_over("a", false);
  ASSERT_OK(outcome);
  EXPECT_GE(outcome->events.size(), 5U);
  EXPECT_TRUE(fs_.files.empty());
}

TEST_F(CutoverTest, AHoldStopsBehindItsStep) {
  const Plan plan = place_.plan({"a"});
  const base::Result<Outcome> outcome =
      cutover::cut_over(place_.context(), plan, plan.cells[0], plan.cells[0].tenants[0], {false, "hold", true});
  ASSERT_OK(outcome);
  EXPECT_EQ(outcome->state, TenantState::held);
  EXPECT_THAT(fs_.files.at(queue_file()), HasSubstr("stopPolicy: Hold"));
}

TEST_F(CutoverTest, TheWordThatCmbWasSwitchedCountsOnlyOnceTheQueueIsOpen) {
  const Plan plan = place_.plan({"a"});
  const auto run = [&](bool switched, const char* hold) {
    return cutover::cut_over(place_.context(), plan, plan.cells[0], plan.cells[0].tenants[0],
                             {switched, hold, true});
  };
  EXPECT_THAT(run(true, "").status(),
              Fails(ErrorKind::usage, HasSubstr("a is NotEnrolled: its queue takes no work")));
  EXPECT_TRUE(place_.state().enrolled.empty());
  ASSERT_OK(run(false, "hold"));
  EXPECT_THAT(run(true, "").status(), Fails(ErrorKind::usage, HasSubstr("a is Held")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::held);  // not undone either
  ASSERT_OK(run(false, ""));
  ASSERT_OK(run(true, ""));
}

TEST_F(CutoverTest, AHoldOnATenantThatHasMovedHoldsNothing) {
  ASSERT_OK(place_.cut_over("a", true));
  const base::Result<std::optional<Plan>> kept = kept_plan(place_.context(), hash_of("a"));
  ASSERT_OK(kept);
  const base::Result<Outcome> again = place_.cut_over_with(*kept.value(), {true, "capacity", true});
  ASSERT_OK(again);
  EXPECT_THAT(told(again.value()), HasSubstr("capacity skipped: the tenant is past this step"));
}

TEST_F(CutoverTest, ObjectionsAreWhatACutoverWouldRefuse) {
  Plan plan = place_.plan({"a", "b"});
  base::Result<std::vector<Objection>> found = objections(place_.context(), plan, plan.cells[0]);
  ASSERT_OK(found);
  EXPECT_TRUE(found->empty());
  plan.inputs.partitioned = false;
  found = objections(place_.context(), plan, plan.cells[0]);
  ASSERT_OK(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found.value()[0].tenant, "a");
  EXPECT_THAT(found.value()[1].status, Fails(ErrorKind::input, HasSubstr("what capacity CMB keeps free")));
  EXPECT_TRUE(fs_.files.empty()) << "nothing is written and no lock is taken";
}

TEST_F(CutoverTest, AHoldAlsoHoldsARunThatHasGoneFurther) {  // scenario 33
  const Plan plan = place_.plan({"a"});
  ASSERT_OK(place_.cut_over_with(plan, {}));
  const base::Result<Outcome> held = place_.cut_over_with(plan, {true, "hold", true});
  ASSERT_OK(held);
  EXPECT_EQ(held->state, TenantState::open);
  EXPECT_THAT(told(held.value()), HasSubstr("hold needs: held after this step as asked"));
  EXPECT_THAT(place_.cut_over_with(plan, {true, "hodl", true}).status(),
              Fails(ErrorKind::usage, HasSubstr("no step \"hodl\", did you mean \"hold\"?")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::open);
}

TEST_F(CutoverTest, AStopIsResumableAndUndoesNothing) {
  const Plan plan = place_.plan({"a"});
  int stop = 0;
  place_.context().stop = &stop;
  place_.context().progress = [&](const Event& event) { stop = event.step == "hold" ? 1 : stop; };
  EXPECT_THAT(place_.cut_over_with(plan, {}).status(),
              Fails(ErrorKind::interrupted, HasSubstr("stopped before the step capacity")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::held);
  EXPECT_FALSE(fs_.files.contains("cell/.cmb2kueue/lock"));
  place_.context().stop = nullptr;
  ASSERT_OK(place_.cut_over_with(plan, {}));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::open);
}

TEST_F(CutoverTest, OnFailureHoldLeavesWhatWasDone) {
  fs_.files["cell/other/f.yaml"] =
      "kind: ResourceFlavor\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: default}\nspec: {nodeLabels: {a: "
      "b}}\n";
  const Plan plan = place_.plan({"a"});
  EXPECT_THAT(place_.cut_over_with(plan, {false, "", false}).status(),
              Fails(ErrorKind::conflict, HasSubstr("is not what the mapping wants")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::preparing);
  fs_.files.erase("cell/other/f.yaml");
  ASSERT_OK(place_.cut_over_with(plan, {}));
}

TEST_F(CutoverTest, PartsAreHeldUntilTheirFirstUserOpens) {
  const Plan plan = place_.plan({"a"});
  ASSERT_OK(place_.cut_over_with(plan, {false, "hold", true}));
  EXPECT_EQ(place_.state().allotments.at({0, 0}), (Allotment{100, 0, 60}));
  ASSERT_OK(place_.cut_over_with(plan, {}));
  EXPECT_EQ(place_.state().allotments.at({0, 0}), (Allotment{100, 60, 0}));
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_EQ(place_.state().allotments.at({0, 0}), (Allotment{100, 0, 60}));
}

TEST_F(CutoverTest, NextSaysWhatToDoWordForWord) {
  Plan plan = place_.plan({"a"});
  plan.cells[0].target = "dir:cell";
  seal(plan);
  const base::Result<Outcome> open = place_.cut_over_with(plan, {});
  ASSERT_OK(open);
  EXPECT_EQ(
      open->next,
      (std::vector<std::string>{
          "switch \"a\" at CMB so that its new work goes to the LocalQueue a-object",
          "then: cutover \"a\" --switched --reason '...' --target dir:cell (with the same -e and -m, or --plan)",
          "or back: rollback \"a\" --target dir:cell"}));
}

TEST_F(CutoverTest, VerifySeesWhatIsNotAsPromised) {
  ASSERT_OK(place_.cut_over("a", true));
  base::SourceFiles files;
  base::Findings clean, dirty;
  ASSERT_OK(verify(place_.context(), files, clean));
  EXPECT_EQ(clean.count(base::Severity::warning), 0U);
  std::string& text = fs_.files.at("cell/shared/cohort-p-object.yaml");
  text.replace(text.find("nominalQuota: '6'"), 17, "nominalQuota: '7'");
  fs_.files.erase("cell/shared/flavor-default.yaml");
  ASSERT_OK(verify(place_.context(), files, dirty));
  std::string rules;
  for (const base::FoldedFinding& finding : dirty.sorted()) rules += finding.rule + " ";
  EXPECT_EQ(rules, "V-DIFFERS V-MISSING V-EDITED ");
}

TEST_F(CutoverTest, HistoryTellsWhoDidWhatAndWhy) {
  place_.context().reason = "a quiet Sunday";
  ASSERT_OK(place_.cut_over("a", true));
  const base::Result<std::vector<HistoryEntry>> entries = history(place_.context());
  ASSERT_OK(entries);
  ASSERT_GT(entries->size(), 10U);
  for (std::size_t i = 0; i < entries->size(); ++i) EXPECT_EQ(entries.value()[i].seq, i + 1);
  EXPECT_EQ(entries->back().reason, "a quiet Sunday");
  EXPECT_EQ(entries->back().time, "2026-03-01T00:00:00Z");
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
