// Any text fits into annotations or is cut, never silently and never id or name.
#include "annotations.h"

#include <numeric>

#include "cmb2kueue/base/text.h"
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TenantBuilder;

std::size_t bytes(const kueue::Pairs& pairs) {
  return std::accumulate(pairs.begin(), pairs.end(), std::size_t{0}, [](std::size_t sum, const auto& pair) {
    return sum + pair.first.size() + pair.second.size();
  });
}

TEST(Annotations, ArbitraryTextComesThrough) {
  TenantBuilder tree;
  tree.leaf("on: \"1e3\"\n\tÜ 日本").id("a/b\\c").attribute("k\"1", "line\nbreak").attribute("y", "");
  tree.tenant().email = "x@example.com";
  tree.tenant().description = std::string("two\nlines");
  const kueue::Meta meta = Translated(tree.model()).queue("a/b\\c").meta;
  EXPECT_EQ(annotation(meta, "tenant-name"), "on: \"1e3\"\n\tÜ 日本");
  EXPECT_EQ(annotation(meta, "tenant-id"), "a/b\\c");
  EXPECT_EQ(annotation(meta, "tenant-email"), "x@example.com");
  EXPECT_EQ(annotation(meta, "tenant-description"), "two\nlines");
  EXPECT_EQ(annotation(meta, "attributes"), R"({"k\"1":"line\nbreak","y":""})");
}

TEST(Annotations, WhatDoesNotFitIsCutAndSaidSo) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.tenant().description = std::string(1, 'x');
  for (int i = 0; i < 100'000; ++i) tree.tenant().description += "ä";
  const Translated run(tree.model());
  EXPECT_THAT(run.said("T-ANNOTATION-SIZE"),
              ElementsAre("warning /a: too much text for annotations; cut: tenant-description"));
  const kueue::Meta meta = run.queue("a").meta;
  EXPECT_LE(bytes(meta.annotations), 120U * 1024);
  EXPECT_GE(bytes(meta.annotations), 119U * 1024);
  EXPECT_TRUE(annotation(meta, "tenant-description").ends_with("ä..."));
  EXPECT_TRUE(base::valid_utf8(annotation(meta, "tenant-description")));
}

TEST(Annotations, OfAttributesWholeEntriesStay) {
  TenantBuilder tree;
  tree.leaf("a");
  for (int i = 100; i < 400; ++i)
    tree.tenant().attributes.emplace_back("k" + std::to_string(i), std::string(1000, 'v'));
  const Annotations made = annotations_of(tree.model(), tree.tenant());
  EXPECT_THAT(made.cut, ElementsAre("attributes"));
  EXPECT_LE(bytes(made.pairs), 120U * 1024);
  const std::string& text = made.pairs[0].second;
  EXPECT_TRUE(text.starts_with("{\"k100\":\"v")) << text.substr(0, 20);
  EXPECT_TRUE(text.ends_with("v\"}"));
}

TEST(Annotations, IdAndNameAreWholeOrAnError) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.tenant().name = std::string(100'000, 'n');
  EXPECT_THAT(Translated(tree.model()).said("T-IDENTITY-TOO-LONG"), IsEmpty());
  EXPECT_EQ(annotation(Translated(tree.model()).queue("a").meta, "tenant-name").size(), 100'000U);
  tree.tenant().name = std::string(130'000, 'n');
  EXPECT_THAT(Translated(tree.model()).said("T-IDENTITY-TOO-LONG"),
              ElementsAre(HasSubstr("error /a: id and name")));
}

TEST(Annotations, AreSortedAndLeaveOutWhatIsEmpty) {
  TenantBuilder tree;
  tree.leaf("a");
  const Annotations made = annotations_of(tree.model(), tree.tenant());
  std::vector<std::string> keys;
  for (const auto& [key, value] : made.pairs) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("cmb2kueue.io/tenant-id", "cmb2kueue.io/tenant-name", "cmb2kueue.io/tenant-path"));
}

}  // namespace
}  // namespace cmb2kueue::translate
