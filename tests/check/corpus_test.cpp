// Manifests other people wrote: every file ends with a verdict, and the verdict is what the API would say.
#include <gtest/gtest.h>

#include <map>

#include "cmb2kueue/check/check.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/kueue/api.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::check {
namespace {

// Rule ids with their counts; "unparsable" for what is not YAML.
std::map<std::string, std::uint64_t> verdict(const std::string& text) {
  base::SourceFiles files;
  base::Findings findings;
  std::map<std::string, std::uint64_t> rules;
  const base::Result<std::vector<doc::Document>> documents = doc::parse_all(files, files.add("x", text));
  if (!documents.ok()) return {{"unparsable", 1}};
  Checker checker{Options{false, true}};
  for (const doc::Document& document : documents.value())
    for (const kueue::Decoded& decoded : kueue::decode(document.root(), findings))
      checker.add(decoded.object, decoded.place, findings, decoded.node);
  checker.finish(findings);
  for (const base::FoldedFinding& finding : findings.sorted()) rules[finding.rule] += finding.count;
  return rules;
}

std::string corpus_file(const std::string& name) {
  return testing::read_file(testing::corpus_path("kueue/" + name));
}

TEST(Corpus, EveryFileEndsWithAVerdict) {
  if (testing::corpus_path("kueue").empty()) GTEST_SKIP() << "no corpus beside the project";
  std::string golden;
  for (const char* folder : {"kueue", "kueue-pairs"})
    for (const std::string& path : testing::files_below(testing::corpus_path(folder))) {
      golden += path.substr(path.rfind('/') + 1) + ":";
      for (const auto& [rule, count] : verdict(testing::read_file(path)))
        golden += " " + rule + "=" + std::to_string(count);
      golden += "\n";
    }
  testing::expect_golden("tests/check/corpus-verdicts.txt", golden);
}

TEST(Corpus, WhatTheApiRefusesIsRefused) {
  if (testing::corpus_path("kueue").empty()) GTEST_SKIP() << "no corpus beside the project";
  EXPECT_TRUE(verdict(corpus_file("konflux__dev-wrong-resource-order.yaml")).contains("KQ-ORDER"));
  EXPECT_TRUE(verdict(corpus_file("llm-on-gke__kueue-ray__queues-missing-resources.yaml"))
                  .contains("KQ-MISSING-RESOURCES"));
  EXPECT_TRUE(verdict(corpus_file("pradeeptalari14__tp-gpu-scheduler__bad-strategy.yaml")).contains("KS-ENUM"));
  EXPECT_TRUE(verdict(corpus_file("issue-3779__hierarchical-v1alpha1-cohorts.yaml")).contains("KS-VERSION"));
  EXPECT_TRUE(
      verdict(corpus_file("rubaiyat2009__ckad-rke2__clusterqueue-broken-yaml.yaml")).contains("unparsable"));
}

TEST(Rules, MoreResourcesThanCoveredNeverCrash) {  // scenario 37
  const auto rules = verdict(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  namespaceSelector: "
      "{}\n"
      "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n    - name: f\n      resources:\n"
      "      - {name: cpu, nominalQuota: 1}\n      - {name: memory, nominalQuota: 1Gi}\n");
  EXPECT_TRUE(rules.contains("KQ-MISSING-RESOURCES"));
}

TEST(Rules, UnitsThatDoNotFitTheirResource) {  // scenario 6
  const auto rules = verdict(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  namespaceSelector: "
      "{}\n"
      "  resourceGroups:\n  - coveredResources: [cpu, memory, pods, nvidia.com/gpu]\n    flavors:\n    - name: f\n"
      "      resources:\n      - {name: cpu, nominalQuota: 100Mi}\n      - {name: memory, nominalQuota: 500m}\n"
      "      - {name: pods, nominalQuota: '1.5'}\n      - {name: nvidia.com/gpu, nominalQuota: 500m}\n");
  EXPECT_GE(rules.at("KQ-UNIT"), 4U);
}

TEST(Rules, IntegersAndTextAreTakenFloatsAreRefusedAsTheApiDoes) {  // scenario 7
  const std::string head =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  namespaceSelector: "
      "{}\n"
      "  resourceGroups:\n  - coveredResources: [cpu, memory]\n    flavors:\n    - name: f\n      resources:\n"
      "      - {name: memory, nominalQuota: 1Gi}\n";
  const auto with = [&](const std::string& cpu) {
    std::string text = head;
    text.replace(text.find("      - {name: memory"), 0, "      - {name: cpu, nominalQuota: " + cpu + "}\n");
    return verdict(text);
  };
  EXPECT_FALSE(with("2").contains("KS-QUANTITY-FLOAT"));
  EXPECT_FALSE(with("\"0.5\"").contains("KS-QUANTITY-FLOAT"));
  EXPECT_TRUE(with("0.5").contains("KS-QUANTITY-FLOAT"));
  EXPECT_TRUE(with("-1").contains("KQ-NEGATIVE"));
}

TEST(Rules, ALimitNeedsSomebodyToBorrowFrom) {
  const auto rules = verdict(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: a}\nspec:\n  resourceGroups:\n"
      "  - coveredResources: [cpu]\n    flavors:\n    - name: f\n      resources:\n"
      "      - {name: cpu, nominalQuota: 1, borrowingLimit: 0}\n");
  EXPECT_TRUE(rules.contains("KQ-LIMIT-WITHOUT-COHORT"));
}

TEST(Rules, CirclesOfCohortsAreFoundOffline) {
  const auto rules = verdict(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: a}\nspec: {parentName: b}\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: b}\nspec: {parentName: a}\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: c}\nspec: {parentName: c}\n");
  EXPECT_EQ(rules.at("KQ-CYCLE"), 3U);
}

}  // namespace
}  // namespace cmb2kueue::check
