// What is written is what the server returns after an apply: defaults filled in, quantities canonical, one order.
#include <gtest/gtest.h>

#include "decoding.h"

namespace cmb2kueue::kueue {
namespace {

using testing::Decoding;
using testing::manifest;

const char* const full_queue =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata:\n  labels:\n    team: a\n  name: q\nspec:\n"
    "  admissionChecksStrategy:\n    admissionChecks:\n    - name: check\n      onFlavors:\n      - f\n"
    "  admissionScope:\n    admissionMode: NoAdmissionFairSharing\n"
    "  cohortName: c\n  fairSharing:\n    weight: '2'\n"
    "  flavorFungibility:\n    preference: BorrowingOverPreemption\n    whenCanBorrow: TryNextFlavor\n"
    "    whenCanPreempt: TryNextFlavor\n"
    "  namespaceSelector:\n    matchExpressions:\n    - key: team\n      operator: In\n      values:\n      - a\n"
    "    matchLabels:\n      env: prod\n"
    "  preemption:\n    borrowWithinCohort:\n      maxPriorityThreshold: 100\n      policy: LowerPriority\n"
    "    reclaimWithinCohort: Any\n    withinClusterQueue: LowerPriority\n"
    "  queueingStrategy: StrictFIFO\n"
    "  resourceGroups:\n  - coveredResources:\n    - cpu\n    flavors:\n    - name: f\n      resources:\n"
    "      - borrowingLimit: 1k\n        lendingLimit: '0'\n        name: cpu\n        nominalQuota: 1500m\n"
    "  stopPolicy: Hold\n";

TEST(Encode, WritesBackWhatTheServerReturned) {
  const Decoding decoding(full_queue);
  EXPECT_EQ(decoding.told(), "");
  EXPECT_EQ(to_yaml(decoding.all.at(0).object), full_queue);
}

TEST(Encode, FillsInDefaultsAndCanonicalQuantities) {
  const Decoding decoding(
      manifest("ClusterQueue", "q",
               "{namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: "
               "[{name: cpu, nominalQuota: 12000m}]}]}]}"));
  EXPECT_EQ(to_yaml(decoding.all.at(0).object),
            "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata:\n  name: q\nspec:\n"
            "  flavorFungibility:\n    whenCanBorrow: MayStopSearch\n    whenCanPreempt: TryNextFlavor\n"
            "  namespaceSelector: {}\n"
            "  preemption:\n    borrowWithinCohort:\n      policy: Never\n    reclaimWithinCohort: Never\n"
            "    withinClusterQueue: Never\n"
            "  queueingStrategy: BestEffortFIFO\n"
            "  resourceGroups:\n  - coveredResources:\n    - cpu\n    flavors:\n    - name: f\n      resources:\n"
            "      - name: cpu\n        nominalQuota: '12'\n"
            "  stopPolicy: None\n");
}

// Every kind and every field survives being written and read again.
TEST(Encode, WhatIsWrittenReadsBackEqual) {
  const Decoding first(
      std::string(full_queue) + "---\n" +
      manifest("Cohort", "c",
               "{parentName: top, fairSharing: {weight: 500m}, resourceGroups: [{coveredResources: "
               "[memory], flavors: [{name: f, resources: [{name: memory, nominalQuota: 1536Mi}]}]}]}") +
      manifest(
          "ResourceFlavor", "f",
          "{nodeLabels: {pool: a}, nodeTaints: [{key: k, value: v, effect: NoSchedule}], tolerations: [{key: k, "
          "operator: Equal, value: v, effect: NoExecute, tolerationSeconds: 30}], topologyName: t}") +
      manifest("LocalQueue", "l", "{clusterQueue: q, stopPolicy: HoldAndDrain, fairSharing: {weight: 3}}") +
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: w}\nvalue: -5\n"
      "description: low\n---\n"
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: space, annotations: {'on': '1e3'}}\n---\n"
      "apiVersion: batch.example.com/v1\nkind: Thing\nmetadata: {name: x, namespace: space}\n");
  std::vector<Object> objects;
  for (const Decoded& one : first.all) objects.push_back(one.object);
  ASSERT_EQ(objects.size(), 7U) << first.told();
  const Decoding second(to_yaml(objects));
  ASSERT_EQ(second.all.size(), objects.size()) << second.told();
  for (std::size_t i = 0; i < objects.size(); ++i) EXPECT_EQ(second.all[i].object, objects[i]) << i;
  EXPECT_EQ(first.findings.count(base::Severity::warning), 0U) << first.told();
}

TEST(Encode, SpellingOfAQuotaNeverShows) {  // scenarios 1 and 2
  const auto written = [](const std::string& nominal) {
    return to_yaml(Decoding(manifest("Cohort", "c",
                                     "{resourceGroups: [{coveredResources: [r], flavors: [{name: f, resources: "
                                     "[{name: r, nominalQuota: " +
                                         nominal + "}]}]}]}"))
                       .all.at(0)
                       .object);
  };
  for (const auto& [a, b] : {std::pair("'0.5'", "500m"), {"3072Mi", "3Gi"}, {"1000", "1k"}, {"'1e3'", "1e3"}})
    EXPECT_EQ(Decoding(written(a)).object<Cohort>(), Decoding(written(b)).object<Cohort>()) << a << " " << b;
  EXPECT_EQ(written("1000"), written("'1k'"));
}

}  // namespace
}  // namespace cmb2kueue::kueue
