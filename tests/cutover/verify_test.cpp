// Each rule of verify, tripped once.
#include <gtest/gtest.h>

#include "migration.h"
#include "support/fault_file_system.h"
#include "support/result.h"
#include "verify.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

class VerifyTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(place_.cut_over("a", true)); }
  // "V-SUM error root: message" of everything found, one a line.
  std::string found() {
    base::SourceFiles files;
    base::Findings findings;
    const base::Status status = verify(place_.context(), files, findings);
    if (!status.ok()) return testing::describe(status);
    std::string all;
    for (const base::FoldedFinding& finding : findings.sorted())
      for (const base::FoldedFinding::Instance& one : finding.instances)
        if (finding.rule.starts_with("V-"))
          all +=
              finding.rule + " " + to_string(finding.severity) + " " + one.subject + ": " + finding.message + "\n";
    return all;
  }
  std::string& file(const std::string& name) { return fs_.files.at("cell/" + name); }
  void change(const std::string& name, const std::string& from, const std::string& to) {
    std::string& text = file(name);
    ASSERT_NE(text.find(from), std::string::npos) << text;
    text.replace(text.find(from), from.size(), to);
  }
  base::MemoryFileSystem fs_;
  Place place_{fs_, "cell", How::partition};
};

TEST_F(VerifyTest, FindsNothingRightAfterAMove) {
  EXPECT_EQ(found(), "");
}

TEST_F(VerifyTest, SeesAnotherValue) {
  change("tenants/a-object.yaml", "nominalQuota: '20'", "nominalQuota: '21'");
  EXPECT_THAT(found(), HasSubstr("V-DIFFERS error ClusterQueue/a-object: live is 21, promised was 20"));
}

TEST_F(VerifyTest, SeesAnotherTextOfTheSameValueAsAWarningOnly) {
  change("tenants/a-object.yaml", "nominalQuota: '20'", "nominalQuota: 20");
  EXPECT_EQ(found(), "V-EDITED warning tenants/a-object: the file is not as it was written\n");
}

TEST_F(VerifyTest, SeesWhatIsGone) {
  fs_.files.erase("cell/shared/flavor-default.yaml");
  EXPECT_EQ(found(), "V-MISSING error ResourceFlavor/default: a promised object is not there\n");
}

TEST_F(VerifyTest, SeesACircle) {
  change("shared/cohort-cell-x.yaml", "spec:", "spec:\n  parentName: p-object");
  EXPECT_THAT(found(), HasSubstr("V-CYCLE error Cohort/p-object: the Cohort is on or below a circle of parents"));
}

TEST_F(VerifyTest, SeesAnObjectInTwoFiles) {
  fs_.files["cell/copy.yaml"] = file("shared/flavor-default.yaml");
  EXPECT_THAT(found(), HasSubstr("V-TWICE error ResourceFlavor/default: the object stands in two files"));
}

TEST_F(VerifyTest, SeesAFileOfOursThatDoesNotParse) {
  file("shared/flavor-default.yaml") = "{";
  EXPECT_THAT(found(), HasSubstr("V-UNREADABLE error cell/shared/flavor-default.yaml"));
}

TEST_F(VerifyTest, SeesAnObjectWithOurLabelThatBelongsToNobody) {
  fs_.files["cell/tenants/left.yaml"] =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata:\n  name: left\n  labels:\n    "
      "app.kubernetes.io/managed-by: cmb2kueue\n";
  EXPECT_EQ(found(), "V-STRAY warning ResourceFlavor/left: the object belongs to nobody who is enrolled\n");
}

TEST_F(VerifyTest, SaysWhatItCouldNotSee) {
  place_.context().not_observed = {"running work"};
  EXPECT_EQ(found(), "V-NOT-CHECKED note : not checked: running work\n");
}

TEST_F(VerifyTest, SeesBooksThatDoNotSumUp) {
  State state = place_.state();
  state.allotments[{0, 0}].total = 99;
  EXPECT_EQ(wrong_sums(state),
            std::vector<std::string>{"root: Kueue 60, CMB 39 and held 0 do not make the total 100"});
  state.allotments[{0, 0}] = {100, 120, 0};
  EXPECT_EQ(wrong_sums(state).size(), 1U);
  state.allotments = {{{77, 0}, {}}};
  EXPECT_EQ(wrong_sums(state).size(), 1U);
}

TEST_F(VerifyTest, EveryRuleInTheTableIsTrippedHere) {
  std::vector<std::string> ids;
  for (const VerifyRule& rule : verify_rules()) ids.emplace_back(rule.id);
  // V-PREFLIGHT is what plan says of a cutover: tests/cli/several_cells_test.cpp.
  EXPECT_EQ(ids, (std::vector<std::string>{"V-CYCLE", "V-DIFFERS", "V-EDITED", "V-MISSING", "V-NOT-CHECKED",
                                           "V-PREFLIGHT", "V-STRAY", "V-SUM", "V-TWICE", "V-UNREADABLE"}));
}

// Open means open as promised: else the run undoes itself while nothing of the tenant's work is here.
TEST(VerifyBeforeTheSwitch, AMismatchIsUndone) {  // scenario 36
  base::MemoryFileSystem fs;
  testing::FaultFileSystem faulty(fs);
  Place place(faulty, "cell", How::partition);
  bool spoilt = false;
  for (std::size_t call = 1; call < 90; ++call)
    faulty.run_after(call, [&] {
      const auto queue = fs.files.find("cell/tenants/a-object.yaml");
      const bool open = queue != fs.files.end() && queue->second.find("stopPolicy: Hold") == std::string::npos;
      if (!open || spoilt) return;
      spoilt = true;
      fs.files.erase("cell/shared/flavor-default.yaml");
    });
  const base::Status status = place.cut_over("a", false).status();
  EXPECT_TRUE(spoilt);
  EXPECT_THAT(status,
              Fails(ErrorKind::mismatch, HasSubstr("step open: live is not what was promised (1 difference)")));
  EXPECT_THAT(status.message(), HasSubstr("ResourceFlavor/default : a promised object is not there"));
  EXPECT_THAT(status.message(), HasSubstr("what the run had done was undone"));
  EXPECT_EQ(manifests_of(fs, "cell"), "");
}

// After the switch only a person can switch back, so everything stays as it is.
TEST(VerifyAfterTheSwitch, AMismatchLeavesTheTenantSwitched) {
  base::MemoryFileSystem fs;
  Place place(fs, "cell", How::partition);
  const Plan plan = place.plan({"a"});
  ASSERT_OK(place.cut_over("a", false, &plan));
  const std::string flavor = fs.files.at("cell/shared/flavor-default.yaml");
  fs.files.erase("cell/shared/flavor-default.yaml");
  EXPECT_THAT(place.cut_over("a", true, &plan).status(), Fails(ErrorKind::mismatch, HasSubstr("step verify")));
  EXPECT_EQ(place.state().enrolled.at(hash_of("a")).state, TenantState::switched);
  fs.files["cell/shared/flavor-default.yaml"] = flavor;
  ASSERT_OK(place.cut_over("a", true, &plan));
  EXPECT_EQ(place.state().enrolled.at(hash_of("a")).state, TenantState::moved);
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
