// Texts that must not parse, and what their authors are told. The cases are in files; each names the place and how
// the message begins.
#include <gtest/gtest.h>

#include "cases.h"
#include "cmb2kueue/doc/parse.h"
#include "support/result.h"

namespace cmb2kueue::doc {
namespace {

using ::testing::StartsWith;

// "line:column message", or "parsed".
std::string mistake_in(const std::string& text) {
  base::SourceFiles files;
  const base::Result<std::vector<Document>> documents = parse_all(files, files.add("x", text));
  if (documents.ok()) return "parsed";
  EXPECT_EQ(documents.status().kind(), base::ErrorKind::input);
  return files.describe(documents.status().place()).substr(2) + " " + documents.status().message();
}

TEST(JsonMistakes, AreNamedAndPlaced) {
  for (const std::vector<std::string>& fields : cases_of("json_mistakes.txt")) {
    std::string expected = fields.at(1);
    if (expected.find("stands twice") == std::string::npos) expected.insert(expected.find(' ') + 1, "not JSON: ");
    EXPECT_THAT(mistake_in(fields[0]), StartsWith(expected)) << fields[0];
  }
}

TEST(JsonMistakes, InBytesAreNamedAndPlaced) {
  EXPECT_EQ(mistake_in("[\"\xff\"]"), "1:3 not JSON: a byte sequence that is not UTF-8");
  EXPECT_EQ(mistake_in("[\"\xC3\xA4\",\n\"\xC3\"]"), "2:2 not JSON: a byte sequence that is not UTF-8");
  EXPECT_EQ(mistake_in("[\"a\x01\"]"), "1:4 not JSON: a control character stands unescaped in a string");
  EXPECT_THAT(mistake_in("[\"a\n\"]"), StartsWith("1:2 not JSON: a string is not closed on its line"));
  EXPECT_THAT(mistake_in(std::string("[2\0\0]", 5)), StartsWith("1:2 not JSON: \"2"));
}

TEST(YamlMistakes, AreNamedAndPlaced) {
  for (const std::vector<std::string>& fields : cases_of("yaml_mistakes.txt"))
    EXPECT_THAT(mistake_in(unescaped(fields[0])), StartsWith(fields.at(1))) << fields[0];
}

TEST(YamlMistakes, InBytesAreNamedAndPlaced) {
  EXPECT_EQ(mistake_in("a: b\nc: \xC3\n"), "2:4 not YAML: a byte sequence that is not UTF-8");
  EXPECT_EQ(mistake_in("\xEF\xBB\xBF# \xC3\xA4\na: \xff"), "2:4 not YAML: a byte sequence that is not UTF-8");
  EXPECT_EQ(mistake_in(std::string("a: \0", 4)), "1:4 not YAML: a control character");
}

// A line that is indented wrongly is no new document, though the library takes it for one.
TEST(YamlMistakes, DocumentsBeginWithAMark) {
  EXPECT_THAT(mistake_in("- a\n# remark\nb: 1\n"), StartsWith("3:1 not YAML: this line does not continue"));
  EXPECT_EQ(mistake_in("- a\n...\n# remark\nb: 1\n"), "parsed");
  EXPECT_EQ(mistake_in("- a\n--- \nb: 1\n"), "parsed");
}

// Errors inside a document of the parts above, at every byte: what counts is that each ends in a document or a
// Status.
TEST(Truncated, TextsNeverCrash) {
  const std::vector<std::string> texts = {
      "{\"a\": [1, {\"b\\n\": \"c\\u0041\\ud83d\\ude00\"}], \"d\": tru",
      "a: &x [1, 'b''c', {d: \"e\\n\"}]\nf: |\n  text\n g: *x\n",
      testing::read_file(testing::project_path("tests/fuzz/seeds/yaml/blocks.yaml")),
      testing::read_file(testing::project_path("tests/fuzz/seeds/yaml/scalars.yaml"))};
  for (const std::string& text : texts)
    for (std::size_t i = 0; i < text.size(); ++i) {
      EXPECT_FALSE(mistake_in(text.substr(0, i)).empty());
      EXPECT_FALSE(mistake_in("[" + text.substr(i)).empty());
    }
}

}  // namespace
}  // namespace cmb2kueue::doc
