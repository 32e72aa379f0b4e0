// The journal against loss: a missing checkpoint, a torn last record, a torn or missing one in the middle; and
// locks.
#include "journal.h"

#include <gtest/gtest.h>

#include "migration.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

class JournalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    plan_ = place_.plan({"a"});
    ASSERT_OK(place_.cut_over("a", false, &plan_));
    before_ = place_.state();
  }
  std::string record(std::uint64_t seq) const {
    return "cell/.cmb2kueue/journal/" + std::string(10 - std::to_string(seq).size(), '0') + std::to_string(seq) +
           ".json";
  }
  base::MemoryFileSystem fs_;
  Place place_{fs_, "cell", How::partition};
  Plan plan_;
  State before_;
};

TEST_F(JournalTest, StateIsTheFoldOfItsRecords) {
  fs_.files.erase("cell/.cmb2kueue/state.json");
  const State rebuilt = place_.state();
  EXPECT_EQ(rebuilt.head.seq, before_.head.seq);
  EXPECT_EQ(rebuilt.allotments, before_.allotments);
  EXPECT_EQ(rebuilt.versions, before_.versions);
  EXPECT_EQ(rebuilt.enrolled.at(hash_of("a")).state, TenantState::open);
  fs_.files["cell/.cmb2kueue/state.json"] = "{\"torn";
  EXPECT_EQ(place_.state().head.seq, before_.head.seq);
}

TEST_F(JournalTest, ATornLastRecordWasNeverWritten) {
  fs_.files.erase("cell/.cmb2kueue/state.json");
  std::string& last = fs_.files.at(record(before_.head.seq));
  last.resize(last.size() / 2);
  EXPECT_EQ(place_.state().head.seq, before_.head.seq - 1);
  ASSERT_OK(place_.cut_over("a", true, &plan_));
  EXPECT_EQ(place_.state().enrolled.at(hash_of("a")).state, TenantState::moved);
}

TEST_F(JournalTest, AGapInTheMiddleIsAnErrorThatNamesIt) {
  fs_.files.erase("cell/.cmb2kueue/state.json");
  const std::string kept = fs_.files.at(record(3));
  fs_.files.erase(record(3));
  EXPECT_THAT(load_state(place_.context()).status(),
              Fails(ErrorKind::mismatch, HasSubstr("0000000003.json\" is missing")));
  fs_.files[record(3)] = kept.substr(0, 20);
  EXPECT_THAT(load_state(place_.context()).status(),
              Fails(ErrorKind::mismatch, HasSubstr("is torn, and newer ones follow")));
  std::string edited = kept;
  edited.replace(edited.find("\"who\": \""), 8, "\"who\": \"x");
  fs_.files[record(3)] = edited;
  EXPECT_THAT(load_state(place_.context()).status(),
              Fails(ErrorKind::mismatch, HasSubstr("does not follow the one before")));
}

TEST_F(JournalTest, ASecondWriterOfTheSameRecordLoses) {
  Journal mine(place_.context()), theirs(place_.context());
  ASSERT_OK(mine.open());
  ASSERT_OK(theirs.open());
  ASSERT_OK(theirs.append({}));
  EXPECT_THAT(mine.append({}), Fails(ErrorKind::locked, HasSubstr("another run has written")));
}

TEST_F(JournalTest, ALiveHolderIsRefusedADeadOneTakenOver) {  // scenario 14
  base::ProcessIdentity me = base::this_process();
  const auto lock = [&](const base::ProcessIdentity& who) {
    fs_.files["cell/.cmb2kueue/lock"] = "{\"host\":\"" + who.host + "\",\"bootId\":\"" + who.boot_id +
                                        "\",\"pid\":" + std::to_string(who.pid) +
                                        ",\"started\":" + std::to_string(who.started) +
                                        ",\"user\":\"ops\",\"run\":\"r-1\",\"since\":\"2026-03-01T00:00:00Z\"}";
  };
  lock(me);
  EXPECT_THAT(place_.cut_over("a", true, &plan_).status(),
              Fails(ErrorKind::locked, HasSubstr("of ops holds the lock for 0 s")));
  EXPECT_THAT(unlock(place_.context(), me.host + "/" + std::to_string(me.pid)).status(),
              Fails(ErrorKind::locked, HasSubstr("is alive")));
  me.started += 1;  // the pid was given out again
  lock(me);
  ASSERT_OK(place_.cut_over("a", true, &plan_));
  EXPECT_FALSE(fs_.files.contains("cell/.cmb2kueue/lock"));
  me.host = "elsewhere";
  lock(me);
  EXPECT_THAT(complete(place_.context(), hash_of("a")).status(), Fails(ErrorKind::locked, HasSubstr("elsewhere/")));
  EXPECT_THAT(unlock(place_.context(), "elsewhere/1").status(), Fails(ErrorKind::usage, HasSubstr("not by")));
  ASSERT_OK(unlock(place_.context(), "elsewhere/" + std::to_string(me.pid)));
  ASSERT_OK(complete(place_.context(), hash_of("a")));
}

TEST_F(JournalTest, RollbackTakesOverFromALiveRun) {
  const base::ProcessIdentity me = base::this_process();
  fs_.files["cell/.cmb2kueue/lock"] = "{\"host\":\"" + me.host + "\",\"bootId\":\"" + me.boot_id +
                                      "\",\"pid\":" + std::to_string(me.pid) +
                                      ",\"started\":" + std::to_string(me.started) +
                                      ",\"user\":\"ops\",\"run\":\"r-1\",\"since\":\"2026-03-01T00:00:00Z\"}";
  const base::Result<Outcome> back = place_.roll_back("a");
  ASSERT_OK(back);
  EXPECT_THAT(back->events[0].what, HasSubstr("took the lock over from"));
}

TEST(PlanFile, ComesBackAsItWasAndRefusesEdits) {
  base::MemoryFileSystem fs;
  Place place(fs, "cell", How::partition);
  const Plan plan = place.plan({"a", "b"});
  base::SourceFiles files;
  const base::Result<Plan> read = parse_plan(files, files.add("p", to_json(plan)));
  ASSERT_OK(read);
  EXPECT_EQ(to_json(read.value()), to_json(plan));
  std::string edited = to_json(plan);
  edited.replace(edited.find("\"preset\": \"parity\""), 18, "\"preset\": \"lendXX\"");
  EXPECT_THAT(parse_plan(files, files.add("e", edited)).status(),
              Fails(ErrorKind::input, HasSubstr("edited or cut")));
  EXPECT_THAT(parse_plan(files, files.add("n", "{}")).status(), Fails(ErrorKind::input, HasSubstr("not a plan")));
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
