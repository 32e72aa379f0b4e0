// Older spellings: converted where Kueue converts them, refused where it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decoding.h"
#include "support/files.h"

namespace cmb2kueue::kueue {
namespace {

using testing::Decoding;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::manifest;

TEST(V1beta1, IsReadAsKueueConvertsIt) {
  const Decoding decoding(
      manifest("ClusterQueue", "q",
               "{cohort: c, flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}, "
               "admissionChecks: [b, a]}",
               "v1beta1"));
  const ClusterQueue& queue = decoding.object<ClusterQueue>();
  EXPECT_EQ(queue.cohort, "c");
  EXPECT_EQ(queue.when_can_borrow, "MayStopSearch");
  EXPECT_EQ(queue.when_can_preempt, "MayStopSearch");
  EXPECT_EQ(queue.admission_checks, (std::vector<AdmissionCheckUse>{{"a", {}}, {"b", {}}}));
  EXPECT_EQ(decoding.findings.count(base::Severity::warning), 0U) << decoding.told();
  EXPECT_EQ(decoding.rules().at("KS-DEPRECATED"), 2U);
  EXPECT_THAT(decoding.told(), HasSubstr("write MayStopSearch; admission does not change"));
}

TEST(V1beta1, TheOldListOfChecksOverwritesTheStrategy) {
  const Decoding decoding(manifest(
      "ClusterQueue", "q",
      "{admissionChecks: [old], admissionChecksStrategy: {admissionChecks: [{name: new, onFlavors: [f]}]}}",
      "v1beta1"));
  EXPECT_EQ(decoding.object<ClusterQueue>().admission_checks, (std::vector<AdmissionCheckUse>{{"old", {}}}));
}

TEST(V1beta1, ItsWordsAreUnknownToV1beta2) {
  const Decoding decoding(
      manifest("ClusterQueue", "q", "{flavorFungibility: {whenCanBorrow: Borrow}, admissionChecks: [a]}"));
  EXPECT_EQ(decoding.rules().at("KS-ENUM"), 1U);
  EXPECT_EQ(decoding.rules().at("KS-UNKNOWN-FIELD"), 1U);
}

TEST(Versions, ACohortSpeltAsAnotherVersionSpellsItIsAnErrorAndStillRead) {
  for (const auto& [version, key] : {std::pair("v1beta2", "cohort"), {"v1beta1", "cohortName"}}) {
    const Decoding decoding(manifest("ClusterQueue", "q", std::string("{") + key + ": c}", version));
    EXPECT_EQ(decoding.rules().at("KS-LOST-EDGE"), 1U) << version;
    EXPECT_EQ(decoding.object<ClusterQueue>().cohort, "c");
  }
}

TEST(Versions, AParentSpeltAsV1alpha1DidIsAnErrorNotALostEdge) {
  const Decoding decoding(manifest("Cohort", "c", "{parent: top}"));
  EXPECT_THAT(decoding.told(), HasSubstr("KS-LOST-EDGE m.yaml:4:16 spec.parent"));
  EXPECT_THAT(decoding.told(), HasSubstr("write parentName"));
  EXPECT_EQ(decoding.object<Cohort>().parent, "top");
}

TEST(Versions, AlphaObjectsAreRefusedWithTheRewrite) {
  const Decoding decoding(manifest("Cohort", "c", "{parent: top}", "v1alpha1"));
  EXPECT_TRUE(decoding.all.empty());
  EXPECT_THAT(decoding.told(), HasSubstr("rename spec.parent to spec.parentName"));
  EXPECT_THAT(Decoding(manifest("Queue", "q", "{}", "v1alpha1")).told(), HasSubstr("kind LocalQueue"));
}

TEST(Versions, TheTableNamesOneVersionThatIsWritten) {
  std::vector<std::string> written;
  for (const Version& version : versions())
    if (version.written) written.emplace_back(version.name);
  EXPECT_THAT(written, ElementsAre("kueue.x-k8s.io/v1beta2"));
}

// Two files of one production queue, before and after its owners removed an old word and a default.
TEST(Versions, AFileWithOldWordsAndDefaultsMeansTheSame) {
  const std::string folder = testing::corpus_path("kueue-pairs");
  if (folder.empty()) GTEST_SKIP() << "no corpus beside the project";
  const Decoding before(testing::read_file(folder + "/konflux-defaulted-field-drift__before.yaml"));
  const Decoding after(testing::read_file(folder + "/konflux-defaulted-field-drift__after.yaml"));
  ASSERT_EQ(before.all.size(), after.all.size());
  for (std::size_t i = 0; i < before.all.size(); ++i)
    EXPECT_EQ(to_yaml(before.all[i].object), to_yaml(after.all[i].object));
}

}  // namespace
}  // namespace cmb2kueue::kueue
