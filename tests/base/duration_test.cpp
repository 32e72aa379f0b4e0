// Spans of time as kubectl takes them.
#include "cmb2kueue/base/duration.h"

#include <gtest/gtest.h>

#include <vector>

namespace cmb2kueue::base {
namespace {

TEST(Duration, IsGosOrPlainSeconds) {
  for (const auto& [text, ms] : std::vector<std::pair<std::string, std::int64_t>>{{"0", 0},
                                                                                  {"30", 30'000},
                                                                                  {"+5", 5'000},
                                                                                  {"90s", 90'000},
                                                                                  {"1h2m3.5s", 3'723'500},
                                                                                  {".5s", 500},
                                                                                  {"1.s", 1'000},
                                                                                  {"1500ms", 1'500},
                                                                                  {"200us", 1},
                                                                                  {"2\xC2\xB5s", 1},
                                                                                  {"0s", 0}})
    EXPECT_EQ(parse_duration_ms(text), ms) << text;
  for (const char* text :
       {"", "-5", "-5s", "5 s", "s", ".s", "1.2", "1d", "1m30", "1e3s", "1..5s", "99999999999999999h"})
    EXPECT_EQ(parse_duration_ms(text), -1) << text;
}

}  // namespace
}  // namespace cmb2kueue::base
