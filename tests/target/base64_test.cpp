// Base64 as kubeconfig files hold it.
#include "base64.h"

#include <gtest/gtest.h>

namespace cmb2kueue::target {
namespace {

TEST(Base64Test, KnowsTheVectorsOfTheStandard) {
  // RFC 4648, section 10.
  const std::vector<std::pair<std::string, std::string>> vectors = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"},
                                                                    {std::string("\0\xff\xfe", 3), "AP/+"}};
  for (const auto& [plain, encoded] : vectors) {
    EXPECT_EQ(base64(plain), encoded);
    EXPECT_EQ(from_base64(encoded), plain) << encoded;
  }
}

TEST(Base64Test, LineEndsAreReadOver) {
  EXPECT_EQ(from_base64("Zm9v\r\nYmFy\n"), "foobar");
}

TEST(Base64Test, EveryByteSurvives) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(from_base64(base64(all)), all);
}

TEST(Base64Test, WhatIsNoBase64IsNothing) {
  for (const char* text : {"Zg", "Zg=", "Zm8", "Z", "Zg==Zg==", "Zm9v!", "Zm 9v", "====", "Z===", "-_-_", "=Zg="})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace cmb2kueue::target
