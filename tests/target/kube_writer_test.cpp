// Writing one object: made once, applied on condition, taken over only from those that were named.
#include "kube_writer.h"

#include "fake_ownership.h"
#include "kube_writer_fixture.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using nlohmann::json;
using ::testing::AllOf;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::Not;

class KubeWriterTest : public KubeWriterFixture {};

TEST_F(KubeWriterTest, MakesWhatIsNotThere) {
  ASSERT_OK(write(queue("birds")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "birds");
  EXPECT_EQ(writes(), "POST");
  EXPECT_THAT(transport().requests.back().path, HasSubstr("?fieldManager=cmb2kueue&fieldValidation=Strict"));
  ASSERT_OK(write(local("heron")));
  EXPECT_EQ(live(local_path)["spec"]["clusterQueue"], "heron");
}

TEST_F(KubeWriterTest, WhatSomebodyElseMadeMeanwhileIsAConflictUnlessItIsTheSame) {
  transport().before("POST", [&] { plant(queue_path, queue("fish"), "egret"); });
  EXPECT_THAT(write(queue("birds")), Fails(ErrorKind::conflict, HasSubstr("made by somebody else just now")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "fish");
  api().objects.erase(queue_path);
  transport().before("POST", [&] { plant(queue_path, queue("birds"), "egret"); });
  ASSERT_OK(write(queue("birds")));
}

TEST_F(KubeWriterTest, ALostAnswerOfMakingIsLookedUp) {
  transport().inject("POST", failed_answer(Failure::unknown), true);
  ASSERT_OK(write(queue("birds")));
  EXPECT_EQ(writes(), "POST") << "it had been made";
}

TEST_F(KubeWriterTest, WhatWasNotMadeThoughTheAnswerWasLostIsMadeAgain) {
  transport().inject("POST", failed_answer(Failure::unknown));
  transport().inject("POST", failed_answer(Failure::unknown));
  ASSERT_OK(write(queue("birds")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "birds");
}

TEST_F(KubeWriterTest, AfterManyLostAnswersNothingIsClaimed) {
  for (int i = 0; i < 6; ++i) transport().inject("POST", failed_answer(Failure::unknown));
  EXPECT_THAT(write(queue("birds")), Fails(ErrorKind::cluster, HasSubstr("is unknown")));
  EXPECT_TRUE(api().objects.find(queue_path) == api().objects.end());
}

TEST_F(KubeWriterTest, ARefusalSaysWhatWasTried) {
  transport().inject("POST", status_answer(403, "Forbidden", "admission webhook denied the request: full"));
  EXPECT_THAT(write(queue("birds")), Fails(ErrorKind::cluster, HasSubstr("making ClusterQueue/heron: ")));
}

TEST_F(KubeWriterTest, WhatIsEqualIsNotSent) {
  plant(queue_path, queue("birds"), "egret");
  live(queue_path)["status"] = {{"pendingWorkloads", 3}};
  live(queue_path)["metadata"]["finalizers"] = {"keep"};
  ASSERT_OK(write(queue("birds")));
  EXPECT_TRUE(transport().requests.empty());
}

// Kueue lets every namespace in by an empty selector and none without one.
TEST_F(KubeWriterTest, AnEmptySelectorIsNotAnAbsentOne) {
  kueue::ClusterQueue open = queue("birds");
  open.namespace_selector = kueue::Selector();
  ASSERT_OK(write(queue("birds")));
  ASSERT_OK(write(open));
  EXPECT_EQ(live(queue_path)["spec"].value("namespaceSelector", json()), json::object());
  ASSERT_OK(write(queue("birds")));
  EXPECT_FALSE(live(queue_path)["spec"].contains("namespaceSelector"));
}

TEST_F(KubeWriterTest, AppliesOnTheConditionThatNobodyWasQuicker) {
  ASSERT_OK(write(queue("birds")));
  ASSERT_OK(write(queue("fish")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "fish");
  const HttpRequest& sent = transport().requests.back();
  EXPECT_EQ(sent.method + " " + sent.content_type, "PATCH application/apply-patch+yaml");
  EXPECT_THAT(sent.path, AllOf(HasSubstr("fieldManager=cmb2kueue"), Not(HasSubstr("force"))));
  const json metadata = json::parse(sent.body)["metadata"];
  EXPECT_EQ(metadata["uid"], live(queue_path)["metadata"]["uid"]);
  EXPECT_EQ(metadata["resourceVersion"],
            std::to_string(std::stoi(std::string(live(queue_path)["metadata"]["resourceVersion"])) - 1));
}

// Made by POST the fields are an update's; unless they become an apply's, what is wanted no more stays for ever.
TEST_F(KubeWriterTest, WhatIsWantedNoMoreIsTakenAway) {
  ASSERT_OK(write(queue("birds")));
  ASSERT_OK(write(queue("")));
  EXPECT_FALSE(live(queue_path)["spec"].contains("cohortName"));
  EXPECT_EQ(writes(), "PATCH PATCH");
  kueue::ClusterQueue bare = queue("");
  bare.meta.annotations.clear();
  ASSERT_OK(write(bare));
  EXPECT_TRUE(live(queue_path)["metadata"].value("annotations", json::object()).empty());
  EXPECT_EQ(writes(), "PATCH") << "it is ours by now";
}

TEST_F(KubeWriterTest, ATouchedStatusIsNoConflictAChangedContentIs) {
  ASSERT_OK(write(queue("birds")));
  for (int i = 0; i < 3; ++i) transport().before("PATCH", [&] { api().touch(queue_path); });
  ASSERT_OK(write(queue("fish")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "fish");
  transport().before("PATCH", [&] {
    live(queue_path)["spec"]["stopPolicy"] = "Hold";
    api().touch(queue_path);
  });
  EXPECT_THAT(write(queue("frogs")), Fails(ErrorKind::conflict, HasSubstr("changed by somebody else just now")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "fish");
}

TEST_F(KubeWriterTest, GivesUpOnAnObjectThatNeverStandsStill) {
  ASSERT_OK(write(queue("birds")));
  for (int i = 0; i < 50; ++i) transport().before("PATCH", [&] { api().touch(queue_path); });
  EXPECT_THAT(write(queue("fish")), Fails(ErrorKind::conflict, HasSubstr("just now")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "birds");
}

TEST_F(KubeWriterTest, ALostAnswerOfAChangeIsLookedUp) {
  ASSERT_OK(write(queue("birds")));
  ASSERT_OK(write(queue("fish")));
  transport().inject("PATCH", failed_answer(Failure::unknown), true);
  ASSERT_OK(write(queue("frogs")));
  EXPECT_EQ(writes(), "PATCH");
  transport().inject("PATCH", failed_answer(Failure::unknown));
  ASSERT_OK(write(queue("newts")));
  EXPECT_EQ(writes(), "PATCH PATCH") << "it did not happen and was asked for once more";
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "newts");
}

TEST_F(KubeWriterTest, AFieldOfAnotherIsAConflictWithNamesAndValues) {
  plant(queue_path, queue("birds"), "egret");
  const base::Status status = write(queue("fish"));
  EXPECT_THAT(status, Fails(ErrorKind::conflict,
                            AllOf(HasSubstr("ClusterQueue/heron"), HasSubstr("spec.cohortName belongs to egret"),
                                  HasSubstr("birds"), HasSubstr("fish"))));
  EXPECT_THAT(status.advice(), HasSubstr("--take-over"));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "birds");
}

TEST_F(KubeWriterTest, AnAnnotationOfAnotherIsNamedWithItsValuesToo) {
  kueue::ClusterQueue theirs = queue("birds");
  theirs.meta.annotations[0].second = "Old heron";
  plant(queue_path, theirs, "egret");
  EXPECT_THAT(write(queue("birds")),
              Fails(ErrorKind::conflict, AllOf(HasSubstr("metadata.annotations.cmb2kueue.io/tenant-name belongs to "
                                                         "egret"),
                                               HasSubstr("Old heron"), Not(HasSubstr("absent")))));
}

// The server puts keys of lists in quotes; without an owner found nothing could be taken over.
TEST_F(KubeWriterTest, AnItemOfAListWithKeysIsNamedAndTakenToo) {
  kueue::ClusterQueue theirs = queue("birds");
  theirs.admission_checks = {{"dawn", {"reed"}}};
  plant(queue_path, theirs, "egret");
  live(queue_path)["metadata"]["managedFields"][0]["fieldsV1"] =
      json::parse(R"({"f:spec":{"f:admissionChecksStrategy":{"f:admissionChecks":)"
                  R"({"k:{\"name\":\"dawn\"}":{"f:onFlavors":{}}}}}})");
  const HttpResponse refused =
      status_answer(409, "Conflict", "Apply failed",
                    {{{"reason", "FieldManagerConflict"},
                      {"field", R"(.spec.admissionChecksStrategy.admissionChecks[name="dawn"].onFlavors)"},
                      {"message", "conflict with \"egret\""}}});
  kueue::ClusterQueue wanted = theirs;
  wanted.admission_checks[0].on_flavors = {"rush"};
  transport().inject("PATCH", refused);
  EXPECT_THAT(write(wanted), Fails(ErrorKind::conflict, AllOf(HasSubstr("[name=dawn].onFlavors belongs to egret"),
                                                              HasSubstr("reed"), HasSubstr("rush"))));
  options_.take_over = {"egret"};
  transport().inject("PATCH", refused);
  ASSERT_OK(write(wanted));
  EXPECT_EQ(get(queue_key).content(), content_of(Json::parse(to_json(wanted)).value().root()));
}

TEST_F(KubeWriterTest, IsTakenOnlyFromThoseThatWereNamed) {
  plant(queue_path, queue("birds"), "egret");
  options_.take_over = {"ibis"};
  EXPECT_THAT(write(queue("fish")), Fails(ErrorKind::conflict, HasSubstr("egret")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "birds");
  options_.take_over = {"ibis", "egret"};
  ASSERT_OK(write(queue("fish")));
  EXPECT_EQ(live(queue_path)["spec"]["cohortName"], "fish");
  EXPECT_TRUE(other_owners(live(queue_path), "/spec/cohortName", "cmb2kueue").empty());
}

TEST_F(KubeWriterTest, TakenOverItHoldsWhatIsWantedAndNothingElse) {
  kueue::ClusterQueue theirs = queue("birds");
  theirs.meta.labels = {{"app.example.org/part", "x"}};
  plant(queue_path, theirs, "egret");
  live(queue_path)["metadata"]["finalizers"] = {"keep"};
  options_.take_over = {"egret"};
  ASSERT_OK(write(queue("fish")));
  EXPECT_TRUE(live(queue_path)["metadata"].value("labels", json::object()).empty());
  EXPECT_EQ(live(queue_path)["metadata"]["finalizers"], json({"keep"}));
  EXPECT_EQ(get(queue_key).content(), content_of(Json::parse(to_json(queue("fish"))).value().root()));
}

TEST_F(KubeWriterTest, ALocalQueueThatPointsElsewhereIsReplaced) {
  plant(local_path, local("heron"), "egret");
  const json before = live(local_path)["metadata"]["uid"];
  ASSERT_OK(write(local("ibis")));
  EXPECT_EQ(live(local_path)["spec"]["clusterQueue"], "ibis");
  EXPECT_NE(live(local_path)["metadata"]["uid"], before);
  EXPECT_EQ(writes(), "DELETE POST");
}

TEST_F(KubeWriterTest, RehearsesWithoutStoring) {
  ASSERT_OK(write(queue("birds")));
  plant(local_path, local("heron"), "egret");
  const std::map<std::string, json> before = api().objects;
  options_.dry_run = true;
  ASSERT_OK(write(queue("fish")));
  EXPECT_THAT(transport().requests.back().path, HasSubstr("dryRun=All"));
  ASSERT_OK(write(local("ibis")));
  EXPECT_EQ(writes(), "");
  EXPECT_EQ(api().objects, before);
}

TEST_F(KubeWriterTest, ANamespaceOfOthersIsUsedAndLeftAlone) {
  kueue::Namespace marsh;
  marsh.meta.name = "marsh";
  marsh.meta.labels = {{kueue::label_managed_by, kueue::managed_by}};
  live("/api/v1/namespaces/marsh")["kind"] = "Namespace";
  ASSERT_OK(write(marsh));
  const kueue::ObjectKey key{kueue::Kind::name_space, "", "marsh"};
  ASSERT_OK(writer().remove(key, get(key)));
  EXPECT_EQ(writes(), "");
  EXPECT_TRUE(api().objects.contains("/api/v1/namespaces/marsh"));
}

TEST_F(KubeWriterTest, ReadsManyAtOnceInTheirOrder) {
  plant(queue_path, queue("birds"), "egret");
  const base::Result<std::vector<LiveObject>> all = writer().get({local_key, queue_key});
  ASSERT_OK(all);
  EXPECT_FALSE(all.value()[0].exists());
  EXPECT_TRUE(all.value()[1].exists());
  transport().inject("localqueues", status_answer(403, "Forbidden", "no"));
  EXPECT_THAT(writer().get({queue_key, local_key}).status(),
              Fails(ErrorKind::cluster, HasSubstr("reading LocalQueue/marsh/main")));
}

}  // namespace
}  // namespace cmb2kueue::target
