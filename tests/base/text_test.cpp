#include "cmb2kueue/base/text.h"

#include <gtest/gtest.h>

namespace cmb2kueue::base {
namespace {

TEST(Hash, Sha256MatchesPublishedVectors) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Hash, Base32IsThePrefixAsked) {
  EXPECT_EQ(sha256_base32("abc", 52), "xj4bnp4pahh6uqkbidpf3lrceoyagyndsylxvhfucd7wd4qacwwq");
  EXPECT_EQ(sha256_base32("abc", 8), "xj4bnp4p");
  EXPECT_EQ(sha256_base32("abc", 99).size(), 52U);
}

TEST(Hash, Fnv1aMatchesPublishedVectors) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8ULL);
  EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar"));
}

TEST(Slug, KeepsWhatALabelMayHold) {
  EXPECT_EQ(slug("Team Blue/GPU", 63), "team-blue-gpu");
  EXPECT_EQ(slug("__a__b__", 63), "a-b");
  EXPECT_EQ(slug("abc-def", 4), "abc");
  EXPECT_EQ(slug("\xC3\xA4\xC3\xB6", 63), "");
  EXPECT_EQ(slug("9lives", 63), "9lives");
}

TEST(Nearest, FindsSlipsOnly) {
  const std::vector<std::string> verbs = {"translate", "check", "cutover", "rollback"};
  EXPECT_EQ(nearest("tranlsate", verbs), "translate");
  EXPECT_EQ(nearest("chekc", verbs), "check");
  EXPECT_EQ(nearest("rolback", verbs), "rollback");
  EXPECT_EQ(nearest("delete", verbs), "");
  EXPECT_EQ(nearest("", verbs), "");
  EXPECT_EQ(nearest("cp", {"cpu"}), "cpu");
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("cat", {"bat", "hat"}), "bat");
  EXPECT_EQ(nearest(std::string(500, 'a'), {std::string(500, 'a')}), "");
}

TEST(Nearest, ReadyForAMessage) {
  EXPECT_EQ(did_you_mean("chekc", {"check"}), ", did you mean \"check\"?");
  EXPECT_EQ(did_you_mean("zzz", {"check"}), "");
}

TEST(Quoted, EscapesWhatATerminalWouldActOn) {
  EXPECT_EQ(quoted("plain"), "\"plain\"");
  EXPECT_EQ(quoted("a\"b\\c\n\t"), "\"a\\\"b\\\\c\\n\\t\"");
  EXPECT_EQ(quoted("\x1b[31m"), "\"\\x1b[31m\"");
  EXPECT_EQ(quoted("\xC2\x9B"
                   "31m"),
            "\"\\u009b31m\"");
  EXPECT_EQ(quoted("\xE2\x80\xAE"), "\"\\u202e\"");
  EXPECT_EQ(quoted("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
  EXPECT_EQ(quoted("\xFF\xC3"), "\"\\xff\\xc3\"");
}

TEST(Quoted, CutsByCharactersNotBytes) {
  EXPECT_EQ(quoted("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(quoted("abc", 3), "\"abc\"");
  EXPECT_EQ(quoted("\xC3\xA9\xC3\xA9\xC3\xA9", 2), "\"\xC3\xA9\xC3\xA9...\"");
}

TEST(Utf8, RefusesOverlongSurrogateAndCutSequences) {
  EXPECT_TRUE(valid_utf8("ok \xC3\xA9 \xED\x9F\xBF \xF4\x8F\xBF\xBF"));
  for (const char* bad :
       {"\xC0\xAF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF0\x8F\xBF\xBF", "\xE2\x82", "\x80"})
    EXPECT_FALSE(valid_utf8(bad)) << quoted(bad);
}

TEST(Counting, ReadsLikeASentence) {
  EXPECT_EQ(counted(1, "tenant"), "1 tenant");
  EXPECT_EQ(counted(0, "tenant"), "0 tenants");
  EXPECT_EQ(counted(1234, "tenant"), "1,234 tenants");
  EXPECT_EQ(with_commas(-1234567), "-1,234,567");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(INT64_MIN), "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace cmb2kueue::base
