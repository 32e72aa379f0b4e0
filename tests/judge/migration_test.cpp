// The main job on a real Kueue: three tenants of the sample company move, their jobs are admitted, the middle one
// comes back and is as if it had never left.
#include "sample.h"

namespace cmb2kueue::judge {
namespace {

using Migration = Sample;

TEST_F(Migration, ThreeMoveAndTheMiddleOneComesBackTwiceInAnyOrder) {
  const std::map<std::string, std::string> before = picture();
  for (const std::vector<int>& order : {std::vector<int>{0, 1, 2}, {2, 1, 0}}) {
    move(leaves[order[0]]);
    move(leaves[order[2]]);
    const std::map<std::string, std::string> two = picture();
    move(leaves[order[1]]);
    EXPECT_NE(picture(), two);
    back(leaves[order[1]]);
    EXPECT_EQ(picture(), two) << "own objects gone, shared ones recomputed, nothing else touched";
    back(leaves[order[0]]);
    back(leaves[order[2]]);
    EXPECT_EQ(picture(), before);
  }
}

TEST_F(Migration, JobsAreAdmittedAndVerifyHolds) {
  for (const char* leaf : leaves) move(leaf);
  std::vector<std::string> jobs;
  for (const char* leaf : leaves) {
    const std::string queue = queue_of(leaf);
    ASSERT_NE(queue, "") << leaf;
    jobs.push_back(submit("batch", "job-" + std::to_string(jobs.size()), queue, "1"));
  }
  for (const std::string& job : jobs) EXPECT_TRUE(eventually([&] { return runs(job); })) << job;
  const base::ProcessResult verified = with_targets({"verify"});
  EXPECT_EQ(verified.exit_code, 0) << told(verified);
  const base::ProcessResult same = with_targets({"diff"});
  EXPECT_EQ(same.exit_code, 0) << told(same);
}

}  // namespace
}  // namespace cmb2kueue::judge
