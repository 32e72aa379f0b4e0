// The judge's tests need a cluster; without one they say how to get one, and fail.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (std::getenv("CMB2KUEUE_CLUSTER_CONTROL") == nullptr && !::testing::GTEST_FLAG(list_tests)) {
    std::fputs("judge_test needs a cluster: tests/cluster/up -- build/release/tests/judge_test\n", stderr);
    return 2;
  }
  return RUN_ALL_TESTS();
}
