// Taking objects away, and putting back what a snapshot holds.
#include <algorithm>

#include "fake_ownership.h"
#include "kube_writer_fixture.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using nlohmann::json;
using ::testing::AllOf;
using testing::Fails;
using ::testing::HasSubstr;

class KubeRemovalTest : public KubeWriterFixture {
 protected:
  base::Status remove() {
    LiveObject now = get(queue_key);
    transport().requests.clear();
    return writer().remove(queue_key, std::move(now));
  }
};

TEST_F(KubeRemovalTest, RemovesWhatWasReadAndNothingNewer) {
  plant(queue_path, queue("birds"), "egret");
  const json metadata = live(queue_path)["metadata"];
  ASSERT_OK(remove());
  EXPECT_FALSE(api().objects.contains(queue_path));
  const json options = json::parse(transport().requests.front().body);
  EXPECT_EQ(options["preconditions"]["uid"], metadata["uid"]);
  EXPECT_EQ(options["preconditions"]["resourceVersion"], metadata["resourceVersion"]);
  ASSERT_OK(remove());
  EXPECT_EQ(writes(), "") << "what is gone needs no removal";
}

TEST_F(KubeRemovalTest, ATouchedStatusIsNoConflictAChangedContentIs) {
  plant(queue_path, queue("birds"), "egret");
  transport().before("DELETE", [&] {
    live(queue_path)["spec"]["cohortName"] = "fish";
    api().touch(queue_path);
  });
  EXPECT_THAT(remove(), Fails(ErrorKind::conflict, HasSubstr("changed by somebody else")));
  EXPECT_TRUE(api().objects.contains(queue_path));
  transport().before("DELETE", [&] { api().touch(queue_path); });
  ASSERT_OK(remove());
  EXPECT_FALSE(api().objects.contains(queue_path));
}

TEST_F(KubeRemovalTest, ALostAnswerIsLookedUp) {
  plant(queue_path, queue("birds"), "egret");
  transport().inject("DELETE", failed_answer(Failure::unknown));
  ASSERT_OK(remove());
  EXPECT_FALSE(api().objects.contains(queue_path));
  plant(queue_path, queue("birds"), "egret");
  transport().inject("DELETE", failed_answer(Failure::unknown), true);
  ASSERT_OK(remove());
}

TEST_F(KubeRemovalTest, WaitsForFinalizers) {
  plant(queue_path, queue("birds"), "egret");
  live(queue_path)["metadata"]["finalizers"] = {"keep"};
  for (int i = 0; i < 6; ++i)  // one look before, five while it waits
    transport().before("GET", [&, i] {
      if (i == 5) api().objects.erase(queue_path);
    });
  ASSERT_OK(remove());
  EXPECT_GT(cluster_.waited(), 0);
  EXPECT_LT(cluster_.waited(), 60'000);
}

TEST_F(KubeRemovalTest, FinalizersThatStayInterrupt) {
  plant(queue_path, queue("birds"), "egret");
  live(queue_path)["metadata"]["finalizers"] = {"kueue.x-k8s.io/resource-in-use"};
  EXPECT_THAT(remove(), Fails(ErrorKind::interrupted,
                              AllOf(HasSubstr("ClusterQueue/heron"), HasSubstr("kueue.x-k8s.io/resource-in-use"))));
  EXPECT_GE(cluster_.waited(), 60'000);
  EXPECT_LT(cluster_.waited(), 65'000);
}

TEST_F(KubeRemovalTest, ASignalEndsTheWait) {
  plant(queue_path, queue("birds"), "egret");
  live(queue_path)["metadata"]["finalizers"] = {"keep"};
  const volatile int stop = 1;
  options_.stop = &stop;
  EXPECT_THAT(remove(), Fails(ErrorKind::interrupted, HasSubstr("being removed")));
  EXPECT_EQ(cluster_.waited(), 0);
}

// The same name made anew is not what was to go, and no reason to wait.
TEST_F(KubeRemovalTest, WhatIsMadeAnewMeanwhileIsLeftAlone) {
  plant(queue_path, queue("birds"), "egret");
  live(queue_path)["metadata"]["finalizers"] = {"keep"};
  LiveObject now = get(queue_key);
  transport().before("GET", [&] { plant(queue_path, queue("fish"), "egret"); });
  ASSERT_OK(writer().remove(queue_key, std::move(now)));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "fish");
}

class PutBackTest : public KubeWriterFixture {
 protected:
  void SetUp() override {
    KubeWriterFixture::SetUp();
    plant(queue_path, queue("birds"), "egret");
    live(queue_path)["status"] = {{"pendingWorkloads", 3}};
    planted_ = live(queue_path);
    snapshot_ = get(queue_key);
  }
  base::Status put_back() { return writer().put_back(queue_key, snapshot_.root(), get(queue_key)); }
  void expect_restored() {
    EXPECT_EQ(get(queue_key).content(), snapshot_.content());
    EXPECT_EQ(owned_by(live(queue_path), "egret", "Update"), owned_by(planted_, "egret", "Update"));
    for (const char* operation : {"Update", "Apply"})
      EXPECT_TRUE(owned_by(live(queue_path), "cmb2kueue", operation).empty());
  }
  json planted_;
  LiveObject snapshot_;
};

TEST_F(PutBackTest, PutsValuesBackAndThenTheirOwners) {
  options_.take_over = {"egret"};
  ASSERT_OK(write(queue("fish")));
  ASSERT_OK(put_back());
  expect_restored();
  EXPECT_EQ(writes().substr(writes().size() - 7), "PUT PUT");
  EXPECT_EQ(live(queue_path)["status"]["pendingWorkloads"], 3);
}

TEST_F(PutBackTest, WhatIsThereAlreadyNeedsNoWrite) {
  transport().requests.clear();
  ASSERT_OK(put_back());
  EXPECT_EQ(writes(), "");
}

TEST_F(PutBackTest, PutsOwnersBackWhereOnlyTheyChanged) {
  disown(live(queue_path), "/spec/cohortName", "");
  api().touch(queue_path);
  ASSERT_OK(put_back());
  expect_restored();
}

TEST_F(PutBackTest, WhatIsGoneIsMadeAnewWithItsOwners) {
  api().objects.erase(queue_path);
  ASSERT_OK(put_back());
  expect_restored();
}

TEST_F(PutBackTest, WhatWasNotThereIsRemoved) {
  ASSERT_OK(writer().put_back(queue_key, doc::Node(), get(queue_key)));
  EXPECT_FALSE(api().objects.contains(queue_path));
}

TEST_F(PutBackTest, ATouchedStatusIsNoConflictAChangedContentIs) {
  options_.take_over = {"egret"};
  ASSERT_OK(write(queue("fish")));
  transport().before("PUT", [&] { api().touch(queue_path); });
  transport().before("PUT", [&] {
    live(queue_path)["spec"]["cohortName"] = "frogs";
    api().touch(queue_path);
  });
  EXPECT_THAT(put_back(), Fails(ErrorKind::conflict, HasSubstr("changed by somebody else")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "frogs");
  for (int i = 0; i < 3; ++i) transport().before("PUT", [&] { api().touch(queue_path); });
  ASSERT_OK(put_back());
  expect_restored();
}

TEST_F(PutBackTest, ALostAnswerSaysSo) {
  options_.take_over = {"egret"};
  ASSERT_OK(write(queue("fish")));
  transport().inject("PUT", failed_answer(Failure::unknown));
  EXPECT_THAT(put_back(), Fails(ErrorKind::cluster, HasSubstr("is unknown")));
  ASSERT_OK(put_back());
  expect_restored();
}

TEST_F(PutBackTest, ALocalQueueThatPointsElsewhereIsReplaced) {
  plant(local_path, local("heron"), "egret");
  const LiveObject before = get(local_key);
  ASSERT_OK(write(local("ibis")));
  ASSERT_OK(writer().put_back(local_key, before.root(), get(local_key)));
  EXPECT_EQ(live(local_path)["spec"]["clusterQueue"], "heron");
  EXPECT_TRUE(other_owners(live(local_path), "/spec/clusterQueue", "egret").empty());
}

}  // namespace
}  // namespace cmb2kueue::target
