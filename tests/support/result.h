// Looking at Result and Status in tests with a message worth reading when it is not what was wanted.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::testing {

// Unwraps, failing the test with the error's text.
#define ASSERT_OK(expression)                                                           \
  do {                                                                                  \
    const auto& ok_result_ = (expression);                                              \
    ASSERT_TRUE(::cmb2kueue::testing::status_of(ok_result_).ok())                       \
        << ::cmb2kueue::testing::describe(::cmb2kueue::testing::status_of(ok_result_)); \
  } while (false)

inline const base::Status& status_of(const base::Status& status) {
  return status;
}
template <class T>
const base::Status& status_of(const base::Result<T>& result) {
  return result.status();
}

std::string describe(const base::Status& status);

// EXPECT_THAT(result.status(), Fails(ErrorKind::input, HasSubstr("line")));
MATCHER_P2(Fails, kind, message_matcher, "") {
  *result_listener << describe(arg);
  return arg.kind() == kind && ::testing::Matches(message_matcher)(arg.message());
}

}  // namespace cmb2kueue::testing
