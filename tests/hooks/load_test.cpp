// Hooks files: what is read, and everything that is wrong with one at once.
#include <gtest/gtest.h>

#include <algorithm>

#include "cmb2kueue/hooks/hooks_file.h"
#include "support/files.h"

namespace cmb2kueue::hooks {
namespace {

struct Loaded {
  base::SourceFiles files;
  base::Findings findings;
  HooksFile hooks;

  explicit Loaded(const std::string& text, const std::string& name = "etc/hooks.yaml") {
    const base::Result<HooksFile> read = load(files, files.add(name, text), findings);
    EXPECT_TRUE(read.ok()) << read.status().message();
    if (read.ok()) hooks = read.value();
  }
  std::vector<std::string> rules() const {
    std::vector<std::string> ids;
    for (const base::FoldedFinding& one : findings.sorted()) ids.push_back(one.rule);
    return ids;
  }
};

constexpr const char* whole = R"(apiVersion: cmb2kueue.io/hooks/v1alpha1
kind: Hooks
name: harbor-cmb
version: "3"
command: [./bin/cmb, --stack, main]
timeoutSeconds: 20
hooks:
  probe:
  cede: {timeoutSeconds: 120}
  restore:
  usage: {command: [/opt/usage]}
  switch:
  switch-back:
  route:
)";

TEST(HooksFileLoading, ReadsCommandsWithTheirOverrides) {
  const Loaded loaded(whole);
  EXPECT_TRUE(loaded.findings.empty());
  EXPECT_EQ(loaded.hooks.name, "harbor-cmb");
  EXPECT_EQ(loaded.hooks.offered.size(), 7U);
  const HookProgram& cede = loaded.hooks.offered.at(Hook::cede);
  EXPECT_EQ(cede.command, (std::vector<std::string>{"etc/./bin/cmb", "--stack", "main"}));
  EXPECT_EQ(cede.timeout_ms, 120'000);
  EXPECT_EQ(loaded.hooks.offered.at(Hook::probe).timeout_ms, 20'000);
  EXPECT_EQ(loaded.hooks.offered.at(Hook::usage).command, std::vector<std::string>{"/opt/usage"});
  EXPECT_FALSE(loaded.hooks.offered.contains(Hook::pending));
}

// The example of the manual, between its two marks, without what roff puts in front of dashes.
TEST(HooksFileLoading, TheManualsExampleIsSound) {
  std::string page = testing::read_file(testing::project_path("man/cmb2kueue-hooks.5"));
  std::erase(page, '\\');
  const std::string begin = ".Bd -literal -offset indent\n";
  const std::size_t at = page.find(begin) + begin.size();
  const Loaded loaded(page.substr(at, page.find(".Ed", at) - at));
  EXPECT_TRUE(loaded.rules().empty());
  EXPECT_EQ(loaded.hooks.offered.size(), 7U);
}

TEST(HooksFileLoading, AFingerprintFollowsEveryDecision) {
  const std::string first = Loaded(whole).hooks.fingerprint;
  std::string other = whole;
  other.replace(other.find("120"), 3, "121");
  EXPECT_NE(Loaded(other).hooks.fingerprint, first);
  EXPECT_EQ(Loaded(std::string("# a comment\n") + whole).hooks.fingerprint, first);
}

TEST(HooksFileLoading, EveryProblemIsSaidInOneRun) {
  const Loaded loaded(R"(apiVersion: cmb2kueue.io/hooks/v9
kind: Hooks
version: "1"
timeoutSeconds: 0
hooks:
  switch: {command: [a], timeout: 3}
  cede:
  swich-back: {command: [b]}
)");
  const std::vector<std::string> rules = loaded.rules();
  for (const char* id : {"H-KIND", "H-REQUIRED", "H-RANGE", "H-COMMAND", "H-PAIR", "H-UNKNOWN-FIELD"})
    EXPECT_TRUE(std::find(rules.begin(), rules.end(), id) != rules.end()) << id;
  bool suggested = false;
  for (const base::FoldedFinding& one : loaded.findings.sorted())
    suggested |= one.message.find("switch-back") != std::string::npos && one.rule == "H-UNKNOWN-FIELD";
  EXPECT_TRUE(suggested);
}

TEST(HooksFileLoading, AHookWithoutTheWayBackIsRefused) {
  const std::string head =
      "apiVersion: cmb2kueue.io/hooks/v1alpha1\nkind: Hooks\nname: some\nversion: v\ncommand: [c]\n";
  const std::pair<const char*, int> cases[] = {
      {"{switch: , switch-back: , route: }", 0}, {"{switch: , route: }", 1},     {"{switch: , switch-back: }", 1},
      {"{cede: , restore: , usage: }", 0},       {"{cede: , usage: }", 1},       {"{restore: }", 1},
      {"{withdraw: , pending: , enqueue: }", 0}, {"{withdraw: , pending: }", 1}, {"{cede: , restore: }", 1},
  };
  for (const auto& [hooks, problems] : cases) {
    const Loaded loaded(head + "hooks: " + hooks + "\n");
    EXPECT_EQ(loaded.rules(), std::vector<std::string>(static_cast<std::size_t>(problems), "H-PAIR")) << hooks;
  }
}

TEST(HooksFileLoading, AFileThatOffersNothingIsRefused) {
  const Loaded loaded("apiVersion: cmb2kueue.io/hooks/v1alpha1\nkind: Hooks\nname: some\nversion: v\nhooks: {}\n");
  EXPECT_EQ(loaded.rules(), std::vector<std::string>{"H-NONE"});
}

}  // namespace
}  // namespace cmb2kueue::hooks
