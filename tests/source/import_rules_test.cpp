// Every importer check has a sample that trips it and nothing worse, with a place and advice.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "cmb2kueue/source/source.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::source {
namespace {

using ::testing::HasSubstr;

struct Sample {
  std::string file;
  std::set<std::string> rules;
};

std::vector<Sample> samples() {
  std::vector<Sample> all;
  std::istringstream in(testing::read_file(testing::project_path("samples/bad/EXPECTED")));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    Sample sample;
    std::istringstream words(line);
    std::string rules;
    words >> sample.file >> rules;
    std::istringstream list(rules);
    for (std::string rule; std::getline(list, rule, ',');) sample.rules.insert(rule);
    all.push_back(sample);
  }
  return all;
}

base::Findings findings_of(base::SourceFiles& files, const std::string& name) {
  base::Findings findings;
  const bool jobs = name.ends_with(".jsonl");
  const auto add = [&](const std::string& file) {
    return files.add(file, testing::read_file(testing::project_path("samples/bad/" + file)));
  };
  base::Result<model::Model> model = read_export(files, add(jobs ? "export-of-jobs.json" : name), {}, findings);
  EXPECT_TRUE(model.ok()) << name << " " << testing::describe(model.status());
  if (jobs && model.ok()) {
    findings = {};
    EXPECT_TRUE(read_jobs(files, add(name), {}, model.value(), findings).ok()) << name;
  }
  return findings;
}

TEST(ImportRules, EverySampleTripsItsRulesAndNoOther) {
  for (const Sample& sample : samples()) {
    base::SourceFiles files;
    std::set<std::string> found;
    for (const base::FoldedFinding& finding : findings_of(files, sample.file).sorted()) {
      found.insert(finding.rule);
      EXPECT_TRUE(finding.instances.front().place.known()) << sample.file << " " << finding.rule;
      EXPECT_FALSE(finding.message.empty());
    }
    EXPECT_EQ(found, sample.rules) << sample.file;
  }
}

TEST(ImportRules, EveryRuleHasASample) {
  std::set<std::string> covered = {"E-UNKNOWN-FIELD"};  // the strict form of N-UNKNOWN-FIELD, below
  for (const Sample& sample : samples()) covered.insert(sample.rules.begin(), sample.rules.end());
  for (const ImportRule& rule : import_rules()) EXPECT_TRUE(covered.contains(std::string(rule.id))) << rule.id;
}

TEST(ImportRules, UnknownFieldsAreErrorsWhenAsked) {
  base::SourceFiles files;
  base::Findings findings;
  Options strict;
  strict.strict_unknown = true;
  const std::uint32_t file =
      files.add("x.json", testing::read_file(testing::project_path("samples/bad/unknown-field.json")));
  ASSERT_OK(read_export(files, file, strict, findings));
  ASSERT_EQ(findings.sorted().size(), 1U);
  EXPECT_EQ(findings.sorted()[0].rule, "E-UNKNOWN-FIELD");
  EXPECT_THAT(findings.sorted()[0].message, HasSubstr("did you mean \"tenantName\"?"));
}

TEST(ImportRules, AllProblemsOfAFileComeInOneRun) {
  std::string text = testing::read_file(testing::project_path("samples/bad/no-name.json"));
  const std::size_t at = text.find("\"cpu\": 4,");
  text.replace(at, 9, "\"cpu\": \"four\",");
  base::SourceFiles files;
  base::Findings findings;
  ASSERT_OK(read_export(files, files.add("two.json", text), {}, findings));
  std::set<std::string> rules;
  for (const base::FoldedFinding& finding : findings.sorted()) rules.insert(finding.rule);
  EXPECT_EQ(rules, (std::set<std::string>{"E-FIELD-MISSING", "E-FIELD-TYPE"}));
}

TEST(Samples, EveryGoodExportReadsWithoutErrors) {
  int read = 0;
  for (const std::string& path : testing::files_below(testing::project_path("samples"))) {
    const bool side_file = path.find("/bad/") != std::string::npos || path.find("mapping") != std::string::npos ||
                           path.find("acceptances") != std::string::npos || path.ends_with(".jsonl");
    if (side_file) continue;
    base::SourceFiles files;
    base::Findings findings;
    ASSERT_OK(read_export(files, files.add(path, testing::read_file(path)), {}, findings));
    EXPECT_EQ(findings.count(base::Severity::error), 0U) << path;
    ++read;
  }
  EXPECT_GE(read, 15);
}

TEST(Link, AMillionParentsInAChainAreRefusedNotWalkedForEver) {
  std::string text =
      "{\"apiVersion\":\"cmb-export/v1alpha1\",\"kind\":\"TenantExport\",\"exportId\":\"x\",\"tenants\":[";
  for (int i = 0; i < 200000; ++i)
    text += std::string(i == 0 ? "" : ",") + "{\"tenantId\":\"t" + std::to_string(i) +
            "\",\"tenantDefinition\":{\"tenantName\":\"n\",\"tenantEmailAddress\":\"n\",\"tenantType\":1,"
            "\"parentTenantId\":\"t" +
            std::to_string(i + 1) + "\"},\"tenantStatus\":[{\"state\":0}]}";
  text += "]}";
  base::SourceFiles files;
  base::Findings findings;
  ASSERT_OK(read_export(files, files.add("chain.json", text), {}, findings));
  std::set<std::string> rules;
  for (const base::FoldedFinding& finding : findings.sorted()) rules.insert(finding.rule);
  EXPECT_TRUE(rules.contains("E-DEPTH"));
  EXPECT_TRUE(rules.contains("E-PARENT-MISSING"));
}

}  // namespace
}  // namespace cmb2kueue::source
