// Locks as Leases: made once, and changed only by who has read what is there.
#include <gtest/gtest.h>

#include "fake_transport.h"
#include "kube_records.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using nlohmann::json;
using testing::Fails;
using ::testing::HasSubstr;

const std::string home = "/api/v1/namespaces/cmb2kueue-system";
const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/cmb2kueue-system/leases/";

// A lock's text as the cutover writes it.
std::string lock_of(const std::string& host) {
  return R"({"host":")" + host +
         R"(","pid":42,"leaseSeconds":60,"since":"2026-03-04T05:06:07Z","renewed":"2026-03-04T05:07:07Z"})";
}

class KubeLeasesTest : public ::testing::Test {
 protected:
  void SetUp() override { cluster_.api.plant(home, {{"metadata", {{"name", "cmb2kueue-system"}}}}); }
  std::string there() const {
    return cluster_.api.objects.at(leases + "cell")["metadata"]["annotations"]["cmb2kueue.io/lock"];
  }
  FakeCluster cluster_;
  KubeRecords ours_{cluster_.client};
  KubeRecords theirs_{cluster_.client};
};

TEST_F(KubeLeasesTest, ALockIsALeaseThatPeopleCanRead) {
  ASSERT_OK(ours_.create("lock", lock_of("heron"), 0600));
  const json spec = cluster_.api.objects.at(leases + "cell")["spec"];
  EXPECT_EQ(spec["holderIdentity"], "heron/42");
  EXPECT_EQ(spec["leaseDurationSeconds"], 60);
  EXPECT_EQ(spec["acquireTime"], "2026-03-04T05:06:07.000000Z");
  EXPECT_EQ(spec["renewTime"], "2026-03-04T05:07:07.000000Z");
  ASSERT_OK(ours_.create("lock-marsh", lock_of("heron"), 0600));
  EXPECT_TRUE(cluster_.api.objects.contains(leases + "tenant-marsh"));
  EXPECT_EQ(std::move(ours_.read("lock-marsh")).value(), lock_of("heron"));
}

TEST_F(KubeLeasesTest, OneOfTwoGetsTheLock) {
  ASSERT_OK(ours_.create("lock", lock_of("heron"), 0600));
  EXPECT_THAT(theirs_.create("lock", lock_of("egret"), 0600), Fails(ErrorKind::conflict, HasSubstr("lock")));
  EXPECT_EQ(there(), lock_of("heron"));
}

TEST_F(KubeLeasesTest, ALostAnswerOfTakingItIsLookedUp) {
  cluster_.transport.inject("POST", failed_answer(Failure::unknown), true);
  ASSERT_OK(ours_.create("lock", lock_of("heron"), 0600));
  cluster_.transport.inject("POST", failed_answer(Failure::unknown));
  EXPECT_THAT(theirs_.create("lock", lock_of("egret"), 0600), Fails(ErrorKind::conflict, HasSubstr("exists")));
}

TEST_F(KubeLeasesTest, RenewingIsRefusedWhenItChangedSinceItWasRead) {
  ASSERT_OK(ours_.create("lock", lock_of("heron"), 0600));
  ASSERT_OK(ours_.read("lock"));
  ASSERT_OK(theirs_.read("lock"));
  ASSERT_OK(theirs_.replace("lock", lock_of("egret"), 0600));
  EXPECT_THAT(ours_.replace("lock", lock_of("ibis"), 0600), Fails(ErrorKind::conflict, HasSubstr("lock")));
  EXPECT_EQ(there(), lock_of("egret"));
  ASSERT_OK(ours_.read("lock"));
  ASSERT_OK(ours_.replace("lock", lock_of("ibis"), 0600));
  EXPECT_EQ(there(), lock_of("ibis"));
}

TEST_F(KubeLeasesTest, RemovingIsRefusedWhenItChangedSinceItWasRead) {
  ASSERT_OK(ours_.create("lock", lock_of("heron"), 0600));
  ASSERT_OK(ours_.read("lock"));
  ASSERT_OK(theirs_.read("lock"));
  ASSERT_OK(theirs_.replace("lock", lock_of("egret"), 0600));
  EXPECT_THAT(ours_.remove("lock"), Fails(ErrorKind::conflict, HasSubstr("lock")));
  EXPECT_EQ(there(), lock_of("egret"));
  ASSERT_OK(ours_.read("lock"));
  ASSERT_OK(ours_.remove("lock"));
  EXPECT_EQ(ours_.kind_of("lock"), "");
  EXPECT_THAT(ours_.remove("lock"), Fails(ErrorKind::not_found, HasSubstr("lock")));
}

// Taken for removed, it would keep everybody out until it runs out.
TEST_F(KubeLeasesTest, ALockWhoseRemovalWasLostIsNotTakenForRemoved) {
  ASSERT_OK(ours_.create("lock", lock_of("heron"), 0600));
  ASSERT_OK(ours_.read("lock"));
  cluster_.transport.inject("DELETE", plain_answer(504));
  EXPECT_FALSE(ours_.remove("lock").ok());
  ASSERT_OK(ours_.remove("lock"));
  EXPECT_EQ(ours_.kind_of("lock"), "");
}

TEST_F(KubeLeasesTest, ALeaseOfAnothersMakingHoldsNoLockOfOurs) {
  cluster_.api.plant(leases + "cell", {{"metadata", {{"name", "cell"}}}});
  EXPECT_EQ(std::move(ours_.read("lock")).value(), "{}");
}

}  // namespace
}  // namespace cmb2kueue::target
