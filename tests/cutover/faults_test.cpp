// Every single write of a cutover and of a rollback fails once, before or after it did its work. Whichever it is,
// the lock is free again, the books sum up, what a failed cutover did is undone, and the same command then ends
// well.
#include <gtest/gtest.h>

#include <functional>

#include "migration.h"
#include "support/fault_file_system.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

class Faults : public ::testing::TestWithParam<bool> {
 protected:
  // Somebody else is enrolled and somebody else's files are there, so that "as before" says something.
  void SetUp() override {
    start_.files["cell/theirs.yaml"] = "# not ours\n";
    start_.files["cell/tenants/a-object.yaml"] = "# what was here before\n";
    Place place(start_, "cell", How::partition);
    ASSERT_OK(place.cut_over("b", true));
    moved_ = start_;
    Place further(moved_, "cell", How::partition);
    ASSERT_OK(further.cut_over("a", true));
  }
  void spoil(testing::FaultFileSystem& fs, std::size_t call) {
    if (GetParam())
      fs.fail_after(call);
    else
      fs.fail_before(call);
  }
  void check(base::MemoryFileSystem& fs, std::size_t call) {
    EXPECT_FALSE(fs.files.contains("cell/.cmb2kueue/lock")) << "write " << call << " left the lock";  // scenario 15
    Place place(fs, "cell", How::partition);
    expect_sums(place.state());
  }
  // After a failure: undone, unless it was switched already or the failure hit the undoing as well.
  void finish(base::MemoryFileSystem& memory, Place& place, const Plan& plan, std::size_t call) {
    const State state = place.state();
    const auto record = state.enrolled.find(hash_of("a"));
    if (record != state.enrolled.end() && record->second.state >= TenantState::switched &&
        record->second.state != TenantState::draining) {
      ASSERT_OK(place.cut_over("a", true, &plan));
      return;
    }
    if (record != state.enrolled.end()) ASSERT_OK(place.roll_back("a"));
    EXPECT_EQ(manifests_of(memory, "cell"), manifests_of(start_, "cell")) << "write " << call;
    ASSERT_OK(place.cut_over("a", true));
  }
  base::MemoryFileSystem start_, moved_;
};

TEST_P(Faults, OfACutoverAreUndoneAndTheNextTryEndsWell) {
  int failures = 0;
  for (std::size_t call = 1;; ++call) {
    base::MemoryFileSystem memory = start_;
    testing::FaultFileSystem faulty(memory);
    spoil(faulty, call);
    Place place(faulty, "cell", How::partition);
    const Plan plan = place.plan({"a"});
    const base::Result<Outcome> outcome = place.cut_over("a", true, &plan);
    if (faulty.calls().size() < call) break;
    check(memory, call);
    faulty.reset();
    if (!outcome.ok()) {
      ++failures;
      finish(memory, place, plan, call);
    }
    EXPECT_EQ(manifests_of(memory, "cell"), manifests_of(moved_, "cell")) << "write " << call;
    check(memory, call);
  }
  EXPECT_GT(failures, 20);
}

TEST_P(Faults, OfARollbackLeaveARecordToGoOnFrom) {  // scenario 30
  int failures = 0;
  for (std::size_t call = 1;; ++call) {
    base::MemoryFileSystem memory = moved_;
    testing::FaultFileSystem faulty(memory);
    spoil(faulty, call);
    Place place(faulty, "cell", How::partition);
    const base::Result<Outcome> outcome = place.roll_back("a");
    if (faulty.calls().size() < call) break;
    check(memory, call);
    faulty.reset();
    if (!outcome.ok()) {
      ++failures;
      const base::Result<Outcome> again = place.roll_back("a");
      EXPECT_TRUE(again.ok() || again.status().kind() == base::ErrorKind::not_found)
          << testing::describe(again.status());
    }
    EXPECT_EQ(manifests_of(memory, "cell"), manifests_of(start_, "cell")) << "write " << call;
    EXPECT_EQ(place.state().enrolled.size(), 1U);
  }
  EXPECT_GT(failures, 10);
}

TEST_P(Faults, OfAFullDiskLeaveTheNextRunASoundJournal) {
  for (std::size_t call = 1;; ++call) {
    base::MemoryFileSystem memory = start_;
    testing::FaultFileSystem faulty(memory);
    faulty.fail_from(call);
    Place place(faulty, "cell", How::partition);
    const Plan plan = place.plan({"a"});
    const base::Result<Outcome> outcome = place.cut_over("a", true, &plan);
    if (outcome.ok()) break;
    faulty.reset();
    memory.files.erase("cell/.cmb2kueue/lock");  // its removal failed too; the next process sees a dead holder
    expect_sums(place.state());
    const base::Result<Outcome> back = place.roll_back("a");
    EXPECT_TRUE(back.ok() || back.status().kind() == base::ErrorKind::not_found)
        << testing::describe(back.status());
    EXPECT_EQ(manifests_of(memory, "cell"), manifests_of(start_, "cell")) << "from write " << call;
  }
}

INSTANTIATE_TEST_SUITE_P(BeforeAndAfter, Faults, ::testing::Bool());

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
