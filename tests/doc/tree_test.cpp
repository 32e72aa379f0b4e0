// The tree: places of keys and values in every spelling, large maps, merges, embedded texts.
#include "cmb2kueue/doc/tree.h"

#include <gtest/gtest.h>

#include "cmb2kueue/doc/parse.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::doc {
namespace {

using ::testing::HasSubstr;

class TreeTest : public ::testing::Test {
 protected:
  // The first document of the text, which has to parse.
  Node root(const std::string& text) {
    base::Result<std::vector<Document>> parsed = parse_all(files_, files_.add("x", text));
    EXPECT_TRUE(parsed.ok()) << testing::describe(parsed.status());
    documents_.push_back(std::move(parsed).value());
    return documents_.back().at(0).root();
  }
  std::string where(base::Place place) const { return files_.describe(place); }
  base::SourceFiles files_;
  std::deque<std::vector<Document>> documents_;
};

TEST_F(TreeTest, PlacesOfEscapedKeysAndTexts) {
  const Node json = root("{\n \"a\\n\": \"b\\t\",\n \"\": \"\", \"x\": null}");
  EXPECT_EQ(where(json.first_child().key_place()), "x:2:2");
  EXPECT_EQ(where(json.first_child().place()), "x:2:9");
  EXPECT_EQ(json.first_child().key(), "a\n");
  EXPECT_EQ(where(json.find("").key_place()), "x:3:2");
  EXPECT_EQ(where(json.find("").place()), "x:3:6");
  EXPECT_EQ(json.find("x").text(), "");
  const Node yaml = root("'it''s': &a 'x'\n\"\": ''\nb: |\n  t\nc: !!str 5\nd:\n- >-\n  u\n");
  EXPECT_EQ(where(yaml.find("it's").key_place()), "x:1:1");
  EXPECT_EQ(where(yaml.find("it's").place()), "x:1:10");
  EXPECT_EQ(where(yaml.find("").key_place()), "x:2:1");
  EXPECT_EQ(where(yaml.find("").place()), "x:2:5");
  EXPECT_EQ(where(yaml.find("b").place()), "x:3:4");
  EXPECT_EQ(where(yaml.find("c").place()), "x:5:4");
  EXPECT_EQ(where(yaml.find("d").first_child().place()), "x:7:3");
}

TEST_F(TreeTest, EscapesOfYamlBecomeWholeCharacters) {
  EXPECT_EQ(root("- \"a\\Nb\\_c\\u00e9\\x41\\U0001F600\\L\"\n").first_child().text(),
            "a\xC2\x85"
            "b\xC2\xA0"
            "c\xC3\xA9"
            "A\xF0\x9F\x98\x80\xE2\x80\xA8");
}

// Fast enough only if keys, escaped or not, are not compared one with the other.
TEST_F(TreeTest, LargeMapsAreReadInLinearTime) {
  std::string plain = "{", escaped = "{", yaml;
  for (int i = 0; i < 60'000; ++i) {
    const std::string name = std::to_string(i);
    plain += "\"k" + name + "\":1,";
    escaped += "\"\\n" + name + "\":1,";
    yaml += "k" + name + ": 1\n";
  }
  EXPECT_EQ(root(plain + "\"z\":2}").size(), 60'001U);
  EXPECT_EQ(root(escaped + "\"z\":2}").size(), 60'001U);
  EXPECT_EQ(root(yaml + "<<: {k7: 2, z: 3}\n").size(), 60'001U);
  const base::Result<Document> twice = parse_one(files_, files_.add("x", escaped + "\n\"\\n59999\":2}"));
  EXPECT_THAT(twice.status().message(), HasSubstr("\"\\n59999\" stands twice in one map, first on line 1"));
  EXPECT_EQ(where(twice.status().place()), "x:2:1");
}

TEST_F(TreeTest, MergedKeysComeLastAndNeverWin) {
  const Node yaml = root(
      "a: &a {x: 1, u: 2}\nb: &b {u: 3, z: {w: 4}}\nc:\n  <<: [*a, *b]\n  u: 0\nd: {<<: *a}\ne: {<<: {}}\n"
      "f: &f {<<: *b, v: 5}\ng: *f\n'<<': text\n");
  std::string keys;
  for (Node child : children(yaml.find("c")))
    keys += std::string(child.key()) + "=" + std::string(child.text()) + " ";
  EXPECT_EQ(keys, "u=0 x=1 z= ");
  EXPECT_EQ(yaml.find("c").size(), 3U);
  EXPECT_EQ(yaml.find("c").find("z").find("w").integer(), 4);
  EXPECT_EQ(yaml.find("d").find("u").integer(), 2);
  EXPECT_EQ(yaml.find("d").size(), 2U);
  EXPECT_FALSE(yaml.find("e").first_child().exists());
  EXPECT_EQ(yaml.find("g").size(), 3U);
  EXPECT_EQ(yaml.find("g").find("z").find("w").integer(), 4);
  EXPECT_EQ(yaml.find("<<").text(), "text");
}

class EmbeddedTest : public TreeTest {
 protected:
  // Where the value of key b of the inner document of key `in` is.
  std::string place_inside(const std::string& outer) {
    const base::Result<Document> inner = parse_embedded(files_, root(outer).find("in"));
    if (!inner.ok()) return where(inner.status().place()) + " " + inner.status().message();
    return where(inner.value().root().find("b").place()) + " " + std::string(inner.value().root().find("b").text());
  }
};

TEST_F(EmbeddedTest, LinesOfLiteralBlocksAreLinesOfTheFile) {
  EXPECT_EQ(place_inside("in: |\n  a: 1\n\n  b: two\n"), "x:4:6 two");
  EXPECT_EQ(place_inside("in: |-\r\n  a: 1\r\n  b: 't'\r\n"), "x:3:6 t");
  EXPECT_EQ(place_inside("in: |2 # remark\n    a: 1\n    b: x\nc: 1\n"), "x:3:8 x");
  EXPECT_EQ(place_inside("in: |+\n\n  \n  {\"a\": 1,\n   \"b\": 2}\n\n"), "x:5:9 2");
}

TEST_F(EmbeddedTest, QuotedTextsHaveColumnsUnlessEscapesStandInTheWay) {
  EXPECT_EQ(place_inside("in: '{a: 1, b: two}'\n"), "x:1:16 two");
  EXPECT_EQ(place_inside("{\"in\": \"{b: two}\"}"), "x:1:13 two");
  EXPECT_EQ(place_inside("{\"in\": \"a: 1\\nb: two\"}"), "x:1:8 two");
  EXPECT_EQ(place_inside("in: >\n  a: 1\n\n  b: two\n"), "x:1:5 two");
}

TEST_F(EmbeddedTest, MistakesInsideStandInTheFile) {
  EXPECT_THAT(place_inside("in: |\n  b: 1\n  b: 2\n"), HasSubstr("x:3:3 the key \"b\" stands twice in one map"));
  EXPECT_THAT(place_inside("x: 1\nin: |\n  a: [1\n"), ::testing::StartsWith("x:3:8 not YAML: a list that began"));
  EXPECT_THAT(place_inside("in: |\n  b: 1\n  ---\n  b: 2\n"), HasSubstr("x:1:5 the text holds 2 documents"));
}

TEST(Corpus, YamlInsideConfigMapsParsesInPlace) {
  const std::string folder = testing::corpus_path("yunikorn");
  if (folder.empty()) GTEST_SKIP() << "no corpus beside the project";
  int found = 0;
  for (const std::string& path : testing::files_below(folder)) {
    base::SourceFiles files;
    const std::uint32_t file = files.add(path, testing::read_file(path));
    const base::Result<std::vector<Document>> documents = parse_all(files, file);
    ASSERT_OK(documents);
    const Node text = documents.value().at(0).root().find("data").find("queues.yaml");
    if (!text.exists()) continue;
    const base::Result<Document> inner = parse_embedded(files, text);
    ASSERT_OK(inner);
    const Node partitions = inner.value().root().find("partitions");
    ASSERT_TRUE(partitions.is_list()) << path;
    EXPECT_EQ(files.text(file).substr(partitions.key_place().offset, 11), "partitions:") << path;
    ++found;
  }
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace cmb2kueue::doc
