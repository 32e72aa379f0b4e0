// What decoding reads and what it says about documents that are not as the schema wants them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decoding.h"

namespace cmb2kueue::kueue {
namespace {

using testing::Decoding;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::manifest;

std::string quota(const std::string& nominal) {
  return "{resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: " +
         nominal + "}]}]}]}";
}

base::Quantity nominal_of(const Decoding& decoding) {
  return decoding.object<ClusterQueue>().groups.at(0).flavors.at(0).resources.at(0).nominal;
}

TEST(Decode, FillsInTheDefaultsOfTheSchema) {
  const Decoding decoding(manifest("ClusterQueue", "q", "{namespaceSelector: {}}"));
  const ClusterQueue& queue = decoding.object<ClusterQueue>();
  EXPECT_EQ(queue.queueing_strategy, "BestEffortFIFO");
  EXPECT_EQ(queue.when_can_borrow, "MayStopSearch");
  EXPECT_EQ(queue.when_can_preempt, "TryNextFlavor");
  EXPECT_EQ(queue.reclaim_within_cohort, "Never");
  EXPECT_EQ(queue.stop_policy, "None");
  EXPECT_FALSE(queue.weight);
  EXPECT_EQ(queue, Decoding(manifest("ClusterQueue", "q",
                                     "{namespaceSelector: {}, stopPolicy: None, queueingStrategy: null, "
                                     "preemption: {}, flavorFungibility: {}}"))
                       .object<ClusterQueue>());
  EXPECT_EQ(decoding.told(), "");
}

TEST(Decode, KeepsAMissingSelectorApartFromAnEmptyOne) {
  EXPECT_TRUE(
      Decoding(manifest("ClusterQueue", "q", "{namespaceSelector: {}}")).object<ClusterQueue>().namespace_selector);
  EXPECT_FALSE(Decoding(manifest("ClusterQueue", "q", "{}")).object<ClusterQueue>().namespace_selector);
  EXPECT_FALSE(Decoding(manifest("ClusterQueue", "q", "{namespaceSelector: null}"))
                   .object<ClusterQueue>()
                   .namespace_selector);
}

TEST(Decode, AnEmptyFairSharingHasTheDefaultWeight) {
  const Decoding decoding(manifest("Cohort", "c", "{fairSharing: {}}"));
  ASSERT_TRUE(decoding.object<Cohort>().weight);
  EXPECT_EQ(*decoding.object<Cohort>().weight, base::Quantity::of(1, base::Unit::one));
}

TEST(Decode, TakesIntegersAndText) {  // scenario 7
  EXPECT_EQ(nominal_of(Decoding(manifest("ClusterQueue", "q", quota("2")))).to_string(), "2");
  EXPECT_EQ(nominal_of(Decoding(manifest("ClusterQueue", "q", quota("'0.5'")))).to_string(), "500m");
  EXPECT_EQ(nominal_of(Decoding(manifest("ClusterQueue", "q", quota("500m")))).to_string(), "500m");
  EXPECT_THAT(Decoding(manifest("ClusterQueue", "q", quota("500m"))).rules(), IsEmpty());
}

TEST(Decode, RefusesAnUnquotedFractionAsTheApiDoesAndReadsItAllTheSame) {  // scenario 7
  const Decoding decoding(manifest("ClusterQueue", "q", quota("0.5")));
  EXPECT_EQ(nominal_of(decoding).to_string(), "500m");
  EXPECT_THAT(decoding.told(), HasSubstr("KS-QUANTITY-FLOAT m.yaml:4:"));
  EXPECT_THAT(decoding.told(), HasSubstr("put it in quotes: \"0.5\""));
}

TEST(Decode, TakesAFloatWithAWholeValueSinceItReachesTheServerAsAnInteger) {  // scenario 7
  const Decoding decoding(manifest("ClusterQueue", "q", quota("1e3")));
  EXPECT_EQ(nominal_of(decoding), base::Quantity::of(1000, base::Unit::one));
  EXPECT_EQ(decoding.told(), "");
  EXPECT_TRUE(Decoding(manifest("ClusterQueue", "q", quota("1e300"))).rules().contains("KS-QUANTITY-FLOAT"));
}

TEST(Decode, RefusesQuantitiesOnlyThePatternWouldTake) {
  EXPECT_TRUE(Decoding(manifest("ClusterQueue", "q", quota("'1e1.5'"))).rules().contains("KS-QUANTITY"));
  EXPECT_TRUE(Decoding(manifest("ClusterQueue", "q", quota("' 5'"))).rules().contains("KS-QUANTITY"));
  EXPECT_TRUE(Decoding(manifest("ClusterQueue", "q", quota("5K"))).rules().contains("KS-QUANTITY"));
  EXPECT_TRUE(Decoding(manifest("ClusterQueue", "q", quota("true"))).rules().contains("KS-TYPE"));
  EXPECT_TRUE(Decoding(manifest("ClusterQueue", "q", quota("null"))).rules().contains("KS-REQUIRED"));
}

TEST(Decode, NamesAMisspeltFieldItsPlaceAndItsNeighbour) {
  const Decoding decoding(manifest("ClusterQueue", "q", "{namespaceSelektor: {}, stopPolicy: Nonne}"));
  EXPECT_THAT(decoding.told(), HasSubstr("KS-UNKNOWN-FIELD m.yaml:4:8 spec.namespaceSelektor"));
  EXPECT_THAT(decoding.told(), HasSubstr("did you mean \"namespaceSelector\"?"));
  EXPECT_THAT(decoding.told(), HasSubstr("did you mean \"None\"?"));
  EXPECT_THAT(Decoding("apiVersion: v1\nkind: Namespace\nmetadata: {name: n, lables: {}}\n").told(),
              HasSubstr("did you mean \"labels\"?"));
}

TEST(Decode, TellsEverythingInOneRun) {
  const Decoding decoding(manifest("ClusterQueue", "q",
                                   "{cohortName: '', resourceGroups: [{flavors: []}], preemption: 3, "
                                   "admissionChecksStrategy: {}, admissionScope: {}}"));
  const std::map<std::string, std::uint64_t> rules = decoding.rules();
  EXPECT_EQ(rules.at("KS-NAME"), 1U);
  EXPECT_EQ(rules.at("KS-COUNT"), 1U);
  EXPECT_EQ(rules.at("KS-TYPE"), 1U);
  EXPECT_EQ(rules.at("KS-REQUIRED"), 3U) << decoding.told();  // coveredResources, admissionChecks, admissionMode
}

TEST(Decode, ReadsChecksSortedAndRefusesTwins) {
  const Decoding decoding(manifest(
      "ClusterQueue", "q",
      "{admissionChecksStrategy: {admissionChecks: [{name: b, onFlavors: [y, x, y]}, {name: a}, {name: a}]}}"));
  EXPECT_EQ(decoding.object<ClusterQueue>().admission_checks.at(0).name, "a");
  EXPECT_EQ(decoding.rules().at("KS-DUPLICATE"), 2U);
}

TEST(Decode, SaysWhatItDoesNotCarryOver) {
  EXPECT_TRUE(Decoding(manifest("ClusterQueue", "q", "{concurrentAdmissionPolicy: {migration: {mode: x}}}"))
                  .rules()
                  .contains("KS-NOT-CARRIED"));
  EXPECT_TRUE(Decoding(manifest("ResourceFlavor", "f",
                                "{nodeTaints: [{key: k, effect: NoSchedule, timeAdded: '2026-01-01T00:00:00Z'}]}"))
                  .rules()
                  .contains("KS-NOT-CARRIED"));
}

TEST(Decode, IgnoresWhatBelongsToTheServer) {
  const Decoding decoding(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata:\n  name: l\n  namespace: space\n  uid: u\n"
      "  generation: 3\n  managedFields: [{manager: m}]\n  finalizers: [x]\n  annotations:\n"
      "    kubectl.kubernetes.io/last-applied-configuration: '{}'\n    team: a\n"
      "spec: {clusterQueue: q}\nstatus: {pendingWorkloads: 3}\n");
  EXPECT_EQ(decoding.told(), "");
  EXPECT_EQ(decoding.object<LocalQueue>().meta.annotations, (Pairs{{"team", "a"}}));
}

TEST(Decode, DropsTheLabelTheServerGivesEveryNamespace) {
  const Decoding decoding(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: n, labels: {kubernetes.io/metadata.name: n, team: a}}\n");
  EXPECT_EQ(decoding.object<Namespace>().meta.labels, (Pairs{{"team", "a"}}));
}

TEST(Decode, UnfoldsListsAlsoWhereItemsDoNotSayWhatTheyAre) {
  const Decoding mixed(
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: a}}\n"
      "- {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: b}}\n");
  EXPECT_EQ(mixed.all.size(), 2U);
  const Decoding typed(
      "apiVersion: v1\nkind: NamespaceList\nitems: [{metadata: {name: a}}, {metadata: {name: b}}]\n");
  EXPECT_EQ(to_string(key_of(typed.all.at(1).object)), "Namespace/b");
  EXPECT_EQ(typed.told() + mixed.told(), "");
}

TEST(Decode, LeavesForeignKindsUnjudgedButKnowsTheirNames) {
  const Decoding decoding(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: t}\nspec: {levels: 3}\n");
  EXPECT_FALSE(decoding.all.at(0).judged);
  EXPECT_EQ(to_string(key_of(decoding.all.at(0).object)), "Topology.kueue.x-k8s.io/t");
  EXPECT_THAT(decoding.told(), HasSubstr("KS-NOT-JUDGED m.yaml:1:1"));
}

TEST(Decode, SaysWhatIsNoObject) {
  EXPECT_TRUE(Decoding("- 1\n- 2\n").rules().contains("KS-KIND"));
  EXPECT_TRUE(Decoding("kind: ClusterQueue\n").rules().contains("KS-KIND"));
  EXPECT_TRUE(Decoding("apiVersion: v1\nkind: Namespace\nmetadata: {}\n").rules().contains("KS-KIND"));
  EXPECT_THAT(Decoding("apiVersion: v1\nkind: Namespace\nmetadata: {generateName: a-}\n").told(),
              HasSubstr("a name made by the server can be neither compared nor referred to"));
}

TEST(Decode, DropsANamespaceWhereThereIsNoneAndSaysSo) {
  const Decoding decoding("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: c, namespace: n}\n");
  EXPECT_EQ(decoding.object<Cohort>().meta.name_space, "");
  EXPECT_THAT(decoding.told(), HasSubstr("KS-NO-NAMESPACE m.yaml:3:32 metadata.namespace"));
}

}  // namespace
}  // namespace cmb2kueue::kueue
