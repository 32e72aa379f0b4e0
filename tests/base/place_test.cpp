#include "cmb2kueue/base/place.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cmb2kueue::base {
namespace {

TEST(SourceFiles, TurnsOffsetsIntoLinesAndColumns) {
  SourceFiles files;
  const std::uint32_t file = files.add("x.yaml", "one\ntwo\n\nfour");
  EXPECT_EQ(files.describe({file, 0}), "x.yaml:1:1");
  EXPECT_EQ(files.describe({file, 3}), "x.yaml:1:4");
  EXPECT_EQ(files.describe({file, 4}), "x.yaml:2:1");
  EXPECT_EQ(files.describe({file, 8}), "x.yaml:3:1");
  EXPECT_EQ(files.describe({file, 13}), "x.yaml:4:5");
}

TEST(SourceFiles, UnknownPlacesHaveNoDescription) {
  SourceFiles files;
  EXPECT_EQ(files.describe({}), "");
  EXPECT_EQ(files.describe({5, 1}), "");
  EXPECT_EQ(files.text(5), "");
  EXPECT_FALSE(Place().known());
}

TEST(SourceFiles, StandardInputHasAName) {
  SourceFiles files;
  EXPECT_EQ(files.name(files.add("-", "")), "<stdin>");
  EXPECT_EQ(files.describe({1, 0}), "<stdin>:1:1");
}

TEST(SourceFiles, ViewsOutliveGrowthAndMoving) {
  SourceFiles files;
  const std::string_view first = files.text(files.add("a", "short"));
  for (int i = 0; i < 1000; ++i) files.add("b", std::string(100, 'b'));
  const SourceFiles moved = std::move(files);
  EXPECT_EQ(first, "short");
  EXPECT_EQ(moved.text(1).data(), first.data());
}

TEST(SourceFiles, KeepsReadableBytesBehindTheText) {
  SourceFiles files;
  const std::string_view text = files.text(files.add("a", std::string(4096, 'x')));
  EXPECT_EQ(text.size(), 4096U);
  EXPECT_TRUE(std::all_of(text.data() + 4096, text.data() + 4096 + 64, [](char c) { return c == '\0'; }));
}

}  // namespace
}  // namespace cmb2kueue::base
