// Records as ConfigMaps and Leases: names, parts, what is seen when something goes wrong in the middle.
#include "kube_records.h"

#include <gtest/gtest.h>

#include "fake_transport.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using nlohmann::json;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string home = "/api/v1/namespaces/cmb2kueue-system";
const std::string maps = home + "/configmaps/";

class KubeRecordsTest : public ::testing::Test {
 protected:
  void SetUp() override { make_home(cluster_); }
  static void make_home(FakeCluster& cluster) { cluster.api.plant(home, {{"metadata", {{"name", "x"}}}}); }

  std::string read(const std::string& path) {
    const base::Result<std::string> text = records_.read(path);
    EXPECT_TRUE(text.ok()) << testing::describe(text.status());
    return text.ok() ? text.value() : "";
  }
  std::vector<std::string> config_maps() const {
    std::vector<std::string> names;
    for (const auto& [path, object] : cluster_.api.objects)
      if (path.starts_with(maps)) names.push_back(path.substr(maps.size()));
    return names;
  }
  json object(const std::string& path) const { return cluster_.api.objects.at(path); }

  FakeCluster cluster_;
  KubeRecords records_{cluster_.client, 10};
};

TEST_F(KubeRecordsTest, ARecordIsAConfigMapThatSaysWhatItIs) {
  ASSERT_OK(records_.create("journal/0000000007.json", "{}", 0600));
  const json made = object(maps + "journal.0000000007.json");
  EXPECT_EQ(made["data"]["content"], "{}");
  EXPECT_EQ(made["metadata"]["annotations"]["cmb2kueue.io/record"], "journal/0000000007.json");
  EXPECT_EQ(made["metadata"]["labels"]["cmb2kueue.io/records"], "journal");
  EXPECT_EQ(made["metadata"]["labels"]["app.kubernetes.io/managed-by"], "cmb2kueue");
  EXPECT_EQ(made["immutable"], true);
  EXPECT_THAT(cluster_.transport.requests.back().path, HasSubstr("?fieldManager=cmb2kueue"));
  ASSERT_OK(records_.create("state.json", "{}", 0600));
  EXPECT_FALSE(object(maps + "state.json").contains("immutable"));
  EXPECT_EQ(object(maps + "state.json")["metadata"]["labels"]["cmb2kueue.io/records"], "top");
  EXPECT_EQ(read("state.json"), "{}");
}

TEST_F(KubeRecordsTest, WhatCannotBeANameIsAFingerprint) {
  const std::string large(300, 'a');
  for (const std::string& path : {std::string("before/Heron_1"), std::string("before/heron 1"), large}) {
    ASSERT_OK(records_.create(path, "x", 0600));
    EXPECT_EQ(read(path), "x");
  }
  ASSERT_EQ(config_maps().size(), 3U);
  for (const std::string& name : config_maps()) {
    EXPECT_THAT(name, StartsWith("record."));
    EXPECT_EQ(name.size(), std::string("record.").size() + 32);
  }
}

TEST_F(KubeRecordsTest, ALongTextIsCutBetweenCharacters) {
  // 25 bytes; every two-byte letter would be cut by limits of 10 bytes if nobody looked.
  const std::string text = "ééééé-ééééé-é-";
  ASSERT_OK(records_.create("state.json", text, 0600));
  EXPECT_EQ(read("state.json"), text);
  ASSERT_EQ(config_maps().size(), 3U);
  for (const std::string& name : config_maps()) {
    const std::string part = object(maps + name)["data"]["content"];
    EXPECT_LE(part.size(), 10U);
    EXPECT_NE(static_cast<unsigned char>(part.front()) & 0xC0U, 0x80U) << "begins inside a character";
  }
  const std::string four_bytes = "123456789\xF0\x9F\xA6\xA9";
  ASSERT_OK(records_.replace("state.json", four_bytes, 0600));
  EXPECT_EQ(read("state.json"), four_bytes);
  EXPECT_EQ(object(maps + "state.json")["data"]["content"], "123456789");
}

TEST_F(KubeRecordsTest, TextsAtTheLimitAndEmptyOnesAreOnePart) {
  ASSERT_OK(records_.create("a", "", 0600));
  ASSERT_OK(records_.create("b", "0123456789", 0600));
  EXPECT_EQ(read("a"), "");
  EXPECT_EQ(read("b"), "0123456789");
  EXPECT_THAT(config_maps(), ElementsAre("a", "b"));
}

TEST_F(KubeRecordsTest, PartsAreThereBeforeWhatCountsThem) {
  ASSERT_OK(records_.create("state.json", std::string(25, 'x'), 0600));
  EXPECT_EQ(cluster_.transport.requests.size(), 3U);
  EXPECT_THAT(cluster_.transport.requests.back().body, HasSubstr("\"name\":\"state.json\""));
  // The last part is refused: nothing is to be seen, and the record can still be made.
  FakeCluster broken;
  make_home(broken);
  KubeRecords halves(broken.client, 10);
  broken.transport.before("POST",
                          [&] { broken.transport.inject("POST", status_answer(403, "Forbidden", "no more")); });
  EXPECT_FALSE(halves.create("state.json", std::string(25, 'y'), 0600).ok());
  EXPECT_EQ(halves.kind_of("state.json"), "");
  ASSERT_OK(halves.create("state.json", std::string(25, 'y'), 0600));
}

TEST_F(KubeRecordsTest, CreateIsCreateOnly) {
  ASSERT_OK(records_.create("journal/1.json", "mine", 0600));
  EXPECT_THAT(records_.create("journal/1.json", "theirs", 0600),
              Fails(ErrorKind::conflict, HasSubstr("journal/1")));
  EXPECT_EQ(read("journal/1.json"), "mine");
  EXPECT_EQ(cluster_.transport.count("PUT"), 0U);
}

TEST_F(KubeRecordsTest, ALostAnswerIsLookedUp) {
  cluster_.transport.inject("POST", failed_answer(Failure::unknown), true);
  ASSERT_OK(records_.create("journal/1.json", "mine", 0600));
  cluster_.transport.inject("POST", plain_answer(504), true);
  ASSERT_OK(records_.create("journal/2.json", "mine", 0600));
  cluster_.transport.inject("POST", failed_answer(Failure::unknown));
  EXPECT_THAT(records_.create("journal/3.json", "mine", 0600),
              Fails(ErrorKind::cluster, HasSubstr("could not be written")));
  const json theirs = {{"metadata", {{"name", "journal.4.json"}}}, {"data", {{"content", "theirs"}}}};
  cluster_.transport.before("POST", [&] { cluster_.api.plant(maps + "journal.4.json", theirs); });
  cluster_.transport.inject("POST", failed_answer(Failure::unknown));
  EXPECT_THAT(records_.create("journal/4.json", "mine", 0600), Fails(ErrorKind::conflict, HasSubstr("exists")));
}

TEST_F(KubeRecordsTest, ReplaceMakesWhatIsMissingAndTakesAwayOldParts) {
  ASSERT_OK(records_.replace("state.json", std::string(10, 'a') + std::string(10, 'b') + "c", 0600));
  EXPECT_EQ(config_maps().size(), 3U);
  // The second part stays as it is and is kept; the third goes.
  ASSERT_OK(records_.replace("state.json", std::string(10, 'z') + std::string(10, 'b'), 0600));
  EXPECT_EQ(config_maps().size(), 2U);
  EXPECT_EQ(read("state.json"), std::string(10, 'z') + std::string(10, 'b'));
  ASSERT_OK(records_.replace("state.json", "short", 0600));
  EXPECT_THAT(config_maps(), ElementsAre("state.json"));
  EXPECT_EQ(read("state.json"), "short");
}

TEST_F(KubeRecordsTest, AFailedReplaceLeavesTheOldText) {
  const std::string old(25, 'a');
  ASSERT_OK(records_.replace("state.json", old, 0600));
  cluster_.transport.inject("PUT", status_answer(403, "Forbidden", "no"));
  EXPECT_THAT(records_.replace("state.json", std::string(25, 'b'), 0600),
              Fails(ErrorKind::cluster, HasSubstr("no")));
  EXPECT_EQ(read("state.json"), old);
  cluster_.transport.inject("GET", status_answer(403, "Forbidden", "no"));
  EXPECT_THAT(records_.replace("state.json", "b", 0600), Fails(ErrorKind::cluster, HasSubstr("reading")));
  EXPECT_EQ(read("state.json"), old);
}

TEST_F(KubeRecordsTest, RemovesARecordWithItsParts) {
  ASSERT_OK(records_.create("state.json", std::string(25, 'a'), 0600));
  ASSERT_OK(records_.remove("state.json"));
  EXPECT_THAT(config_maps(), IsEmpty());
  EXPECT_THAT(records_.remove("state.json"), Fails(ErrorKind::not_found, HasSubstr("state.json")));
  EXPECT_THAT(records_.read("state.json").status(), Fails(ErrorKind::not_found, HasSubstr("state.json")));
}

TEST_F(KubeRecordsTest, ALostAnswerOfAReplaceIsLookedUp) {
  ASSERT_OK(records_.replace("state.json", std::string(25, 'a'), 0600));
  cluster_.transport.inject("PUT", failed_answer(Failure::unknown), true);
  ASSERT_OK(records_.replace("state.json", "b", 0600));
  EXPECT_EQ(read("state.json"), "b");
  EXPECT_THAT(config_maps(), ElementsAre("state.json")) << "parts of the old text are left";
  // It did not happen: nobody else was there either, so this is no conflict.
  cluster_.transport.inject("PUT", failed_answer(Failure::unknown));
  EXPECT_THAT(records_.replace("state.json", "c", 0600), Fails(ErrorKind::cluster, HasSubstr("not be written")));
  EXPECT_EQ(read("state.json"), "b");
}

TEST_F(KubeRecordsTest, ALostAnswerOfARemovalIsLookedUp) {
  ASSERT_OK(records_.create("state.json", "x", 0600));
  cluster_.transport.inject("DELETE", failed_answer(Failure::unknown));
  EXPECT_THAT(records_.remove("state.json"), Fails(ErrorKind::cluster, HasSubstr("removing")));
  EXPECT_EQ(read("state.json"), "x");
  cluster_.transport.inject("DELETE", failed_answer(Failure::unknown), true);
  ASSERT_OK(records_.remove("state.json"));
  EXPECT_EQ(records_.kind_of("state.json"), "");
}

TEST_F(KubeRecordsTest, ListsAFolderPageByPage) {
  cluster_.api.page_size = 1;
  for (const char* path :
       {"journal/2.json", "journal/1.json", "journal2/x", "before/r/a", "before/r/b", "before/s/c"})
    ASSERT_OK(records_.create(path, std::string(25, 'a'), 0600));
  const auto list = [&](const char* folder) { return std::move(records_.list(folder)).value(); };
  EXPECT_THAT(list("journal"), ElementsAre("1.json", "2.json"));
  EXPECT_THAT(list("before/r"), ElementsAre("a", "b"));
  EXPECT_THAT(list("before"), ElementsAre("r/a", "r/b", "s/c"));
  EXPECT_THAT(list("nothing"), IsEmpty());
  EXPECT_THAT(cluster_.transport.requests.back().accept, HasSubstr("PartialObjectMetadataList"));
  cluster_.transport.inject("continue=%261", status_answer(410, "Expired", "too old"));
  EXPECT_THAT(list("journal"), ElementsAre("1.json", "2.json")) << "nothing twice after a restart";
}

TEST_F(KubeRecordsTest, AListThatFailsIsNotEmpty) {
  cluster_.transport.inject("GET", status_answer(403, "Forbidden", "no"));
  EXPECT_THAT(records_.list("journal").status(), Fails(ErrorKind::cluster, HasSubstr("no")));
}

TEST_F(KubeRecordsTest, NothingIsTakenForAbsentUnlessTheClusterSaysSo) {
  ASSERT_OK(records_.create("state.json", "x", 0600));
  EXPECT_EQ(records_.kind_of("state.json"), "file");
  EXPECT_EQ(records_.kind_of("other.json"), "");
  for (const HttpResponse& answer :
       {status_answer(403, "Forbidden", "no"), status_answer(401, "Unauthorized", "who"),
        status_answer(410, "Gone", ""), failed_answer(Failure::refused)}) {
    cluster_.transport.inject("GET", answer);
    EXPECT_EQ(records_.kind_of("other.json"), "other") << answer.status;
  }
  for (int i = 0; i < 100; ++i) cluster_.transport.inject("GET", failed_answer(Failure::unknown));
  EXPECT_EQ(records_.kind_of("other.json"), "other");
}

TEST(KubeRecordsNamespaceTest, IsMadeOnFirstUse) {
  FakeCluster cluster;
  KubeRecords records(cluster.client);
  EXPECT_EQ(records.kind_of("lock"), "");
  EXPECT_EQ(std::move(records.list("journal")).value().size(), 0U);
  EXPECT_FALSE(cluster.api.objects.contains(home)) << "reading makes nothing";
  ASSERT_OK(records.create("lock", "{}", 0600));
  EXPECT_EQ(cluster.api.objects.at(home)["metadata"]["labels"]["app.kubernetes.io/managed-by"], "cmb2kueue");
  ASSERT_OK(records.create("state.json", "x", 0600));
  EXPECT_EQ(cluster.transport.count("POST /api/v1/namespaces "), 1U);
}

TEST(KubeRecordsNamespaceTest, MadeByAnotherMeanwhileIsFine) {
  FakeCluster cluster;
  KubeRecords records(cluster.client);
  cluster.transport.before("POST /api/v1/namespaces?", [&] {
    cluster.api.plant(home, {{"metadata", {{"name", "cmb2kueue-system"}}}});
  });
  ASSERT_OK(records.create("state.json", "x", 0600));
  FakeCluster closed;
  closed.transport.inject("POST /api/v1/namespaces?", status_answer(403, "Forbidden", "not you"));
  EXPECT_THAT(KubeRecords(closed.client).create("state.json", "x", 0600),
              Fails(ErrorKind::cluster, HasSubstr("making the namespace cmb2kueue-system")));
}

}  // namespace
}  // namespace cmb2kueue::target
