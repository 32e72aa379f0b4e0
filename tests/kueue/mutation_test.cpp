// Documents spoilt at random: decoding ends, says something, and what it read can be written and read again.
#include "mutation.h"

#include <gtest/gtest.h>

#include "decoding.h"

namespace cmb2kueue::kueue {
namespace {

using testing::Decoding;
using testing::manifest;

std::string whole() {
  return manifest(
             "ClusterQueue", "q",
             "{cohortName: c, namespaceSelector: {matchLabels: {a: b}, matchExpressions: [{key: k, operator: In, "
             "values: [v]}]}, resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: f, resources: "
             "[{name: cpu, nominalQuota: 1, borrowingLimit: 2}, {name: memory, nominalQuota: 1Gi, lendingLimit: "
             "0}]}]}], preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}, "
             "admissionChecksStrategy: {admissionChecks: [{name: x, onFlavors: [f]}]}, fairSharing: {weight: 2}}") +
         manifest("Cohort", "c", "{parentName: p, fairSharing: {weight: 2}}") +
         manifest("LocalQueue", "l", "{clusterQueue: q, stopPolicy: Hold}") +
         manifest("ResourceFlavor", "f",
                  "{nodeLabels: {a: b}, nodeTaints: [{key: k, effect: NoSchedule}], tolerations: [{operator: "
                  "Exists}], topologyName: t}");
}

TEST(Mutation, SpoiltDocumentsNeverBreakTheDecoder) {
  const Decoding sound(whole());
  ASSERT_EQ(sound.told(), "");
  std::size_t read = 0, told = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    for (const doc::Document& document : sound.documents) {
      const Decoding spoilt(testing::spoilt(document.root(), seed, 4 + seed % 20));
      read += spoilt.all.size();
      told += spoilt.told().empty() ? 0 : 1;
      std::vector<Object> objects;
      for (const Decoded& one : spoilt.all) objects.push_back(one.object);
      EXPECT_EQ(Decoding(to_yaml(objects)).all.size(), objects.size()) << "seed " << seed;
    }
  EXPECT_GT(read, 1000U);
  EXPECT_GT(told, 1000U);
}

}  // namespace
}  // namespace cmb2kueue::kueue
