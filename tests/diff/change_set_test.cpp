// Differences by value, on texts that spell the same thing in two ways and on real histories.
#include "cmb2kueue/diff/change_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmb2kueue/diff/effective.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/kueue/api.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::diff {
namespace {

std::vector<kueue::Object> objects(const std::string& text) {
  base::SourceFiles files;
  base::Findings findings;
  std::vector<kueue::Object> all;
  const base::Result<std::vector<doc::Document>> documents = doc::parse_all(files, files.add("x", text));
  EXPECT_TRUE(documents.ok());
  for (const doc::Document& document : documents.value())
    for (kueue::Decoded& one : kueue::decode(document.root(), findings)) all.push_back(std::move(one.object));
  return all;
}

std::string queue(const std::string& cpu, const std::string& memory) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  resourceGroups:\n"
         "  - coveredResources: [cpu, memory]\n    flavors:\n    - name: f\n      resources:\n"
         "      - {name: cpu, nominalQuota: " +
         cpu + "}\n      - {name: memory, nominalQuota: " + memory + "}\n";
}

TEST(ChangeSet, SpellingIsNeverADifference) {  // scenario 1
  const std::pair<std::string, std::string> pairs[] = {
      {"'0.5'", "500m"}, {"12000m", "12"}, {"1000", "1k"}, {"'1e3'", "1k"}};
  for (const auto& [a, b] : pairs)
    EXPECT_FALSE(change_set(objects(queue(a, "3072Mi")), objects(queue(b, "3Gi"))).differs()) << a;
  EXPECT_TRUE(change_set(objects(queue("1", "3Gi")), objects(queue("2", "3Gi"))).differs());
  EXPECT_TRUE(change_set(objects(queue("1", "3G")), objects(queue("1", "3Gi"))).differs());
}

constexpr const char* two_flavors = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - {name: a, resources: [{name: cpu, nominalQuota: 1}, {name: memory, nominalQuota: 2Gi}]}
    - {name: b, resources: [{name: cpu, nominalQuota: 3}, {name: memory, nominalQuota: 4Gi}]}
  - coveredResources: [pods]
    flavors:
    - {name: c, resources: [{name: pods, nominalQuota: 5}]}
)";

// The same by value in the words of v1beta1: groups and rows in another order, every default spelt out.
constexpr const char* two_flavors_respelt = R"(apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: q}
spec:
  queueingStrategy: BestEffortFIFO
  stopPolicy: None
  flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: TryNextFlavor}
  preemption: {reclaimWithinCohort: Never, withinClusterQueue: Never, borrowWithinCohort: {policy: Never}}
  fairSharing: {weight: 1000m}
  resourceGroups:
  - coveredResources: [pods]
    flavors:
    - {name: c, resources: [{name: pods, nominalQuota: "5"}]}
  - coveredResources: [memory, cpu]
    flavors:
    - {name: a, resources: [{name: memory, nominalQuota: 2048Mi}, {name: cpu, nominalQuota: 1000m}]}
    - {name: b, resources: [{name: memory, nominalQuota: 4294967296}, {name: cpu, nominalQuota: 3}]}
)";

TEST(ChangeSet, OrderWithoutMeaningAndDefaultsAreNeverADifference) {
  const ChangeSet set = change_set(objects(two_flavors), objects(two_flavors_respelt), true);
  ASSERT_EQ(set.changes.size(), 1U);
  EXPECT_THAT(set.changes[0].fields, ::testing::IsEmpty());
  EXPECT_EQ(set.changes[0].action, Action::same);
  EXPECT_EQ(set.same, 1U);
}

TEST(ChangeSet, TheOrderInWhichFlavorsAreTriedIsADifference) {
  std::vector<kueue::Object> before = objects(two_flavors), after = before;
  std::vector<kueue::FlavorQuotas>& flavors = std::get<kueue::ClusterQueue>(after[0]).groups[0].flavors;
  std::swap(flavors[0], flavors[1]);
  const ChangeSet set = change_set(before, after);
  ASSERT_EQ(set.updates, 1U);
  ASSERT_EQ(set.changes[0].fields.size(), 1U);
  EXPECT_EQ(set.changes[0].fields[0].path, "spec.resourceGroups");
  EXPECT_EQ(set.changes[0].fields[0].before, "a then b for cpu, memory; c for pods");
  EXPECT_EQ(set.changes[0].fields[0].after, "b then a for cpu, memory; c for pods");
}

TEST(ChangeSet, NamesTheRowThatChangedAndSortsFields) {
  std::vector<kueue::Object> before = objects(two_flavors), after = before;
  kueue::ClusterQueue& queue = std::get<kueue::ClusterQueue>(after[0]);
  queue.groups[0].flavors[1].resources[1].nominal = base::Quantity::parse("4.5Gi").value();
  queue.groups[1].flavors[0].resources[0].borrowing_limit = base::Quantity();
  queue.cohort = "all";
  const ChangeSet set = change_set(before, after);
  ASSERT_EQ(set.changes.size(), 1U);
  std::vector<std::string> lines;
  for (const FieldChange& field : set.changes[0].fields)
    lines.push_back(field.path + ": " + field.before + " -> " + field.after);
  EXPECT_THAT(lines, ::testing::ElementsAre("spec.cohortName:  -> all",
                                            "spec.resourceGroups[b/memory].nominalQuota: 4Gi -> 4608Mi",
                                            "spec.resourceGroups[c/pods].borrowingLimit:  -> 0"));
}

TEST(ChangeSet, WhatIsWrittenReadsBackAsItWas) {  // scenario 2
  for (const kueue::Object& object : objects(queue("'0.5'", "3072Mi"))) {
    const std::string text = kueue::to_yaml(object);
    const std::vector<kueue::Object> again = objects(text);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0], object);
    EXPECT_EQ(kueue::to_yaml(again[0]), text);
  }
}

TEST(ChangeSet, RealHistories) {
  const std::string folder = testing::corpus_path("kueue-pairs");
  if (folder.empty()) GTEST_SKIP() << "no corpus beside the project";
  const auto read = [&](const std::string& name) {
    return objects(testing::read_file(folder + "/" + name + ".yaml"));
  };
  const auto compare = [&](const std::string& stem) {
    return change_set(read(stem + "__before"), read(stem + "__after"));
  };
  EXPECT_FALSE(compare("konflux-defaulted-field-drift").differs());
  const ChangeSet pause = compare("konflux-pause-by-zero-quota");
  ASSERT_EQ(pause.updates, 1U);
  EXPECT_TRUE(pause.changes[0].fields[0].path.ends_with("nominalQuota"));
  EXPECT_EQ(pause.changes[0].fields[0].after, "0");
  EXPECT_TRUE(compare("konflux-resource-name-sanitised").differs());
  EXPECT_FALSE(
      effective_changes(read("konflux-pause-by-zero-quota__before"), read("konflux-pause-by-zero-quota__after"))
          .empty());
}

}  // namespace
}  // namespace cmb2kueue::diff
