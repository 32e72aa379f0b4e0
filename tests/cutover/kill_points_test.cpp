// The process dies before and after every single write of a cutover and of a rollback. Whatever the point, the same
// command again ends where an undisturbed run ends, and rollback ends where everything began, with no hand edits.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "migration.h"
#include "support/fault_file_system.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

// What is started: on a file system, in a folder. Fails the child by its exit code.
using Verb = std::function<bool(base::FileSystem&, const std::string&)>;

struct Death {
  std::size_t call = 0;  // 0: none
  bool after = false;
};

// Runs the verb in a child that dies at the given write. 0 done, 137 died there, 1 failed.
int run_in_child(const Verb& verb, const std::string& folder, const Death& death) {
  const pid_t child = fork();
  if (child == 0) {
    const std::unique_ptr<base::FileSystem> real = base::real_file_system();
    testing::FaultFileSystem fs(*real);
    const auto die = [] { kill(getpid(), SIGKILL); };
    if (death.call > 0 && death.after) fs.run_after(death.call, die);
    if (death.call > 0 && !death.after) fs.run_before(death.call, die);
    _exit(verb(fs, folder) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// The plan is made once, kept beside the folder, and used by every later try, as a person would.
Plan kept_plan(base::FileSystem& fs, const std::string& folder) {
  const std::string path = folder + "-plan.json";
  base::SourceFiles files;
  if (!fs.kind_of(path).empty()) return parse_plan(files, files.add(path, fs.read(path).value())).value();
  Place place(fs, folder, How::partition);
  const Plan plan = place.plan({"a"});
  const std::unique_ptr<base::FileSystem> real = base::real_file_system();
  EXPECT_TRUE(real->replace(path, to_json(plan)).ok());
  return plan;
}

bool move_all_the_way(base::FileSystem& fs, const std::string& folder) {
  const Plan plan = kept_plan(fs, folder);
  Place place(fs, folder, How::partition);
  const base::Result<Outcome> open = place.cut_over("a", false, &plan);
  if (!open.ok()) return false;
  const base::Result<Outcome> moved = place.cut_over("a", true, &plan);
  return moved.ok() && moved->state == TenantState::moved;
}

bool bring_back(base::FileSystem& fs, const std::string& folder) {
  Place place(fs, folder, How::partition);
  const base::Result<Outcome> back = place.roll_back("a");
  return back.ok() || back.status().kind() == base::ErrorKind::not_found;  // nothing had begun, or all was over
}

// A cutover on top of a rollback that died: refused while the rollback is unfinished (and then finished), or done
// anew.
bool move_again_after_rollback(base::FileSystem& fs, const std::string& folder) {
  const Plan old_plan = kept_plan(fs, folder);
  Place place(fs, folder, How::partition);
  const base::Result<Outcome> old_way = place.cut_over("a", true, &old_plan);
  const base::ErrorKind kind = old_way.status().kind();
  if (old_way.ok()) return place.roll_back("a").ok() && place.cut_over("a", true).ok();  // died before it began
  if (kind != base::ErrorKind::conflict && kind != base::ErrorKind::stale) return false;
  return bring_back(fs, folder) && place.cut_over("a", true).ok();
}

// Takes the tenant as far as Held and no further.
bool move_to_held(base::FileSystem& fs, const std::string& folder) {
  const Plan plan = kept_plan(fs, folder);
  Place place(fs, folder, How::partition);
  return place.cut_over_with(plan, {false, "hold", true}).ok();
}

// A neighbour that shares everything moves first, with a plan of its own.
bool move_neighbour(base::FileSystem& fs, const std::string& folder) {
  return Place(fs, folder, How::partition).cut_over("b", true).ok();
}

class KillPoints : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {  // thousands of flushed writes: memory is kinder than a disk, where there is some
    if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 0);
  }
  // A copy of a folder with its plan, so that each try starts from the same place.
  std::string fresh(const std::string& from) {
    const std::string to = scratch_ / ("run-" + std::to_string(++count_));
    std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
    if (std::filesystem::exists(from + "-plan.json")) std::filesystem::copy(from + "-plan.json", to + "-plan.json");
    return to;
  }
  std::string manifests(const std::string& folder) { return manifests_of(*real_, folder); }
  void check_invariants(const std::string& folder) {
    Place place(*real_, folder, How::partition);
    expect_sums(place.state());
  }
  // Dies at every write of `verb`, started from `from`; then `finish` must give `wanted`. Returns the points tried.
  int try_all(const std::string& from, const Verb& verb, const Verb& finish, const std::string& wanted) {
    int points = 0;
    for (std::size_t call = 1;; ++call) {
      bool died = false;
      for (const bool after : {false, true}) {
        const std::string folder = fresh(from);
        const int code = run_in_child(verb, folder, {call, after});
        if (code == 0) continue;
        EXPECT_EQ(code, 137) << "write " << call << (after ? " after" : " before");
        died = true;
        check_invariants(folder);
        EXPECT_EQ(run_in_child(finish, folder, {}), 0) << "write " << call << (after ? " after" : " before");
        check_invariants(folder);
        EXPECT_EQ(manifests(folder), wanted) << "write " << call << (after ? " after" : " before");
        ++points;
        std::filesystem::remove_all(folder);
      }
      if (!died) return points;
    }
  }

  void SetUp() override {
    start_ = scratch_ / "start";
    testing::write_file(start_ + "/other/theirs.yaml", "# not ours\n");
    testing::write_file(start_ + "/tenants/a-object.yaml",
                        "# what was here before\nkind: Namespace\napiVersion: v1\nmetadata: {name: z}\n");
    moved_ = fresh(start_);
    ASSERT_EQ(run_in_child(move_all_the_way, moved_, {}), 0);
  }
  testing::ScratchFolder scratch_;
  std::unique_ptr<base::FileSystem> real_ = base::real_file_system();
  std::string start_, moved_;
  int count_ = 0;
};

TEST_F(KillPoints, OfACutover) {
  const int again = try_all(start_, move_all_the_way, move_all_the_way, manifests(moved_));
  const int back = try_all(start_, move_all_the_way, bring_back, manifests(start_));
  EXPECT_GT(again, 80);
  EXPECT_EQ(again, back);
  std::printf("cutover: died at %d points; finished by the same command at %d, brought back at %d\n", again, again,
              back);
}

TEST_F(KillPoints, OfARollback) {
  const int again = try_all(moved_, bring_back, bring_back, manifests(start_));
  const int anew = try_all(moved_, bring_back, move_again_after_rollback, manifests(moved_));
  EXPECT_GT(again, 50);
  EXPECT_EQ(again, anew);
  std::printf("rollback: died at %d points; finished by the same command at %d, moved again at %d\n", again, again,
              anew);
}

// With a neighbour enrolled, and somebody else's flavor adopted: what is shared is recomputed, not removed.
TEST_F(KillPoints, BesideANeighbour) {
  testing::write_file(start_ + "/other/flavor.yaml",
                      "kind: ResourceFlavor\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: default}\n");
  ASSERT_EQ(run_in_child(move_neighbour, start_, {}), 0);
  const std::string moved = fresh(start_);
  ASSERT_EQ(run_in_child(move_all_the_way, moved, {}), 0);
  const int there = try_all(start_, move_all_the_way, bring_back, manifests(start_));
  const int back = try_all(moved, bring_back, bring_back, manifests(start_));
  EXPECT_GT(there, 40);
  EXPECT_GT(back, 25);
  std::printf("beside a neighbour: died at %d points on the way there, %d on the way back\n", there, back);
}

TEST_F(KillPoints, OfARollbackFromHeld) {
  const std::string held = fresh(start_);
  ASSERT_EQ(run_in_child(move_to_held, held, {}), 0);
  const int points = try_all(held, bring_back, bring_back, manifests(start_));
  EXPECT_GT(points, 30);
  std::printf("rollback from Held: died at %d points\n", points);
}

TEST_F(KillPoints, TwoRunsStartedTogetherAreOneRun) {  // scenario 19
  for (int round = 0; round < 10; ++round) {
    const std::string folder = fresh(start_);
    kept_plan(*real_, folder);
    pid_t children[2];
    for (pid_t& child : children) {
      child = fork();
      if (child == 0) {
        Place place(*real_, folder, How::partition);
        const Plan plan = kept_plan(*real_, folder);
        const base::Result<Outcome> outcome = place.cut_over("a", false, &plan);
        _exit(outcome.ok() ? 0 : outcome.status().kind() == base::ErrorKind::locked ? 6 : 1);
      }
    }
    int winners = 0;
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 6) << WEXITSTATUS(status);
      winners += WEXITSTATUS(status) == 0 ? 1 : 0;
    }
    EXPECT_GE(winners, 1);
    check_invariants(folder);
    EXPECT_EQ(run_in_child(bring_back, folder, {}), 0);
    EXPECT_EQ(manifests(folder), manifests(start_));
  }
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
