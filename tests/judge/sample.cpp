#include "sample.h"

#include <gmock/gmock.h>

#include <regex>

namespace cmb2kueue::judge {

void Sample::SetUp() {
  Judge::SetUp();
  make_namespace("batch");
  make_namespace("batch-research");
  if (release() == "0.17.0") more_ = {"--accept-defects"};  // which the tool would not move anybody to, else
  sign_everything();
}

base::ProcessResult Sample::with_targets(std::vector<std::string> words) {
  for (const std::string& word :
       {std::string("--target"), std::string("atlantic=kube:") + context_name, std::string("--target"),
        "continental=dir:" + (scratch_ / "c"), std::string("--target"), "pacific=dir:" + (scratch_ / "p")})
    words.push_back(word);
  words.insert(words.end(), more_.begin(), more_.end());
  return run_tool(words, environment_);
}

base::ProcessResult Sample::with_inputs(std::vector<std::string> words) {
  for (const std::string& word : {std::string("-e"), testing::project_path("samples/harborlight.json"),
                                  std::string("-m"), scratch_ / "mapping.yaml"})
    words.push_back(word);
  return with_targets(words);
}

// The partition and the acceptances that the tool itself proposes for the three, signed.
void Sample::sign_everything() {
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

void Sample::move(const std::string& leaf) {
  const std::vector<std::string> cutover = {"cutover", leaf, "--accept", scratch_ / "accept.yaml"};
  const base::ProcessResult open = with_inputs(cutover);
  ASSERT_EQ(open.exit_code, 0) << told(open);
  std::vector<std::string> switched = cutover;
  for (const char* word : {"--switched", "--reason", "route changed"}) switched.emplace_back(word);
  const base::ProcessResult moved = with_inputs(switched);
  ASSERT_EQ(moved.exit_code, 0) << told(moved);
  EXPECT_THAT(moved.out, ::testing::HasSubstr("Moved"));
}

void Sample::back(const std::string& leaf) {
  const base::ProcessResult result = with_targets({"rollback", leaf, "--switched-back", "--reason", "latency"});
  ASSERT_EQ(result.exit_code, 0) << told(result);
}

std::map<std::string, std::string> Sample::picture() {
  std::map<std::string, std::string> all;
  for (const target::KindPath& kind : target::kind_paths()) {
    const target::Json list = get(std::string(kind.prefix) + "/" + std::string(kind.plural));
    for (const doc::Node item : doc::children(target::at(list.root(), "items"))) {
      const std::string name = target::text_at(item, "metadata.name");
      if (name != target::records_namespace) all[std::string(kind.plural) + "/" + name] = target::content_of(item);
    }
  }
  return all;
}

std::string Sample::queue_of(const std::string& leaf) {
  const target::Json list = get(std::string(kueue_path) + "/clusterqueues");
  for (const doc::Node item : doc::children(target::at(list.root(), "items")))
    if (target::at(item, "metadata.annotations").find("cmb2kueue.io/tenant-path").text() == leaf)
      return target::text_at(item, "metadata.name");
  return "";
}

}  // namespace cmb2kueue::judge
