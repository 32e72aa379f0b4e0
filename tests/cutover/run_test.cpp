// The protocol around each write: what is ours, who has taken over, and what a sleeper may still do.
#include "run.h"

#include <gtest/gtest.h>

#include <optional>

#include "migration.h"
#include "support/fault_file_system.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

target::Bundle bundle(const std::string& label) {
  kueue::ResourceFlavor flavor;
  flavor.meta.name = "x";
  flavor.node_labels = {{"a", label}};
  return {"shared/flavor-x", {flavor}};
}

class RunTest : public ::testing::Test {
 protected:
  base::MemoryFileSystem fs_;
  testing::FaultFileSystem faulty_{fs_};
  Place place_{faulty_, "cell", How::partition};
  std::string file_ = "cell/shared/flavor-x.yaml";
};

TEST_F(RunTest, AWriteIsAnnouncedMadeAndAcknowledged) {
  cutover::Run run(place_.context(), "test");
  ASSERT_OK(run.start("r", "t", false));
  const std::uint64_t seq = run.state().head.seq;
  ASSERT_OK(run.write("step", bundle("1"), {}));
  EXPECT_EQ(run.state().head.seq, seq + 2);
  EXPECT_TRUE(run.state().pending.empty());
  EXPECT_EQ(run.state().versions.at("shared/flavor-x"), target::version_of(fs_.files.at(file_)));
  faulty_.reset();
  ASSERT_OK(run.write("step", bundle("1"), {}));  // again: nothing to do, nothing recorded
  EXPECT_TRUE(faulty_.calls().empty());
  const base::Result<std::vector<HistoryEntry>> entries = history(place_.context());
  ASSERT_OK(entries);
  EXPECT_EQ(entries.value()[seq].phase, "intent");
  EXPECT_EQ(entries.value()[seq + 1].phase, "done");
  EXPECT_EQ(entries.value()[seq + 1].object, "shared/flavor-x");
}

TEST_F(RunTest, AnAnnouncedWriteIsRecognisedAndAnEditOfItIsNot) {
  {
    cutover::Run run(place_.context(), "test");
    ASSERT_OK(run.start("r", "t", false));
    faulty_.reset();
    faulty_.fail_before(3);  // intent, write, and then the acknowledgement
    EXPECT_THAT(run.write("step", bundle("1"), {}), Fails(ErrorKind::io, HasSubstr("injected")));
  }
  faulty_.reset();
  const std::string ours = fs_.files.at(file_);
  cutover::Run run(place_.context(), "test");
  ASSERT_OK(run.start("r", "t", false));
  EXPECT_TRUE(run.is_ours(place_.target().capture("shared/flavor-x").value()));
  fs_.files[file_] = ours + "# edited\n";
  EXPECT_FALSE(run.is_ours(place_.target().capture("shared/flavor-x").value()));
  EXPECT_THAT(run.write("step", bundle("2"), {}),
              Fails(ErrorKind::conflict, HasSubstr("was made by somebody else")));
  fs_.files[file_] = ours;
  ASSERT_OK(run.write("step", bundle("2"), {}));
}

// Scenario 14: whoever slept between the announcement and the write while another run took over writes nothing.
TEST_F(RunTest, ASleeperWritesNothingAfterATakeOver) {
  cutover::Run sleeper(place_.context(), "test");
  ASSERT_OK(sleeper.start("r-1", "t", false));
  faulty_.reset();
  faulty_.run_after(1, [&] {  // it has announced the write, and falls asleep
    faulty_.reset();
    cutover::Run other(place_.context(), "rollback");
    EXPECT_TRUE(other.start("r-2", "t", true).ok());
  });
  EXPECT_THAT(sleeper.write("step", bundle("1"), {}),
              Fails(ErrorKind::locked, HasSubstr("another run has taken over")));
  EXPECT_FALSE(fs_.files.contains(file_));
  EXPECT_THAT(sleeper.record("step", {}), Fails(ErrorKind::locked, HasSubstr("another run")));
  EXPECT_THAT(sleeper.reopen(), Fails(ErrorKind::locked, HasSubstr("taken over")));
}

TEST_F(RunTest, WhatASleeperLosesToASecondHolderIsNotReleasedByIt) {
  std::optional<cutover::Run> sleeper(std::in_place, place_.context(), "test");
  ASSERT_OK(sleeper->start("r-1", "t", false));
  cutover::Run other(place_.context(), "rollback");
  ASSERT_OK(other.start("r-2", "t", true));
  EXPECT_EQ(other.outcome.events.size(), 1U);
  sleeper.reset();
  EXPECT_THAT(fs_.files.at("cell/.cmb2kueue/lock"), HasSubstr("r-2"));
}

TEST_F(RunTest, ALockWhoseAnswerWasLostIsTakenBack) {
  faulty_.fail_after(1);
  cutover::Run run(place_.context(), "test");
  EXPECT_THAT(run.start("r", "t", false), Fails(ErrorKind::io, HasSubstr("injected loss")));
  EXPECT_TRUE(fs_.files.empty());
}

TEST_F(RunTest, PuttingBackOverAnEditOfThisMomentIsRefused) {
  cutover::Run run(place_.context(), "test");
  ASSERT_OK(run.start("r", "t", false));
  ASSERT_OK(run.write("step", bundle("1"), {}));
  fs_.files[file_] += "# edited\n";
  EXPECT_THAT(run.put_back("restore", {"shared/flavor-x", false, "", ""}, {}),
              Fails(ErrorKind::conflict, HasSubstr("was changed by somebody else just now")));
  EXPECT_THAT(fs_.files.at(file_), HasSubstr("# edited"));
}

TEST_F(RunTest, ADryRunMovesOnlyInMemory) {
  place_.context().dry_run = true;
  cutover::Run run(place_.context(), "test");
  ASSERT_OK(run.start("r", "t", false));
  ASSERT_OK(run.write("step", bundle("1"), {}));
  EXPECT_TRUE(run.state().versions.contains("shared/flavor-x"));
  run.event("step", "done", "x");
  EXPECT_EQ(run.outcome.events[0].phase, "would");
  EXPECT_TRUE(faulty_.calls().empty());
}

TEST_F(RunTest, EventsReachWhoeverWatches) {
  std::string seen;
  place_.context().progress = [&](const Event& event) { seen += event.step + "/" + event.phase + " "; };
  ASSERT_OK(place_.cut_over("a", true));
  EXPECT_EQ(seen,
            "preflight/done snapshot/done shared/done hold/done capacity/done open/done switched/done verify/done "
            "moved/done ");
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
