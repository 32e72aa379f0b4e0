// The unified diff against the system's own `diff`, and by applying what it prints.
#include <gtest/gtest.h>

#include <random>

#include "cmb2kueue/base/process.h"
#include "cmb2kueue/diff/change_set.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::diff {
namespace {

std::string system_diff(const std::string& before, const std::string& after) {
  const testing::ScratchFolder folder;
  testing::write_file(folder / "a", before);
  testing::write_file(folder / "b", after);
  const base::Result<base::ProcessResult> result =
      base::run_process({"diff", "-u", "--label", "a", "--label", "b", folder / "a", folder / "b"}, "", 10'000);
  EXPECT_TRUE(result.ok()) << testing::describe(result.status());
  return result.ok() ? result.value().out : "";
}

TEST(Unified, PrintsWhatDiffPrints) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a\nb\nc\n", "a\nx\nc\n"},
      {"", "a\n"},
      {"a\n", ""},
      {"a\nb", "a\nb\n"},
      {"a\n", "b"},
      {"a\nb\na\n", "a\na\na\n"},
      {"1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n1\n2\n3\n4\n5\n"},
      {"1\n2\n3\n4\n5\n1\n2\n3\n4\n5\n1\n2\n3\n4\n5\n9\n", "1\n2\n3\n4\n5\n1\n2\n3\n4\n5\n9\n"},
      {"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\n3\n4x\n5\n6\n7\n8\n9\n10\n11\n12x\n"},
      {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\nend\n"}};
  for (const auto& [before, after] : cases) EXPECT_EQ(unified("a", before, "b", after), system_diff(before, after));
  EXPECT_EQ(unified("a", "same\n", "b", "same\n"), "");
}

// Lines of a manifest and a handful of edits as people make them: a value, a block in, a block out.
class Manifest {
 public:
  explicit Manifest(unsigned seed) : random_(seed) {
    for (int i = 0; i < 12; ++i) add_block(lines_.size(), i);
  }
  void edit() {
    const std::size_t block = random_() % (lines_.size() / 4) * 4;
    switch (random_() % 3) {
      case 0:
        lines_[block + 2] = "    nominalQuota: \"" + std::to_string(random_() % 1000 + 10) + "\"";
        break;
      case 1:
        add_block(block, 100 + static_cast<int>(random_() % 900));
        break;
      default:
        lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(block),
                     lines_.begin() + static_cast<std::ptrdiff_t>(block) + 4);
    }
  }
  std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }

 private:
  void add_block(std::size_t at, int number) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at),
                  {"- name: flavor-" + std::to_string(number), "  resources:",
                   "    nominalQuota: \"" + std::to_string(number % 4) + "\"", "    lendingLimit: \"0\""});
  }
  std::mt19937 random_;
  std::vector<std::string> lines_;
};

TEST(Unified, PrintsWhatDiffPrintsForEditsOfManifests) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Manifest manifest(seed);
    const std::string before = manifest.text();
    for (unsigned i = 0; i <= seed % 4; ++i) manifest.edit();
    const std::string after = manifest.text();
    EXPECT_EQ(unified("a", before, "b", after), system_diff(before, after)) << "seed " << seed;
  }
}

TEST(Unified, AsManyLinesOfContextAsAskedFor) {
  EXPECT_EQ(unified("x", "1\n2\n3\n", "y", "1\n2x\n3\n", 0), "--- x\n+++ y\n@@ -2 +2 @@\n-2\n+2x\n");
  EXPECT_EQ(unified("x", "1\n2\n3\n", "y", "1\n2\n2\n3\n", 0), "--- x\n+++ y\n@@ -2,0 +3 @@\n+2\n");
  EXPECT_EQ(unified("x", "1\n2\n3\n", "y", "1\n2x\n3\n", 1), "--- x\n+++ y\n@@ -1,3 +1,3 @@\n 1\n-2\n+2x\n 3\n");
  // No run moves further into the common end than context is shown of it.
  EXPECT_EQ(unified("x", "a\nb\na\n", "y", "b\na\na\n", 0), "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n@@ -2,0 +2 @@\n+a\n");
}

// Applies the hunks to the first text; the result must be the second.
std::string applied(const std::string& before, const std::string& patch) {
  const testing::ScratchFolder folder;
  testing::write_file(folder / "a", before);
  testing::write_file(folder / "p", patch);
  const base::Result<base::ProcessResult> result =
      base::run_process({"patch", "-s", "-o", folder / "out", folder / "a", folder / "p"}, "", 10'000);
  EXPECT_TRUE(result.ok() && result.value().exit_code == 0) << (result.ok() ? result.value().out : "");
  return testing::read_file(folder / "out");
}

TEST(Unified, AppliesToRandomTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    std::string before, after;
    for (int i = 0; i < 40; ++i) {
      const std::string line(1, static_cast<char>('a' + random() % 5));
      if (random() % 4 != 0) before += line + "\n";
      if (random() % 4 != 0) after += line + "\n";
    }
    if (before == after) continue;
    EXPECT_EQ(applied(before, unified("a", before, "b", after)), after);
  }
}

}  // namespace
}  // namespace cmb2kueue::diff
