#include "cmb2kueue/base/status.h"

#include <set>

#include "support/result.h"

namespace cmb2kueue::base {
namespace {

TEST(Status, IsSuccessUnlessToldOtherwise) {
  EXPECT_TRUE(Status().ok());
  EXPECT_FALSE(Status(ErrorKind::io, "cannot read").ok());
}

TEST(Status, EveryKindHasAWordOfItsOwn) {
  std::set<std::string> words;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::internal); ++kind)
    words.insert(to_string(static_cast<ErrorKind>(kind)));
  EXPECT_EQ(words.size(), static_cast<std::size_t>(ErrorKind::internal) + 1);
  EXPECT_STREQ(to_string(ErrorKind::not_found), "not-found");
}

TEST(Status, PrefixKeepsKindAdviceAndPlace) {
  const Status status = Status(ErrorKind::stale, "state moved on", "plan again", Place{2, 7}).prefixed("plan.json");
  EXPECT_EQ(status.kind(), ErrorKind::stale);
  EXPECT_EQ(status.message(), "plan.json: state moved on");
  EXPECT_EQ(status.advice(), "plan again");
  EXPECT_EQ(status.place(), (Place{2, 7}));
}

TEST(Result, HoldsAValueOrTheReasonForNone) {
  const Result<std::string> value = std::string("text");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value.value(), "text");
  EXPECT_EQ(value->size(), 4U);
  const Result<std::string> failure = Status(ErrorKind::usage, "no");
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.status().message(), "no");
}

}  // namespace
}  // namespace cmb2kueue::base
