// What is written, and that it is read back as it was meant.
#include "cmb2kueue/doc/emit.h"

#include <gtest/gtest.h>

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
  sink.boolean_field("yes", true);
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

TEST(YamlSink, NastyTextsComeBackAsText) {
  for (const std::string& text : nasty) {
    std::string out;
    YamlSink sink(out);
    sink.open_map();
    sink.text_field(text.empty() ? "k" : text, text);
    sink.close();
    base::SourceFiles files;
    const base::Result<Document> document = parse_one(files, files.add("x.yaml", out));
    ASSERT_OK(document);
    const Node child = document.value().root().first_child();
    EXPECT_EQ(child.kind(), NodeKind::text) << out;
    EXPECT_EQ(child.text(), text) << out;
    EXPECT_EQ(child.key(), text.empty() ? "k" : text) << out;
  }
}

}  // namespace
}  // namespace cmb2kueue::doc
