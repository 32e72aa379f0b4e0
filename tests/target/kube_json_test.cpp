// Canonical text and edited copies of what the server returned.
#include <gtest/gtest.h>

#include "json.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

Json parsed(const std::string& text) {
  base::Result<Json> json = Json::parse(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? std::move(json).value() : std::move(Json::parse("{}")).value();
}

std::string canonical_of(const std::string& text) {
  return canonical(parsed(text).root());
}

TEST(KubeJsonTest, WhatIsNoJsonIsTheClustersFault) {
  for (const char* text : {"{\"a\":", "", "  \n", "<html><title>log in: here</title></html>", "kind: List", "7"})
    EXPECT_THAT(Json::parse(text).status(), Fails(ErrorKind::cluster, HasSubstr("no JSON"))) << text;
  EXPECT_TRUE(Json::parse(" \n[1]").ok());
  EXPECT_TRUE(Json::parse_lenient("kind: List").ok());
}

TEST(KubeJsonTest, OutlivesTheTextItCameFrom) {
  std::string text = R"({"metadata":{"name":"heron"}})";
  Json first = parsed(text);
  text.assign(200, 'x');
  const Json second = std::move(first);
  EXPECT_EQ(text_at(second.root(), "metadata.name"), "heron");
}

TEST(KubeJsonTest, ReadsByPath) {
  const Json json = parsed(R"({"a":{"b":{"c":7}},"list":[1],"t":true,"n":null})");
  EXPECT_EQ(text_at(json.root(), "a.b.c"), "7");
  EXPECT_EQ(text_at(json.root(), "t"), "true");
  EXPECT_EQ(text_at(json.root(), "a.b"), "");
  EXPECT_EQ(text_at(json.root(), "list"), "");
  EXPECT_TRUE(at(json.root(), "a.b").is_map());
  EXPECT_FALSE(at(json.root(), "a.x.c").exists());
  EXPECT_FALSE(at(json.root(), "t.c").exists());
  EXPECT_FALSE(at(doc::Node(), "a").exists());
}

TEST(KubeJsonTest, EqualContentIsEqualText) {
  EXPECT_EQ(canonical_of(R"({"b":1,"a":{"d":[{"y":1,"x":2}],"c":"t"}})"),
            R"({"a":{"c":"t","d":[{"x":2,"y":1}]},"b":1})");
  EXPECT_EQ(canonical_of(R"({ "a" : 1 , "b" : { } , "c" : null })"), R"({"a":1})");
}

TEST(KubeJsonTest, WhatDiffersStaysDifferent) {
  EXPECT_NE(canonical_of(R"({"a":1})"), canonical_of(R"({"a":"1"})"));
  EXPECT_NE(canonical_of(R"({"a":[1,2]})"), canonical_of(R"({"a":[2,1]})")) << "the order of a list counts";
  EXPECT_NE(canonical_of(R"({"a":[]})"), canonical_of(R"({})")) << "an empty list is not an absent one";
  EXPECT_NE(canonical_of(R"({"a":[{}]})"), canonical_of(R"({"a":[]})"));
  EXPECT_NE(canonical_of(R"({"namespaceSelector":{}})"), canonical_of(R"({})")) << "everything, against nothing";
  EXPECT_NE(canonical_of(R"({"a":""})"), canonical_of(R"({})"));
  EXPECT_NE(canonical_of(R"({"a":false})"), canonical_of(R"({})"));
}

TEST(KubeJsonTest, QuotesWhatHasToBe) {
  EXPECT_EQ(quoted_json("a\"b\\\n\x01é"), "\"a\\\"b\\\\\\n\\u0001é\"");
}

TEST(EditedTest, ChangesWhatIsNamedAndKeepsTheRestInOrder) {
  const Json json = parsed(R"({"z":1,"metadata":{"name":"heron","uid":"u","labels":{"k":"v"}},"a":[{"b":2}]})");
  EXPECT_EQ(Edited(json.root()).set("metadata.uid", "\"w\"").drop("z").text(),
            R"({"metadata":{"name":"heron","uid":"w","labels":{"k":"v"}},"a":[{"b":2}]})");
  EXPECT_EQ(Edited(json.root()).text(),
            R"({"z":1,"metadata":{"name":"heron","uid":"u","labels":{"k":"v"}},"a":[{"b":2}]})");
}

TEST(EditedTest, MakesWhatIsMissing) {
  const Json json = parsed(R"({"metadata":{"name":"heron"}})");
  EXPECT_EQ(Edited(json.root()).set("metadata.resourceVersion", "\"7\"").set("extra", "[1]").text(),
            R"({"metadata":{"name":"heron","resourceVersion":"7"},"extra":[1]})");
}

TEST(EditedTest, DroppingWhatIsMissingChangesNothing) {
  const Json json = parsed(R"({"metadata":{"name":"heron"}})");
  EXPECT_EQ(Edited(json.root()).drop("metadata.uid").drop("status").text(), R"({"metadata":{"name":"heron"}})");
}

TEST(EditedTest, AMapIsReplacedWhole) {
  const Json json = parsed(R"({"metadata":{"labels":{"a":"1","b":"2"},"x":1}})");
  EXPECT_EQ(Edited(json.root()).set("metadata.labels", R"({"c":"3"})").text(),
            R"({"metadata":{"labels":{"c":"3"},"x":1}})");
}

TEST(EditedTest, TheParentsOfWhatIsMissingAreMadeToo) {
  const Json json = parsed(R"({"kind":"ClusterQueue"})");
  EXPECT_EQ(Edited(json.root()).set("metadata.uid", "\"w\"").text(),
            R"({"kind":"ClusterQueue","metadata":{"uid":"w"}})");
}

}  // namespace
}  // namespace cmb2kueue::target
