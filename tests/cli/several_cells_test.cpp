// The verbs over several cells, as the program is typed: each cell is a cluster of its own, a report is one
// document, and what one cell lacks stops nothing in the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "cmb2kueue/base/process.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* warehouse = "/Harborlight/Data Platform/Warehouse/team 1/nightly warehouse";

class SeveralCells : public ::testing::Test {
 protected:
  base::ProcessResult run(std::vector<std::string> words) {
    words.insert(words.begin(), CMB2KUEUE_BINARY);
    base::Result<base::ProcessResult> result = base::run_process(words, "", 120'000);
    EXPECT_TRUE(result.ok()) << testing::describe(result.status());
    return result.ok() ? std::move(result).value() : base::ProcessResult();
  }
  std::vector<std::string> with_inputs(std::vector<std::string> words) {
    for (const std::string& word : {std::string("-e"), testing::project_path("samples/harborlight.json"),
                                    std::string("-m"), testing::project_path("samples/harborlight-mapping.yaml")})
      words.push_back(word);
    return words;
  }
  std::string live() const { return "dir:" + (scratch_ / "live"); }
  base::ProcessResult plan() {
    return run(
        with_inputs({"plan", warehouse, "--accept", testing::project_path("samples/harborlight-acceptances.yaml"),
                     "--target", live(), "--out", scratch_ / "plan.json"}));
  }
  base::ProcessResult move(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"cutover", warehouse, "--plan", scratch_ / "plan.json", "--target", live()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void change(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = testing::read_file(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << file;
    text.replace(at, from.size(), to);
    testing::write_file(file, text);
  }
  std::string tenant_file(const std::string& cell) {
    for (const std::string& file : testing::files_below(scratch_ / ("live/" + cell)))
      if (file.find("/tenants/nightly-warehouse-") != std::string::npos) return file;
    return "";
  }

  const testing::ScratchFolder scratch_;
};

TEST_F(SeveralCells, ValidateAndDiffTakeEachCellForItself) {
  ASSERT_EQ(run(with_inputs({"translate", "--all", "--out", scratch_ / "a"})).exit_code, 0);
  EXPECT_THAT(run({"validate", scratch_ / "a"}).out, Not(HasSubstr("KQ-DUPLICATE-OBJECT")));
  fs::copy(scratch_ / "a", scratch_ / "b", fs::copy_options::recursive);
  EXPECT_EQ(run({"diff", scratch_ / "a", scratch_ / "b"}).exit_code, 0);
  const std::string changed = testing::files_below(scratch_ / "b/atlantic/tenants").front();
  change(changed, "stopPolicy: None", "stopPolicy: Hold");
  const base::ProcessResult diff = run({"diff", scratch_ / "a", scratch_ / "b"});
  EXPECT_EQ(diff.exit_code, 1) << "whichever cell comes last must not hide the others";
  EXPECT_THAT(diff.out, AllOf(HasSubstr("atlantic"), HasSubstr("stopPolicy")));
  EXPECT_EQ(run({"diff", scratch_ / "a", scratch_ / "b/atlantic"}).exit_code, 2);
  EXPECT_THAT(run({"diff", "--unified", scratch_ / "a", scratch_ / "b"}).out, HasSubstr("+  stopPolicy: Hold"));
}

TEST_F(SeveralCells, AReportNamesABlockOnce) {
  ASSERT_EQ(plan().exit_code, 0);
  ASSERT_EQ(move().exit_code, 0);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"status", "--capacity", "--target", live(), "-o", "json"},
        {"plan", "show", scratch_ / "plan.json", "-o", "json"},
        {"diff", "--target", live(), "-o", "json"}}) {
    const std::string text = run(words).out;
    std::map<std::string, int> times;
    const std::regex block("\n  \"([A-Za-z]+)\":");
    for (std::sregex_iterator at(text.begin(), text.end(), block), end; at != end; ++at) ++times[(*at)[1]];
    EXPECT_GE(times.size(), 3U) << words[0];
    for (const auto& [id, count] : times) EXPECT_EQ(count, 1) << words[0] << ": " << id;
  }
}

TEST_F(SeveralCells, DriftInAnyCellShows) {
  ASSERT_EQ(plan().exit_code, 0);
  ASSERT_EQ(move().exit_code, 0);
  EXPECT_EQ(run({"diff", "--target", live()}).exit_code, 0);
  change(tenant_file("atlantic"), "stopPolicy: None", "stopPolicy: Hold");
  EXPECT_EQ(run({"diff", "--target", live()}).exit_code, 1);
  EXPECT_EQ(run({"verify", "--target", live()}).exit_code, 7);
}

TEST_F(SeveralCells, ATenantThatFailedInOneCellIsNotSwitchedYetAndComesBackByName) {
  ASSERT_EQ(plan().exit_code, 0);
  fs::create_directories(scratch_ / "live/pacific/tenants");
  std::string name = testing::read_file(scratch_ / "plan.json");
  const std::size_t at = name.find("\"object\": \"nightly-warehouse-") + 11;
  name = name.substr(at, name.find('"', at) - at);
  testing::write_file(scratch_ / ("live/pacific/tenants/" + name + ".yaml"), "# somebody else's\n");
  const base::ProcessResult moved = move();
  EXPECT_EQ(moved.exit_code, 5) << moved.err;
  EXPECT_THAT(moved.err, HasSubstr("cell pacific: "));
  EXPECT_THAT(moved.out, AllOf(HasSubstr("is not done in pacific"), Not(HasSubstr("at CMB so that"))));
  const base::ProcessResult back = run({"rollback", warehouse, "--target", live()});
  EXPECT_EQ(back.exit_code, 0) << back.err;
  EXPECT_THAT(run({"status", "--target", live()}).out, HasSubstr("enrolled"));
  EXPECT_EQ(run({"rollback", warehouse, "--target", live()}).exit_code, 3);
}

TEST_F(SeveralCells, APlanThatItsCutoverWouldRefuseIsNotMade) {
  std::string mapping = testing::read_file(testing::project_path("samples/harborlight-mapping.yaml"));
  const std::size_t at = mapping.find("\npartition:");
  ASSERT_NE(at, std::string::npos);
  testing::write_file(scratch_ / "unsigned.yaml", mapping.substr(0, at + 1));
  const base::ProcessResult made =
      run({"plan", warehouse, "-e", testing::project_path("samples/harborlight.json"), "-m",
           scratch_ / "unsigned.yaml", "--accept", testing::project_path("samples/harborlight-acceptances.yaml"),
           "--target", live(), "--out", scratch_ / "plan.json"});
  EXPECT_EQ(made.exit_code, 3);
  EXPECT_THAT(made.err,
              AllOf(HasSubstr("V-PREFLIGHT"), HasSubstr("cell atlantic"), HasSubstr("cutover would refuse")));
  EXPECT_FALSE(fs::exists(scratch_ / "plan.json"));
}

TEST_F(SeveralCells, TenantsAreNamedTheSameWayEverywhere) {
  ASSERT_EQ(plan().exit_code, 0);
  const base::ProcessResult moved =
      run({"cutover", "nightly warehouse", "--plan", scratch_ / "plan.json", "--target", live()});
  EXPECT_EQ(moved.exit_code, 0) << moved.err;
  for (const char* verb : {"status", "history"})
    EXPECT_EQ(run({verb, "nightly warehouse", "--target", live()}).exit_code, 0) << verb;
  const base::ProcessResult misspelt = run({"rollback", std::string(warehouse) + "s", "--target", live()});
  EXPECT_EQ(misspelt.exit_code, 3);
  EXPECT_THAT(misspelt.err, HasSubstr("did you mean"));
  EXPECT_EQ(run({"rollback", "nightly warehouse", "--target", live()}).exit_code, 0);
}

}  // namespace
}  // namespace cmb2kueue
