// in_order: the same for any number of threads, early ends and failures.
#include "cmb2kueue/base/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace cmb2kueue::base {
namespace {

std::vector<std::size_t> squares(std::size_t count, std::size_t threads) {
  std::vector<std::size_t> taken;
  in_order<std::size_t>(
      count, threads,
      [](std::size_t index, std::size_t& item) {
        if (index % 7 == 0) std::this_thread::yield();
        item = index * index;
      },
      [&](std::size_t item) {
        taken.push_back(item);
        return true;
      });
  return taken;
}

TEST(InOrder, TakesAllInOrderWhateverTheThreads) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 1000U}) {
    const std::vector<std::size_t> one = squares(count, 1);
    ASSERT_EQ(one.size(), count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(one[i], i * i);
    for (const std::size_t threads : {2U, 3U, 8U}) EXPECT_EQ(squares(count, threads), one) << threads;
  }
}

TEST(InOrder, StopsWhenTakeSaysSo) {
  for (const std::size_t threads : {1U, 4U}) {
    std::size_t taken = 0;
    in_order<int>(
        1000, threads, [](std::size_t, int&) {}, [&](int) { return ++taken < 5; });
    EXPECT_EQ(taken, 5U);
  }
}

TEST(InOrder, RunsNotFarAhead) {
  std::atomic<std::size_t> made = 0;
  std::size_t taken = 0, most = 0;
  in_order<int>(
      500, 3, [&](std::size_t, int&) { ++made; },
      [&](int) {
        most = std::max(most, made.load() - taken++);
        return true;
      });
  EXPECT_LE(most, 24U);
}

TEST(InOrder, AFailureOfEitherSideComesOut) {
  for (const std::size_t threads : {1U, 4U}) {
    std::size_t taken = 0;
    const auto fail_at = [&](std::size_t bad) {
      in_order<int>(
          100, threads,
          [&](std::size_t index, int&) {
            if (index == bad) throw std::runtime_error("made badly");
          },
          [&](int) {
            if (++taken == 90) throw std::logic_error("taken badly");
            return true;
          });
    };
    EXPECT_THROW(fail_at(40), std::runtime_error);
    EXPECT_EQ(taken, 40U);
    taken = 0;
    EXPECT_THROW(fail_at(1000), std::logic_error);
  }
}

TEST(InOrder, ItemsAreUsedAgain) {
  std::size_t fresh = 0, taken = 0;
  in_order<std::string>(
      100, 2, [](std::size_t, std::string& item) { item += 'x'; },
      [&](std::string& item) {
        fresh += item.size() == 1 ? 1 : 0;
        ++taken;
        return true;
      });
  EXPECT_EQ(taken, 100U);
  EXPECT_LE(fresh, 16U);
}

}  // namespace
}  // namespace cmb2kueue::base
