// The main job on a real Kueue: three tenants of the sample company move, their jobs are admitted, the middle one
// comes back and is as if it had never left.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>

#include "judge.h"

namespace cmb2kueue::judge {
namespace {

using ::testing::HasSubstr;

constexpr const char* leaves[] = {"/Harborlight/Data Platform/Warehouse/team 1/nightly warehouse",
                                  "/Harborlight/Data Platform/Warehouse/team 1/backfill",
                                  "/Harborlight/Data Platform/Warehouse/team 3/backfill"};

class Migration : public Judge {
 protected:
  void SetUp() override {
    Judge::SetUp();
    make_namespace("batch");
    make_namespace("batch-research");
    sign_everything();
  }
  // One cell is the cluster, the two others are folders.
  std::vector<std::string> targets() const {
    return {"--target", std::string("atlantic=kube:") + context_name,
            "--target", "continental=dir:" + (scratch_ / "c"),
            "--target", "pacific=dir:" + (scratch_ / "p")};
  }
  base::ProcessResult with_inputs(std::vector<std::string> words) {
    for (const std::string& word : {std::string("-e"), testing::project_path("samples/harborlight.json"),
                                    std::string("-m"), scratch_ / "mapping.yaml"})
      words.push_back(word);
    for (const std::string& word : targets()) words.push_back(word);
    return run_tool(words);
  }
  base::ProcessResult with_targets(std::vector<std::string> words) {
    for (const std::string& word : targets()) words.push_back(word);
    return run_tool(words);
  }
  // The partition and the acceptances the tool itself proposes for the three, signed.
  void sign_everything() {
    std::string mapping = testing::read_file(testing::project_path("samples/harborlight-mapping.yaml"));
    mapping.resize(mapping.find("\npartition:") + 1);
    testing::write_file(scratch_ / "mapping.yaml", mapping);
    std::vector<std::string> words = {"plan"};
    words.insert(words.end(), std::begin(leaves), std::end(leaves));
    for (const std::string& word : {std::string("--propose-partition"), scratch_ / "partition.yaml",
                                    std::string("--propose-acceptances"), scratch_ / "accept.yaml"})
      words.push_back(word);
    const base::ProcessResult proposed = with_inputs(words);
    ASSERT_EQ(proposed.exit_code, 0) << told(proposed);
    const auto filled = [&](const char* file, const std::regex& empty, const char* value) {
      testing::write_file(scratch_ / file, std::regex_replace(testing::read_file(scratch_ / file), empty, value));
    };
    filled("partition.yaml", std::regex("signedBy: ''"), "signedBy: operations");
    filled("partition.yaml", std::regex("date: ''"), "date: '2026-03-01'");
    filled("accept.yaml", std::regex("(who|why): ''"), "$1: reviewed");
    testing::write_file(scratch_ / "mapping.yaml", mapping + testing::read_file(scratch_ / "partition.yaml"));
  }
  void move(const std::string& leaf) {
    const std::vector<std::string> cutover = {"cutover", leaf, "--accept", scratch_ / "accept.yaml"};
    const base::ProcessResult open = with_inputs(cutover);
    ASSERT_EQ(open.exit_code, 0) << told(open);
    std::vector<std::string> switched = cutover;
    for (const char* word : {"--switched", "--reason", "route changed"}) switched.emplace_back(word);
    const base::ProcessResult moved = with_inputs(switched);
    ASSERT_EQ(moved.exit_code, 0) << told(moved);
    EXPECT_THAT(moved.out, HasSubstr("Moved"));
  }
  void back(const std::string& leaf) {
    const base::ProcessResult result = with_targets({"rollback", leaf, "--switched-back", "--reason", "latency"});
    ASSERT_EQ(result.exit_code, 0) << told(result);
  }
  // Everything of Kueue's configuration, without what the server keeps books with.
  std::map<std::string, std::string> picture() {
    std::map<std::string, std::string> all;
    for (const target::KindPath& kind : target::kind_paths()) {
      const target::Json list = get(std::string(kind.prefix) + "/" + std::string(kind.plural));
      for (const doc::Node item : doc::children(target::at(list.root(), "items"))) {
        const std::string name = target::text_at(item, "metadata.name");
        if (name != target::records_namespace)
          all[std::string(kind.plural) + "/" + name] = target::content_of(item);
      }
    }
    return all;
  }
  std::string queue_of(const std::string& leaf) {
    const target::Json list = get(std::string(kueue_path) + "/clusterqueues");
    for (const doc::Node item : doc::children(target::at(list.root(), "items")))
      if (target::at(item, "metadata.annotations").find("cmb2kueue.io/tenant-path").text() == leaf)
        return target::text_at(item, "metadata.name");
    return "";
  }

  const testing::ScratchFolder scratch_;
};

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
