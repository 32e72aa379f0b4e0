#include "cmb2kueue/base/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cmb2kueue::base {
namespace {

Finding finding(std::string rule, Severity severity, std::string message, std::string subject, Place place = {}) {
  return {std::move(rule), severity, std::move(message), "", std::move(subject), "", place};
}

std::string summary(const Findings& findings) {
  std::string text;
  for (const FoldedFinding& folded : findings.sorted()) {
    text += std::string(to_string(folded.severity)) + " " + folded.rule + " " + folded.message + ":";
    for (const FoldedFinding::Instance& instance : folded.instances) text += " " + instance.subject;
    text += "\n";
  }
  return text;
}

TEST(Findings, FoldWhatDiffersOnlyInSubjectFieldAndPlace) {
  Findings findings;
  findings.add({"E-A", Severity::error, "bad", "fix it", "tenant-1", "spec.x", Place{1, 10}});
  findings.add({"E-A", Severity::error, "bad", "fix it", "tenant-2", "spec.y", Place{1, 20}});
  findings.add({"E-A", Severity::error, "bad", "other advice", "tenant-3", "", Place{1, 30}});
  const std::vector<FoldedFinding> sorted = findings.sorted();
  ASSERT_EQ(sorted.size(), 2U);
  EXPECT_EQ(sorted[0].count, 2U);
  EXPECT_EQ(sorted[0].advice, "fix it");
  EXPECT_EQ(sorted[0].instances[1].field, "spec.y");
}

TEST(Findings, RuleAndMessageDoNotRunIntoEachOther) {
  Findings findings;
  findings.add(finding("E-A", Severity::warning, "0x", "one"));
  findings.add(finding("E-A1", Severity::note, "x", "two"));
  EXPECT_EQ(findings.sorted().size(), 2U);
}

TEST(Findings, WorstComesFirstThenRuleThenPlace) {
  Findings findings;
  findings.add(finding("A", Severity::note, "n", "s1"));
  findings.add(finding("B", Severity::error, "later", "s2", Place{1, 90}));
  findings.add(finding("B", Severity::error, "sooner", "s3", Place{1, 5}));
  findings.add(finding("A", Severity::error, "e", "s4", Place{2, 1}));
  findings.add(finding("C", Severity::warning, "w", "s5"));
  EXPECT_EQ(summary(findings),
            "error A e: s4\nerror B sooner: s3\nerror B later: s2\nwarning C w: s5\nnote A n: s1\n");
}

TEST(Findings, OrderOfArrivalDoesNotShow) {
  std::vector<Finding> all;
  for (std::uint32_t i = 0; i < 300; ++i)
    all.push_back(finding("R" + std::to_string(i % 3), static_cast<Severity>(i % 2), "m" + std::to_string(i % 7),
                          "s" + std::to_string(i), Place{1, i % 11}));
  std::string first;
  std::mt19937 random(7);
  for (int turn = 0; turn < 20; ++turn) {
    std::shuffle(all.begin(), all.end(), random);
    Findings findings;
    for (const Finding& each : all) findings.add(each);
    if (turn == 0) first = summary(findings);
    ASSERT_EQ(summary(findings), first);
  }
}

TEST(Findings, CountBySeverityAndMerge) {
  Findings one, two;
  EXPECT_TRUE(one.empty());
  one.add(finding("A", Severity::error, "m", "s1"));
  two.add(finding("A", Severity::error, "m", "s2"));
  two.add(finding("B", Severity::note, "m", "s3"));
  one.add_all(two);
  EXPECT_EQ(one.count(Severity::note), 3U);
  EXPECT_EQ(one.count(Severity::warning), 2U);
  EXPECT_EQ(summary(one), "error A m: s1 s2\nnote B m: s3\n");
}

}  // namespace
}  // namespace cmb2kueue::base
