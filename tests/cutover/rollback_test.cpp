// Bringing back from every place a cutover can stop at, without taking anything of anybody else's along.
#include <gtest/gtest.h>

#include <cstring>

#include "migration.h"
#include "support/fault_file_system.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::Not;

class RollbackTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.files["cell/theirs.yaml"] = "# not ours\n";
    before_ = manifests_of(fs_, "cell");
  }
  base::MemoryFileSystem fs_;
  Place place_{fs_, "cell", How::partition};
  std::string before_;
  std::string queue_file_ = "cell/tenants/a-object.yaml";
  std::string lock_file_ = "cell/.cmb2kueue/lock";
};

TEST_F(RollbackTest, FromBehindEveryStepEndsWhereItBegan) {
  for (const StepInfo& step : steps()) {
    const Plan plan = place_.plan({"a"});
    ASSERT_OK(place_.cut_over_with(plan, {true, std::string(step.name), true}));
    const base::Result<Outcome> back = place_.roll_back("a");
    EXPECT_TRUE(back.ok() || step.name == "preflight") << testing::describe(back.status());
    EXPECT_EQ(manifests_of(fs_, "cell"), before_) << "held after " << step.name;
    expect_sums(place_.state());
  }
}

TEST_F(RollbackTest, WalksTheStepsUpwards) {
  ASSERT_OK(place_.cut_over("a", true));
  place_.context().not_observed = {"running work"};
  const base::Result<Outcome> back = place_.roll_back("a");
  ASSERT_OK(back);
  EXPECT_EQ(back->state, TenantState::rolled_back);
  EXPECT_TRUE(back->differs.empty());
  EXPECT_EQ(told(back.value()),
            "switch-back done: recorded that CMB takes this tenant's work again: intake is restored\n"
            "hold done: the ClusterQueue is on Hold\n"
            "give-back done: the capacity is no longer Kueue's\n"
            "give-back skipped: not observed: running work\n"
            "restore undone: the tenant's own objects, which did not exist before, are gone\n"
            "shared undone: shared objects are what those who stay need\n");
}

TEST_F(RollbackTest, WithoutTheWordNothingIsTouchedNotEvenALock) {
  ASSERT_OK(place_.cut_over("a", true));
  const std::string lock = lock_of(base::this_process());
  fs_.files[lock_file_] = lock;
  EXPECT_THAT(place_.roll_back("a", false).status(), Fails(ErrorKind::usage, HasSubstr("goes to Kueue")));
  EXPECT_EQ(fs_.files.at(lock_file_), lock);
}

TEST_F(RollbackTest, OfACompletedTenantIsRefusedBeforeAnythingIsDone) {
  ASSERT_OK(place_.cut_over("a", true));
  ASSERT_OK(complete(place_.context(), hash_of("a")));
  const base::MemoryFileSystem then = fs_;
  EXPECT_THAT(place_.roll_back("a").status(), Fails(ErrorKind::conflict, HasSubstr("was dropped by complete")));
  EXPECT_EQ(fs_.files, then.files);
}

TEST_F(RollbackTest, LeavesAFileAloneThatWeNeverWrote) {
  const Plan plan = place_.plan({"a"});
  ASSERT_OK(place_.cut_over_with(plan, {false, "snapshot", true}));
  fs_.files[queue_file_] = "# made since, by somebody else\n";
  const base::Result<Outcome> back = place_.roll_back("a");
  ASSERT_OK(back);
  EXPECT_EQ(fs_.files.at(queue_file_), "# made since, by somebody else\n");
  EXPECT_THAT(told(back.value()), Not(HasSubstr("drift")));
}

TEST_F(RollbackTest, AFileMadeInTheLastMomentStopsTheCutoverAndSurvivesTheUndoing) {
  testing::FaultFileSystem faulty(fs_);
  Place place(faulty, "cell", How::partition);
  const std::string file = "cell/shared/flavor-default.yaml";
  const Plan plan = place.plan({"a"});
  ASSERT_OK(place.cut_over_with(plan, {false, "snapshot", true}));
  faulty.reset();
  // Lock, head, shared, intent, and then the write itself finds the file there.
  for (std::size_t call = 1; call < 12; ++call)
    faulty.run_before(call, [&, call] {
      if (faulty.calls()[call - 1] == "create " + file) fs_.files[file] = "# theirs\n";
    });
  EXPECT_THAT(place.cut_over("a", false, &plan).status(),
              Fails(ErrorKind::conflict, HasSubstr("what the run had done was undone")));
  EXPECT_EQ(fs_.files.at(file), "# theirs\n");
  fs_.files.erase(file);
  EXPECT_EQ(manifests_of(fs_, "cell"), before_);
}

TEST_F(RollbackTest, KeepsEveryForeignEditAndSaysSo) {
  ASSERT_OK(place_.cut_over("a", true));
  fs_.files[queue_file_] = "# edited queue\n";
  fs_.files["cell/shared/cohort-p-object.yaml"] = "# edited cohort\n";
  fs_.files.erase("cell/shared/flavor-default.yaml");
  const base::Result<Outcome> back = place_.roll_back("a");
  ASSERT_OK(back);
  EXPECT_THAT(told(back.value()), HasSubstr("\"tenants/a-object\" was changed by somebody else"));
  EXPECT_THAT(told(back.value()), HasSubstr("\"shared/cohort-p-object\" was changed by somebody else"));
  EXPECT_THAT(told(back.value()), HasSubstr("\"shared/flavor-default\" was removed by somebody else"));
  EXPECT_EQ(manifests_of(fs_, "cell"), before_);
  std::string kept;
  for (const auto& [name, text] : fs_.files)
    if (name.find("/foreign-") != std::string::npos && name.ends_with(".bytes")) kept += text;
  EXPECT_EQ(kept, "# edited cohort\n# edited queue\n");
}

TEST_F(RollbackTest, ASharedObjectGoesWithItsLastUserOnly) {
  ASSERT_OK(place_.cut_over("a", true));
  ASSERT_OK(place_.cut_over("b", true));
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_TRUE(fs_.files.contains("cell/shared/cohort-p-object.yaml"));
  EXPECT_EQ(place_.state().shared.begin()->second.users, std::vector<std::string>{hash_of("b")});
  base::SourceFiles files;
  base::Findings findings;
  ASSERT_OK(verify(place_.context(), files, findings));
  EXPECT_EQ(findings.count(base::Severity::warning), 0U);
  ASSERT_OK(place_.roll_back("b"));
  EXPECT_EQ(manifests_of(fs_, "cell"), before_);
}

TEST_F(RollbackTest, ANamespaceStaysWhileSomebodyElseLivesInIt) {
  Plan plan = place_.plan({"a"});
  give_namespace(plan, "batch-a");
  ASSERT_OK(place_.cut_over("a", true, &plan));
  fs_.files["cell/other.yaml"] =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: batch-a}\n";
  const base::Result<Outcome> back = place_.roll_back("a");
  ASSERT_OK(back);
  ASSERT_EQ(back->differs.size(), 1U);
  EXPECT_THAT(back->differs[0], HasSubstr("Namespace/batch-a stays"));
  EXPECT_THAT(back->differs[0], HasSubstr("settings in cell/other.yaml lies in it"));
  EXPECT_THAT(fs_.files.at(queue_file_), HasSubstr("kind: Namespace"));
  EXPECT_THAT(fs_.files.at(queue_file_), Not(HasSubstr("ClusterQueue")));
  EXPECT_TRUE(place_.state().enrolled.empty());
  // A later cutover takes it as what was there before.
  Plan again = place_.plan({"a"});
  give_namespace(again, "batch-a");
  ASSERT_OK(place_.cut_over("a", true, &again));
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_THAT(fs_.files.at(queue_file_), HasSubstr("kind: Namespace"));
}

TEST_F(RollbackTest, ANamespaceNobodyElseLivesInGoes) {
  Plan plan = place_.plan({"a"});
  give_namespace(plan, "batch-a");
  ASSERT_OK(place_.cut_over("a", true, &plan));
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_EQ(manifests_of(fs_, "cell"), before_);
}

TEST_F(RollbackTest, AfterPuttingBackAnUnfinishedOneLeavesTheFileToItsOwner) {
  testing::FaultFileSystem faulty(fs_);
  Place place(faulty, "cell", How::partition);
  ASSERT_OK(place.cut_over("a", true));
  faulty.reset();
  for (std::size_t call = 1; call < 60; ++call)
    faulty.run_before(call, [&, call] {
      // Everything fails from the first shared object that is to be removed.
      if (faulty.calls()[call - 1] == "remove cell/shared/cohort-p-object.yaml") faulty.fail_from(1);
    });
  ASSERT_FALSE(place.roll_back("a").ok());
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).step, "restore");
  faulty.reset();
  fs_.files.erase(lock_file_);
  fs_.files[queue_file_] = "# the owner is back\n";
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_EQ(manifests_of(fs_, "cell"), "tenants/a-object.yaml\n# the owner is back\n" + before_);
}

TEST_F(RollbackTest, AStopIsObeyedOnlyOnceIntakeIsRestored) {
  ASSERT_OK(place_.cut_over("a", true));
  const int stop = 1;
  place_.context().stop = &stop;
  EXPECT_THAT(place_.roll_back("a").status(), Fails(ErrorKind::interrupted, HasSubstr("stopped before undoing")));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::draining);
  EXPECT_FALSE(fs_.files.contains(lock_file_));
  place_.context().stop = nullptr;
  ASSERT_OK(place_.roll_back("a", false));  // the word was recorded before
  EXPECT_EQ(manifests_of(fs_, "cell"), before_);
}

TEST_F(RollbackTest, ADryRunForetellsWhatTheRealOneSays) {
  ASSERT_OK(place_.cut_over("a", true));
  ASSERT_OK(place_.cut_over("b", true));
  const auto said = [&](bool dry) {
    place_.context().dry_run = dry;
    const base::Result<Outcome> back = place_.roll_back("a");
    EXPECT_TRUE(back.ok()) << testing::describe(back.status());
    std::string all = back.ok() ? told(back.value()) : "";
    for (const char* phase : {" would:", " done:", " undone:"})
      for (std::size_t at; (at = all.find(phase)) != std::string::npos;) all.replace(at, std::strlen(phase), ":");
    return all;
  };
  const std::string foretold = said(true);
  EXPECT_EQ(foretold, said(false));
  place_.context().dry_run = true;
  const base::Result<Outcome> last = place_.roll_back("b");
  ASSERT_OK(last);
  EXPECT_THAT(told(last.value()), Not(HasSubstr("stays")));
}

TEST_F(RollbackTest, ADryRunSaysWhatItWouldDoAndWritesNothing) {
  ASSERT_OK(place_.cut_over("a", true));
  const base::MemoryFileSystem then = fs_;
  place_.context().dry_run = true;
  const base::Result<Outcome> outcome = place_.roll_back("a");
  ASSERT_OK(outcome);
  EXPECT_EQ(fs_.files, then.files);
  EXPECT_THAT(told(outcome.value()), HasSubstr("restore would: "));
  for (const Event& event : outcome->events) EXPECT_TRUE(event.phase == "would" || event.phase == "skipped");
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
