// When a queue counts as ready, and what is said while it does not (scenario 23, scenario 24); circles among
// Cohorts (scenario 38), which Kueue itself calls healthy.
#include <gmock/gmock.h>

#include "lab.h"

namespace cmb2kueue::judge {
namespace {

using base::ErrorKind;
using ::testing::AllOf;
using testing::Fails;
using ::testing::HasSubstr;

class Readiness : public Lab {
 protected:
  void SetUp() override {
    Lab::SetUp();
    if (!has_controllers()) GTEST_SKIP() << "this profile has no manager";
  }
  std::string reason_of(target::KubeTarget& target, const kueue::ObjectKey& key) {
    const base::Result<std::vector<target::Unready>> unready = target.cluster()->unready({key});
    EXPECT_TRUE(unready.ok());
    return unready.ok() && !unready->empty() ? unready->front().reason : "";
  }
};

const kueue::ObjectKey local_key{kueue::Kind::local_queue, "batch", "a-object"};
const kueue::ObjectKey queue_key{kueue::Kind::cluster_queue, "", "a-object"};

TEST_F(Readiness, FollowsTheConditionOfThePresentGeneration) {
  Wire* wire = nullptr;
  const std::unique_ptr<target::KubeTarget> target = open(wire, {});
  EXPECT_EQ(reason_of(*target, queue_key), "NotThere");
  const cutover::Plan plan = cell::plan_for({"a"}, cell::How::partition, *target, {});
  const std::vector<kueue::Object>& objects = plan.cells[0].tenants[0].objects;
  ASSERT_OK(target->put({"tenants/a-object", objects}, ""));
  EXPECT_TRUE(eventually([&] { return reason_of(*target, queue_key) == "FlavorNotFound"; }));
  control("pause", "kueue");
  edit(local_queue("a"), R"({"spec":{"stopPolicy":"Hold"}})");  // no webhook is asked about these
  EXPECT_EQ(reason_of(*target, local_key), "OldGeneration") << "an old verdict is none";
  control("resume", "kueue");
  EXPECT_TRUE(eventually([&] { return reason_of(*target, local_key) == "Stopped"; }));
}

TEST_F(Readiness, TheTimeOutListsEachUnreadyObjectWithReasonAndAge) {
  Bench there = bench();
  there.place->context().ready_timeout_ms = 3'000;
  there.wire->before = [&](const target::HttpRequest& request) -> std::optional<target::HttpResponse> {
    // A flavor vanishes before the queue opens.
    if (request.method == "PATCH" && request.body.find("\"stopPolicy\":\"None\"") != std::string::npos &&
        request.path.find("clusterqueues") != std::string::npos) {
      const std::string flavor = std::string(kueue_path) + "/resourceflavors/concurrency";
      send("DELETE", flavor);
      send("PATCH", flavor, R"({"metadata":{"finalizers":null}})", "application/merge-patch+json");
    }
    return std::nullopt;
  };
  const base::Status late = there.place->cut_over("a", true).status();
  EXPECT_THAT(
      late, Fails(ErrorKind::mismatch,
                  AllOf(HasSubstr("not ready after 3 s"), HasSubstr("ClusterQueue/a-object: FlavorNotFound, for "),
                        HasSubstr("LocalQueue/batch/a-object: ClusterQueueIsInactive"), HasSubstr("concurrency"))));
  EXPECT_FALSE(exists(cluster_queue("a"))) << "what the run had done was undone";
}

TEST_F(Readiness, ACircleThroughLiveCohortsIsRefusedAndVerifyFails) {
  const auto cohort = [&](const std::string& name, const std::string& parent) {
    const target::ApiAnswer made =
        send("POST", std::string(kueue_path) + "/cohorts",
             R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Cohort","metadata":{"name":")" + name +
                 R"("},"spec":{"parentName":")" + parent + R"("}})");
    EXPECT_TRUE(made.ok()) << made.message;
  };
  // The plan hangs p-object below cell-x; somebody has hung cell-x below p-object.
  Bench there = bench();
  const cutover::Plan plan = there.place->plan({"a"});
  ASSERT_OK(there.place->cut_over("a", true, &plan));
  edit(std::string(kueue_path) + "/cohorts/cell-x", R"({"spec":{"parentName":"p-object"}})");
  base::SourceFiles files;
  base::Findings findings;
  ASSERT_OK(cutover::verify(there.place->context(), files, findings));
  bool circle = false;
  for (const base::FoldedFinding& finding : findings.sorted()) circle |= finding.rule == "V-CYCLE";
  EXPECT_TRUE(circle);
  EXPECT_GT(findings.count(base::Severity::error), 0U);
  const base::Status refused = there.place->cut_over("b", true).status();
  EXPECT_TRUE(refused.kind() == ErrorKind::conflict || refused.kind() == ErrorKind::stale)
      << testing::describe(refused);
  edit(std::string(kueue_path) + "/cohorts/cell-x", R"({"spec":{"parentName":null}})");
  cohort("self", "self");
  cohort("one", "two");
  cohort("two", "one");
  base::Findings others;
  ASSERT_OK(cutover::verify(there.place->context(), files, others));
  std::string circles;
  for (const base::FoldedFinding& finding : others.sorted())
    if (finding.rule == "V-CYCLE")
      for (const base::FoldedFinding::Instance& one : finding.instances) circles += one.subject + " ";
  EXPECT_THAT(circles, AllOf(HasSubstr("Cohort/self"), HasSubstr("Cohort/one"), HasSubstr("Cohort/two")));
  ASSERT_OK(there.place->roll_back("a"));
}

}  // namespace
}  // namespace cmb2kueue::judge
