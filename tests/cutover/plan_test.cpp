// Plans as files: what comes back, and where an edited one goes wrong.
#include "cmb2kueue/cutover/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "migration.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

class PlanTest : public ::testing::Test {
 protected:
  // The status of reading the plan with one text replaced, and the line it points at.
  base::Status read_edited(const std::string& from, const std::string& to) {
    std::string text = to_json(plan_);
    EXPECT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    base::SourceFiles files;
    const base::Result<Plan> read = parse_plan(files, files.add("move.plan.json", text));
    where_ = files.describe(read.status().place());
    line_ = files.locate(read.status().place()).line;
    return read.status();
  }
  std::uint32_t line_of(const std::string& words) {
    const std::string text = to_json(plan_);
    const std::string before = text.substr(0, text.find(words));
    return static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  }
  base::MemoryFileSystem fs_;
  Place place_{fs_, "cell", How::partition};
  Plan plan_ = place_.plan({"a", "b"});
  std::string where_;
  std::uint32_t line_ = 0;
};

TEST_F(PlanTest, AnEditOfAnyKindIsRefusedWhereItStands) {
  EXPECT_THAT(read_edited("\"kind\": \"by-moved-reservation\"", "\"kind\": \"by-magic\""),
              Fails(ErrorKind::input, HasSubstr("\"kind\" has no value \"by-magic\"")));
  EXPECT_EQ(line_, line_of("\"kind\": \"by-moved-reservation\""));
  EXPECT_THAT(read_edited("\"weight\": 1", "\"weight\": \"1\""),
              Fails(ErrorKind::input, HasSubstr("\"weight\" is not a whole number")));
  EXPECT_EQ(line_, line_of("\"weight\": 1"));
  EXPECT_THAT(read_edited("\"parent\": 0", "\"parent\": 5"),
              Fails(ErrorKind::input, HasSubstr("a node does not come after its parent")));
  EXPECT_THAT(read_edited("\"node\": 2", "\"node\": 200"),
              Fails(ErrorKind::input, HasSubstr("the tenant \"a\" is not in the tree")));
  EXPECT_THAT(read_edited("\"preset\": \"parity\"", "\"preset\": \"lend\""),
              Fails(ErrorKind::input, HasSubstr("does not match its own fingerprint")));
  EXPECT_THAT(where_, HasSubstr("move.plan.json:"));
}

TEST_F(PlanTest, WhatIsNoPlanIsSaidToBeNone) {
  EXPECT_THAT(read_edited("plan/v1alpha1", "plan/v9"), Fails(ErrorKind::input, HasSubstr("this is not a plan of")));
  base::SourceFiles files;
  EXPECT_THAT(parse_plan(files, files.add("x", "{\"format\":")).status().kind(), ErrorKind::input);
}

TEST_F(PlanTest, TheSamePlanMadeAgainAfterSomethingHappenedIsAnotherPlan) {
  Plan again = place_.plan({"a", "b"});
  EXPECT_EQ(again.nonce, plan_.nonce);
  ASSERT_OK(place_.cut_over("c", false));
  ASSERT_OK(place_.roll_back("c"));
  EXPECT_NE(place_.plan({"a", "b"}).nonce, plan_.nonce);
}

TEST_F(PlanTest, TheFirstRunKeepsItForTheNextOnes) {
  EXPECT_FALSE(kept_plan(place_.context(), hash_of("a")).value().has_value());
  ASSERT_OK(place_.cut_over("a", false, &plan_));
  const base::Result<std::optional<Plan>> kept = kept_plan(place_.context(), hash_of("a"));
  ASSERT_OK(kept);
  ASSERT_TRUE(kept.value().has_value());
  EXPECT_EQ(to_json(*kept.value()), to_json(plan_));
  for (auto file = fs_.files.begin(); file != fs_.files.end();)
    file = file->first.find("/plans/") != std::string::npos ? fs_.files.erase(file) : std::next(file);
  EXPECT_THAT(kept_plan(place_.context(), hash_of("a")).status(),
              Fails(ErrorKind::not_found, HasSubstr("the plan of a")));
}

TEST_F(PlanTest, VersionsAreThoseOfTheBytesAlsoWhereNoObjectStands) {
  fs_.files["cell/shared/flavor-default.yaml"] = "# a comment and nothing else\n";
  const Plan plan = place_.plan({"a"});
  const base::Result<std::map<std::string, std::string>> now = current_versions(plan.cells[0], place_.target());
  ASSERT_OK(now);
  EXPECT_TRUE(stale_reasons(plan.cells[0], plan.inputs, State(), now.value()).empty());
  const std::vector<std::string> reasons =
      stale_reasons(plan.cells[0], plan.inputs, State(), {{"shared/flavor-default", ""}});
  EXPECT_EQ(reasons, std::vector<std::string>{"shared/flavor-default is gone"});
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
