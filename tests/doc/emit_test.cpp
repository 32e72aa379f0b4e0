// What is written, and that it is read back as it was meant.
#include "cmb2kueue/doc/emit.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <random>

#include "cases.h"
#include "cmb2kueue/doc/parse.h"
#include "support/result.h"

namespace cmb2kueue::doc {
namespace {

void write_example(Sink& sink) {
  sink.open_map();
  sink.text_field("name", "on");
  sink.key("list");
  sink.open_list();
  sink.open_map();
  sink.text_field("a", "x");
  sink.key("inner");
  sink.open_list();
  sink.text("1e3");
  sink.number(7);
  sink.close();
  sink.close();
  sink.text("two words");
  sink.open_map();
  sink.close();
  sink.close();
  sink.key("empty");
  sink.open_map();
  sink.close();
  sink.key("map");
  sink.open_map();
  sink.key("yes");
  sink.boolean(true);
  sink.close();
  sink.close();
}

TEST(YamlSink, WritesBlocksAsKubectlDoes) {
  std::string out;
  YamlSink sink(out);
  write_example(sink);
  EXPECT_EQ(
      out,
      "name: 'on'\nlist:\n- a: x\n  inner:\n  - '1e3'\n  - 7\n- two words\n- {}\nempty: {}\nmap:\n  'yes': true\n");
}

TEST(JsonSink, WritesCompactAndPretty) {
  std::string compact, pretty;
  JsonSink(compact, 0).open_list();
  JsonSink sink(pretty, 2);
  sink.open_map();
  sink.text_field("a", "q\"\n\x01");
  sink.key("b");
  sink.open_list();
  sink.close();
  sink.close();
  EXPECT_EQ(compact, "[");
  EXPECT_EQ(pretty, "{\n  \"a\": \"q\\\"\\n\\u0001\",\n  \"b\": []\n}");
}

// Texts that some reader would take for something else.
const std::vector<std::string> nasty = {"on",
                                        "y",
                                        "NO",
                                        "1e3",
                                        "0x1f",
                                        "0o7",
                                        "1:30",
                                        "~",
                                        "null",
                                        "- a",
                                        "a: b",
                                        "#x",
                                        " lead",
                                        "trail ",
                                        "",
                                        "a\nb",
                                        "tab\t",
                                        "Grüße",
                                        "\x01",
                                        "=",
                                        "<<",
                                        "2001-01-01",
                                        ".inf",
                                        "'",
                                        "\"",
                                        "*a",
                                        "&a",
                                        "!t",
                                        "%d",
                                        "@x",
                                        "`b",
                                        "a #c",
                                        "a:",
                                        "[x]",
                                        "{x}",
                                        "x, y",
                                        "---",
                                        "-",
                                        "?",
                                        "? a",
                                        ":",
                                        "\xC2\x85",
                                        "\xE2\x80\xA8z",
                                        "\\n",
                                        "a\r\nb",
                                        "12_3",
                                        "+1",
                                        "-.5",
                                        "1.",
                                        "0b11",
                                        "007",
                                        "12e03",
                                        "|",
                                        ">",
                                        "true",
                                        "False",
                                        "Null"};

// The text as key and value of a map and as an item of a list.
std::string yaml_around(const std::string& text) {
  std::string out;
  YamlSink sink(out);
  sink.open_map();
  sink.text_entry(text, text);
  sink.key("list of " + text);
  sink.open_list();
  sink.text(text);
  sink.close();
  sink.close();
  return out;
}

void expect_text(Node node, const std::string& text, const std::string& yaml) {
  EXPECT_EQ(node.kind(), NodeKind::text) << yaml;
  EXPECT_EQ(node.text(), text) << yaml;
}

// By this reader and by the library's own, which resolves nothing but tells quoted from plain.
void expect_comes_back(const std::string& text) {
  const std::string yaml = yaml_around(text);
  base::SourceFiles files;
  const base::Result<Document> document = parse_one(files, files.add("x.yaml", yaml));
  ASSERT_OK(document);
  const Node child = document.value().root().first_child();
  EXPECT_EQ(child.key(), text) << yaml;
  expect_text(child, text, yaml);
  expect_text(child.next().first_child(), text, yaml);
  const YAML::Node theirs = YAML::Load(yaml);
  ASSERT_EQ(theirs.size(), 2U) << yaml;
  EXPECT_EQ(theirs.begin()->first.as<std::string>(), text) << yaml;
  EXPECT_EQ(theirs.begin()->second.as<std::string>(), text) << yaml;
  std::string json;
  JsonSink sink(json, 0);
  sink.open_list();
  sink.text(text);
  sink.close();
  const base::Result<Document> list = parse_one(files, files.add("x.json", json));
  ASSERT_OK(list);
  expect_text(list.value().root().first_child(), text, json);
}

TEST(Sinks, NastyTextsComeBackAsText) {
  int count = 0;
  for (const std::vector<std::string>& fields : cases_of("nasty_texts.txt")) {
    base::SourceFiles files;
    const base::Result<Document> text = parse_one(files, files.add("case", "[" + fields[0] + "]"));
    ASSERT_OK(text);
    expect_comes_back(std::string(text.value().root().first_child().text()));
    ++count;
  }
  EXPECT_GT(count, 100);
}

TEST(Sinks, RandomTextsComeBackAsText) {
  const std::vector<std::string> pieces = {"a",
                                           "y",
                                           "no",
                                           "1",
                                           "0",
                                           "x",
                                           "e",
                                           ".",
                                           "-",
                                           "+",
                                           "_",
                                           ":",
                                           " ",
                                           "#",
                                           ",",
                                           "[",
                                           "}",
                                           "'",
                                           "\"",
                                           "\\",
                                           "\n",
                                           "\t",
                                           "|",
                                           "&",
                                           "*",
                                           "!",
                                           "%",
                                           "?",
                                           "<",
                                           "=",
                                           "~",
                                           "\xC3\xA4",
                                           "\xE2\x80\xA8",
                                           "\xC2\x85",
                                           "\xF0\x9F\x98\x80",
                                           "\x07"};
  std::mt19937 random(20260301);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::size_t length = random() % 7; length > 0; --length) text += pieces[random() % pieces.size()];
    expect_comes_back(text);
    if (::testing::Test::HasFailure()) break;
  }
}

TEST(YamlSink, EscapesWhatReadersRefuse) {
  EXPECT_EQ(yaml_around("\x01\xC2\x80\xEF\xBF\xBE").substr(0, 16), "\"\\x01\\x80\\uFFFE\"");
  EXPECT_THAT(yaml_around("it's: so"), ::testing::StartsWith("'it''s: so': 'it''s: so'\n"));
  EXPECT_THAT(yaml_around("kueue.x-k8s.io/v1beta2"),
              ::testing::StartsWith("kueue.x-k8s.io/v1beta2: kueue.x-k8s.io/v1beta2\n"));
}

// Readers look for the colon of a key in 1024 characters only.
TEST(YamlSink, WritesLongKeysExplicitly) {
  const std::string name(1001, 'k');
  std::string out;
  YamlSink sink(out);
  sink.open_list();
  sink.open_map();
  sink.text_entry(name, "v");
  sink.key(name + "2");
  sink.open_list();
  sink.text("i");
  sink.close();
  sink.close();
  sink.close();
  EXPECT_EQ(out, "- ? " + name + "\n  : v\n  ? " + name + "2\n  :\n  - i\n");
  EXPECT_EQ(YAML::Load(out)[0][name + "2"][0].as<std::string>(), "i");
}

TEST(Copy, SpellsScalarsAsJsonDoes) {
  base::SourceFiles files;
  const base::Result<Document> document = parse_one(
      files, files.add("x", "[on, 0x1f, 1_000, +5, 010, ~, .5, 1e3, -.inf, 18446744073709551616, 'on', {a: NO}]"));
  EXPECT_FALSE(document.ok());  // it looks like JSON
  const base::Result<Document> yaml = parse_one(
      files,
      files.add("x", "# YAML\n[on, 0x1f, 1_000, +5, 010, ~, .5, 1e3, -.inf, 18446744073709551616, 'on', {a: NO}]"));
  ASSERT_OK(yaml);
  std::string out;
  JsonSink sink(out, 0);
  copy(yaml.value().root(), sink);
  EXPECT_EQ(out, "[true,31,1000,5,8,null,0.5,1e3,\"-.inf\",18446744073709551616,\"on\",{\"a\":false}]");
}

}  // namespace
}  // namespace cmb2kueue::doc
