// Bundles of a cluster: their versions, what a cut-off write leaves, what goes by itself.
#include "kube_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_transport.h"
#include "kube_cluster.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

kueue::Object cohort(const std::string& name, const std::string& parent) {
  kueue::Cohort made;
  made.meta.name = name;
  made.parent = parent;
  return made;
}

class KubeTargetTest : public ::testing::Test {
 protected:
  KubeTargetTest() {
    OpenOptions options;
    options.clock = &clock_;
    std::unique_ptr<FakeTransport> transport = std::make_unique<FakeTransport>();
    wire_ = transport.get();
    target_ = std::make_unique<KubeTarget>(
        std::move(transport), std::make_unique<Credentials>(Connection(), files_, clock_, PluginRunner()),
        "kube:test", options);
  }
  base::FixedClock clock_{1'700'000'000'000};
  base::MemoryFileSystem files_;
  FakeTransport* wire_ = nullptr;
  std::unique_ptr<KubeTarget> target_;
  const Bundle bundle_{"shared/one", {cohort("one", "heron")}};
  const BundleRef ref_{"shared/one", keys_of(bundle_.objects)};
};

TEST_F(KubeTargetTest, AVersionIsKnownBeforeTheWriteAndFollowsTheContent) {
  EXPECT_FALSE(target_->capture(ref_).value().existed);
  const base::Result<std::string> put = target_->put(bundle_, "");
  ASSERT_OK(put);
  EXPECT_EQ(put.value(), target_->version_after(bundle_));
  EXPECT_EQ(target_->capture(ref_).value().version, put.value());
  EXPECT_NE(target_->version_after({"shared/one", {cohort("one", "crane")}}), put.value());
  EXPECT_THAT(target_->put({"shared/one", {cohort("one", "crane")}}, "").status(),
              Fails(ErrorKind::conflict, HasSubstr("exists already")));
}

// Removal may have been asked for by a run that gave up waiting; then the object goes while the next one looks.
TEST_F(KubeTargetTest, WhatIsGoneAlreadyNeedsNoRemoving) {
  const base::Result<std::string> put = target_->put(bundle_, "");
  ASSERT_OK(put);
  ASSERT_OK(target_->put({"shared/one", {}, ref_.keys}, put.value()));
  EXPECT_EQ(target_->put({"shared/one", {}, ref_.keys}, put.value()).value(), "");
  Image nothing;
  nothing.bundle = "shared/one";
  nothing.keys = ref_.keys;
  ASSERT_OK(target_->restore(nothing, put.value()));
  EXPECT_THAT(target_->put(bundle_, put.value()).status(), Fails(ErrorKind::conflict, HasSubstr("is gone")));
}

TEST(GitopsOwners, AreFoundByWhatTheyLeaveOnObjects) {
  FakeCluster cluster;
  const std::string cohorts = "/apis/kueue.x-k8s.io/v1beta2/cohorts/";
  const auto plant = [&](const std::string& name, const std::string& where, const std::string& key) {
    cluster.api.plant(cohorts + name, {{"kind", "Cohort"}, {"metadata", {{"name", name}, {where, {{key, "x"}}}}}});
  };
  plant("by-argo", "annotations", "argocd.argoproj.io/tracking-id");
  plant("by-flux", "labels", "kustomize.toolkit.fluxcd.io/name");
  plant("by-hand", "labels", "team.example.com/name");
  base::Findings findings;
  ASSERT_OK(find_gitops_owners(cluster.client, findings));
  std::string found;
  for (const base::FoldedFinding& finding : findings.sorted())
    for (const base::FoldedFinding::Instance& one : finding.instances)
      found += finding.rule + " " + finding.message + " " + one.subject + "\n";
  EXPECT_EQ(found,
            "K-OWNER Argo CD keeps the object Cohort/by-argo\nK-OWNER Flux keeps the object Cohort/by-flux\n");
}

TEST(IsBetween, HoldsObjectByObject) {
  EXPECT_TRUE(is_between("a=1;b=1", "a=1;b=1", "a=2;b=2"));
  EXPECT_TRUE(is_between("a=2;b=1", "a=1;b=1", "a=2;b=2"));
  EXPECT_TRUE(is_between("a=2", "", "a=2;b=2")) << "only the first was made";
  EXPECT_TRUE(is_between("a=1", "a=1;b=1", "")) << "the last made went first";
  EXPECT_FALSE(is_between("a=3;b=1", "a=1;b=1", "a=2;b=2"));
  EXPECT_FALSE(is_between("a=1;c=1", "a=1", "a=2"));
  EXPECT_TRUE(is_between("0f", "0f", "1f"));
  EXPECT_FALSE(is_between("2f", "0f", "1f")) << "a file is one or the other";
}

}  // namespace
}  // namespace cmb2kueue::target
