// The program from outside: exit codes, documents on stdout only, suggestions, and formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmb2kueue/base/process.h"
#include "cmb2kueue/cli/cli.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::cli {
namespace {

using ::testing::HasSubstr;

base::ProcessResult run(std::vector<std::string> words) {
  words.insert(words.begin(), CMB2KUEUE_BINARY);
  base::Result<base::ProcessResult> result = base::run_process(words, "", 60'000);
  EXPECT_TRUE(result.ok()) << testing::describe(result.status());
  return result.ok() ? std::move(result).value() : base::ProcessResult();
}

std::string sample(const std::string& name) {
  return testing::project_path("samples/" + name);
}

TEST(ExitCodes, OfEveryKindOfEnd) {
  const testing::ScratchFolder scratch;
  testing::write_file(scratch / "broken.yaml", "a: [1\n");
  const std::pair<std::vector<std::string>, int> cases[] = {
      {{"--help"}, 0},
      {{"version", "-o", "json"}, 0},
      {{"audit", "-e", sample("two-roots.json")}, 0},
      {{"audit", "-e", sample("bad/circle-of-parents.json")}, 1},
      {{"audit", "-e", sample("two-roots.json"), "--fail-on", "note"}, 1},
      {{"audti"}, 2},
      {{"translate", "--all", "-e", sample("every-field.json"), "-m", "pools"}, 2},  // two cells, one output
      {{"translate", "--all", "-e", sample("two-roots.json"), "-m", "parity", "-o", "json"}, 2},
      {{"audit", "--exprot", "x"}, 2},
      {{"audit"}, 2},
      {{"audit", "-e", sample("two-roots.json"), "-o", "jsno"}, 2},
      {{"audit", "-e", scratch / "missing.json"}, 3},
      {{"audit", "-e", sample("two-roots.json"), "/nobody"}, 3},
      {{"validate", scratch / "broken.yaml"}, 3},
      {{"diff", scratch / "broken.yaml", sample("two-roots.json")}, 3},
      {{"diff", "one"}, 2},
      {{"cutover", "x", "-e", sample("two-roots.json")}, 3},
      {{"rollback", "x", "--target", "dri:x"}, 2},
      {{"rollback", "x", "--target", "dir:" + (scratch / "empty")}, 3},
      {{"status", "--target", "dir:" + (scratch / "empty")}, 3},
      {{"verify", "--target", "dir:" + (scratch / "empty")}, 3},
      {{"status", "--target", "east=dir:" + (scratch / "empty")}, 3},
      {{"status", "--target", "dir:" + scratch.path()}, 0},
      {{"status", "nobody", "--target", "dir:" + scratch.path()}, 3},
      {{"history", "nobody", "--target", "dir:" + scratch.path()}, 3},
  };
  for (const auto& [words, code] : cases) EXPECT_EQ(run(words).exit_code, code) << ::testing::PrintToString(words);
}

TEST(Words, AreSuggested) {
  EXPECT_THAT(run({"audti"}).err, HasSubstr("did you mean \"audit\"?"));
  EXPECT_THAT(run({"audit", "--exprot", "x"}).err, HasSubstr("did you mean \"--export\"?"));
  EXPECT_THAT(run({"explain", "KQ-ODER"}).err, HasSubstr("did you mean \"KQ-ORDER\"?"));
  EXPECT_THAT(run({"status", "--target", "dri:x"}).err, HasSubstr("did you mean \"dir\"?"));
}

TEST(Documents, AreAloneOnStdoutAndTheSameTwice) {
  for (const char* format : {"json", "yaml", "text", "markdown"}) {
    const std::vector<std::string> words = {"audit", "-e", sample("nested-limits.json"), "-o", format};
    const base::ProcessResult first = run(words), second = run(words);
    EXPECT_EQ(first.out, second.out);
    EXPECT_EQ(first.err, "");
    EXPECT_THAT(first.out, HasSubstr("outer"));
  }
  EXPECT_TRUE(
      run({"audit", "-e", sample("nested-limits.json"), "-o", "json"})
          .out.starts_with("{\n  \"apiVersion\": \"cmb2kueue.io/v1alpha1\",\n  \"kind\": \"AuditReport\","));
}

TEST(Help, EveryVerbHasExamplesAndIsInTheOverview) {
  const std::string overview = run({"--help"}).out;
  for (const VerbInfo& verb : verbs()) {
    EXPECT_THAT(overview, HasSubstr(std::string(verb.name)));
    const base::ProcessResult help = run({std::string(verb.name), "--help"});
    EXPECT_EQ(help.exit_code, 0);
    for (const Example& example : verb.examples) EXPECT_THAT(help.out, HasSubstr(std::string(example.command)));
    for (const std::string_view option : verb.options) EXPECT_NE(find_option(option), nullptr) << option;
  }
}

TEST(Translate, EndStateIsRefusedForProduction) {
  const testing::ScratchFolder scratch;
  const base::ProcessResult made =
      run({"translate", "--all", "-e", sample("two-roots.json"), "--out", scratch / "out"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(run({"validate", scratch / "out"}).exit_code, 0);
  const base::ProcessResult refused = run({"validate", "--production", scratch / "out"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("KQ-END-STATE"));
}

}  // namespace
}  // namespace cmb2kueue::cli
