// What plain scalars are, case by case as the API server's reader has it.
#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "cmb2kueue/doc/parse.h"
#include "support/result.h"

namespace cmb2kueue::doc {
namespace {

std::string word_of(NodeKind kind) {
  const std::vector<std::string> words = {"null", "boolean", "integer", "decimal", "text", "list", "map"};
  return words.at(static_cast<std::size_t>(kind));
}

// The value as the case files write it, as far as the kind has one.
void expect_value(Node node, const std::vector<std::string>& fields) {
  if (node.kind() == NodeKind::text) {
    EXPECT_EQ(node.text(), fields[0]);
  } else if (node.kind() == NodeKind::boolean) {
    EXPECT_EQ(node.boolean(), fields.at(2) == "true") << fields[0];
  } else if (node.kind() != NodeKind::null) {
    const double value = std::strtod(fields.at(2).c_str(), nullptr);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(node.decimal().value_or(0)));
    else
      EXPECT_EQ(node.decimal(), value) << fields[0];
  }
  if (node.integer().has_value()) {
    EXPECT_EQ(std::to_string(*node.integer()), fields[2]);
  }
}

TEST(PlainScalars, ResolveAsTheApiServerResolvesThem) {
  for (const std::vector<std::string>& fields : cases_of("plain_scalars.txt")) {
    base::SourceFiles files;
    const base::Result<Document> document = parse_one(files, files.add("x", "k: " + fields[0] + "\n"));
    ASSERT_OK(document);
    const Node node = document.value().root().find("k");
    EXPECT_EQ(word_of(node.kind()), fields.at(1)) << fields[0];
    expect_value(node, fields);
  }
}

TEST(PlainScalars, IntegersOutOfRangeHaveNoInteger) {
  base::SourceFiles files;
  for (const char* text : {"[9223372036854775808]", "#\n- 9223372036854775808\n"}) {
    const base::Result<Document> document = parse_one(files, files.add("x", text));
    ASSERT_OK(document);
    const Node node = document.value().root().first_child();
    EXPECT_EQ(node.kind(), NodeKind::integer);
    EXPECT_EQ(node.integer(), std::nullopt);
    EXPECT_EQ(node.text(), "9223372036854775808");
    EXPECT_EQ(node.decimal(), 9223372036854775808.0);
  }
}

// As sigs.k8s.io/yaml does it: keys of JSON are texts.
TEST(PlainKeys, ThatAreNoTextAreSpelledAsJsonWould) {
  base::SourceFiles files;
  const base::Result<Document> document =
      parse_one(files, files.add("x", "on: a\nNO: b\n0x10: c\n'on': d\n1.10: e\n2001-01-01: f\n"));
  ASSERT_OK(document);
  std::vector<std::string> keys;
  for (Node child : children(document.value().root())) keys.emplace_back(child.key());
  EXPECT_THAT(keys, ::testing::ElementsAre("true", "false", "16", "on", "1.10", "2001-01-01"));
  EXPECT_EQ(files.describe(document.value().root().find("16").key_place()), "x:3:1");
}

}  // namespace
}  // namespace cmb2kueue::doc
