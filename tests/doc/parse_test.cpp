// Reading JSON and YAML into trees: values, places, and errors that point at the right spot.
#include "cmb2kueue/doc/parse.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::doc {
namespace {

using testing::Fails;
using ::testing::HasSubstr;

class ParseTest : public ::testing::Test {
 protected:
  base::Result<Document> parse(const std::string& text) { return parse_one(files_, files_.add("x", text)); }
  std::string where(base::Place place) const { return files_.describe(place); }
  // The error of a text that must not parse, with its place in front.
  std::string error_of(const std::string& text) {
    const base::Result<Document> document = parse(text);
    return document.ok() ? "parsed" : where(document.status().place()) + " " + document.status().message();
  }
  base::SourceFiles files_;
};

TEST_F(ParseTest, JsonValuesAndPlaces) {
  const base::Result<Document> document = parse("{\"a\": [1, -2.5e3, \"t\\u00e9\", true, null],\n \"b\" : {} }");
  ASSERT_OK(document);
  const Node a = document.value().root().find("a");
  EXPECT_EQ(where(a.key_place()), "x:1:2");
  EXPECT_EQ(where(a.place()), "x:1:7");
  Node item = a.first_child();
  EXPECT_EQ(item.integer(), 1);
  item = item.next();
  EXPECT_EQ(item.decimal(), -2500.0);
  EXPECT_EQ(item.integer(), std::nullopt);
  item = item.next();
  EXPECT_EQ(item.text(), "té");
  EXPECT_EQ(item.next().boolean(), true);
  EXPECT_EQ(item.next().next().kind(), NodeKind::null);
  EXPECT_EQ(a.size(), 5U);
  EXPECT_EQ(where(document.value().root().find("b").place()), "x:2:8");
  EXPECT_FALSE(document.value().root().find("c").exists());
}

TEST_F(ParseTest, JsonErrorsHavePlaces) {
  EXPECT_THAT(error_of("{\"a\": 1,\n \"a\": 2}"), HasSubstr("x:2:2 the key \"a\" stands twice"));
  EXPECT_THAT(error_of("{\"a\": 01}"), HasSubstr("x:1:7 not JSON: \"01\" is not a number"));
  EXPECT_THAT(error_of("{\"a\": nul}"), HasSubstr("x:1:7"));
  EXPECT_THAT(error_of("{\"a\": 1} x"), HasSubstr("x:1:10 not JSON: something stands behind the document"));
  EXPECT_THAT(error_of("[1, 2"), HasSubstr("not JSON"));
  EXPECT_THAT(error_of("[1 2]"), HasSubstr("not JSON"));
  EXPECT_THAT(error_of("[\"a\nb\"]"), HasSubstr("control character"));
  EXPECT_THAT(error_of("[\"\xff\"]"), HasSubstr("x:1:3 not JSON: a byte sequence that is not UTF-8"));
  EXPECT_THAT(error_of(std::string(200, '[')), HasSubstr("not JSON"));
  EXPECT_THAT(error_of(std::string(200, '[') + std::string(200, ']')), HasSubstr("more than 100 deep"));
}

TEST_F(ParseTest, YamlScalarsResolveAsKubernetesReadsThem) {
  const base::Result<Document> document =
      parse("a: on\nb: 'on'\nc: 1e3\nd: 0x1f\ne: ~\nf: 2001-01-01\ng: 010\nh: 1_000\ni: !!str 5\nj: y\nk: 08\n");
  ASSERT_OK(document);
  const Node root = document.value().root();
  EXPECT_EQ(root.find("a").boolean(), true);
  EXPECT_EQ(root.find("b").kind(), NodeKind::text);
  EXPECT_EQ(root.find("c").decimal(), 1000.0);
  EXPECT_EQ(root.find("d").integer(), 31);
  EXPECT_EQ(root.find("e").kind(), NodeKind::null);
  EXPECT_EQ(root.find("f").kind(), NodeKind::text);
  EXPECT_EQ(root.find("g").integer(), 8);
  EXPECT_EQ(root.find("h").integer(), 1000);
  EXPECT_EQ(root.find("i").kind(), NodeKind::text);
  EXPECT_EQ(root.find("j").kind(), NodeKind::boolean);
  EXPECT_EQ(root.find("k").kind(), NodeKind::decimal);
}

TEST_F(ParseTest, YamlPlacesAreByteOffsets) {
  const base::Result<Document> document = parse("\xEF\xBB\xBFkey: ä\r\nother:\r\n- \"ö x\": z\r\n");
  ASSERT_OK(document);
  const Node other = document.value().root().find("other");
  EXPECT_EQ(where(document.value().root().find("key").place()), "x:1:9");
  EXPECT_EQ(where(other.first_child().first_child().place()), "x:3:11");
  EXPECT_EQ(where(other.first_child().first_child().key_place()), "x:3:3");
}

TEST_F(ParseTest, YamlAnchorsAliasesAndMerges) {
  const base::Result<Document> document = parse("base: &b {x: 1, z: [2]}\nuse: *b\nmerged:\n  <<: *b\n  x: 3\n");
  ASSERT_OK(document);
  const Node root = document.value().root();
  EXPECT_EQ(root.find("use").find("z").first_child().integer(), 2);
  EXPECT_EQ(root.find("merged").size(), 2U);
  EXPECT_EQ(root.find("merged").find("x").integer(), 3);
  EXPECT_EQ(root.find("merged").find("z").size(), 1U);
}

TEST_F(ParseTest, YamlBombsAndDepthAreRefused) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) bomb += last + ",";
    bomb += last + "]\n";
  }
  EXPECT_THAT(error_of(bomb), HasSubstr("aliases expand to more than"));
  EXPECT_THAT(error_of("a: " + std::string(100'000, '[')), HasSubstr("a list or map stands as a key"));
  EXPECT_THAT(error_of("- " + std::string(5000, '-')), "parsed");
  std::string dashes;
  for (int i = 0; i < 50'000; ++i) dashes += "- ";
  EXPECT_THAT(error_of(dashes), HasSubstr("more than 100 deep"));
  EXPECT_THAT(error_of("a: " + std::string(150, '[') + std::string(150, ']')), HasSubstr("more than 100 deep"));
  EXPECT_THAT(error_of("a: 1\nb: 2\na: 3\n"), HasSubstr("x:3:1 the key \"a\" stands twice"));
}

TEST_F(ParseTest, ManyDocumentsAndEmptyOnes) {
  const base::Result<std::vector<Document>> documents =
      parse_all(files_, files_.add("m", "---\na: 1\n---\n# nothing\n---\nb: 2\n...\n"));
  ASSERT_OK(documents);
  ASSERT_EQ(documents.value().size(), 2U);
  EXPECT_EQ(where(documents.value()[1].root().place()), "m:6:1");
  EXPECT_THAT(error_of(""), HasSubstr("no document"));
}

TEST_F(ParseTest, EmbeddedYamlKeepsTheLinesOfTheFile) {
  const base::Result<Document> outer = parse("data:\n  q.yaml: |\n    parts:\n      - name: x\n        bad: on\n");
  ASSERT_OK(outer);
  const base::Result<Document> inner = parse_embedded(files_, outer.value().root().find("data").find("q.yaml"));
  ASSERT_OK(inner);
  const Node part = inner.value().root().find("parts").first_child();
  EXPECT_EQ(where(part.find("name").place()), "x:4:15");
  EXPECT_EQ(where(part.find("bad").key_place()), "x:5:9");
}

TEST_F(ParseTest, JsonLinesGoOnAfterABadLine) {
  const std::uint32_t file = files_.add("l", "{\"a\":1}\n\n{bad}\n{\"a\":2}");
  std::vector<std::int64_t> values;
  std::vector<std::string> bad;
  const base::Status status = for_each_json_line(
      files_, file,
      [&](Node root) {
        values.push_back(root.find("a").integer().value_or(-1));
        return base::Status();
      },
      [&](const base::Status& problem) { bad.push_back(where(problem.place())); });
  ASSERT_OK(status);
  EXPECT_EQ(values, (std::vector<std::int64_t>{1, 2}));
  ASSERT_EQ(bad.size(), 1U);
  EXPECT_THAT(bad[0], HasSubstr("l:3:"));
}

TEST_F(ParseTest, JsonLinesStopWhenToldAndCarryBigLines) {
  std::string text = "\xEF\xBB\xBF";
  for (int i = 0; i < 100; ++i)
    text += "{\"a\":\"" + std::string(static_cast<std::size_t>(i) * 50, 'x') + "\"}\r\n";
  int seen = 0;
  const base::Status status = for_each_json_line(
      files_, files_.add("l", text),
      [&](Node root) {
        EXPECT_EQ(root.find("a").text().size(), static_cast<std::size_t>(seen) * 50);
        return ++seen == 60 ? base::Status(base::ErrorKind::usage, "enough") : base::Status();
      },
      [](const base::Status& problem) { ADD_FAILURE() << problem.message(); });
  EXPECT_THAT(status, Fails(base::ErrorKind::usage, HasSubstr("enough")));
  EXPECT_EQ(seen, 60);
}

// Only one file of the corpus is broken, in line 8.
TEST(Corpus, EveryYamlFileParsesOrIsKnownToBeBroken) {
  const std::string folder = testing::corpus_path("");
  if (folder.empty()) GTEST_SKIP() << "no corpus beside the project";
  int parsed = 0;
  for (const std::string& path : testing::files_below(folder)) {
    if (!path.ends_with(".yaml") && !path.ends_with(".yml")) continue;
    base::SourceFiles files;
    const base::Result<std::vector<Document>> documents =
        parse_all(files, files.add(path, testing::read_file(path)));
    const std::string said = files.describe(documents.status().place()).substr(documents.ok() ? 0 : path.size()) +
                             " " + documents.status().message();
    if (path.find("broken-yaml") != std::string::npos)
      EXPECT_EQ(said, ":8:2 not YAML: a * stands without a name; a text that begins with * needs quotes");
    else
      EXPECT_TRUE(documents.ok()) << path << said;
    ++parsed;
  }
  EXPECT_GT(parsed, 100);
}

}  // namespace
}  // namespace cmb2kueue::doc
