// Scripts are right, as short as can be, and placed where a reader expects them.
#include "edit_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace cmb2kueue::diff {
namespace {

using ::testing::ElementsAre;

// The lines the script keeps of a text, by its own gaps.
std::vector<int> kept(const std::vector<int>& lines, const std::vector<std::size_t>& gaps) {
  std::vector<int> found;
  std::size_t line = 0;
  for (std::size_t gap = 0; gap < gaps.size(); ++gap) {
    line += gaps[gap];
    if (gap + 1 < gaps.size()) found.push_back(lines.at(line++));
  }
  EXPECT_EQ(line, lines.size());
  return found;
}

std::size_t longest_common(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      best[i][j] = a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
  return best[a.size()][b.size()];
}

std::vector<int> some_lines(std::mt19937& random) {
  std::vector<int> lines(random() % 25);
  for (int& line : lines) line = static_cast<int>(random() % 4);
  return lines;
}

TEST(EditScript, KeepsALongestCommonPart) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const std::vector<int> a = some_lines(random), b = some_lines(random);
    const EditScript script = edit_script(a, b, random() % 5);
    EXPECT_EQ(script.dropped.size(), script.added.size());
    EXPECT_EQ(kept(a, script.dropped), kept(b, script.added)) << "round " << round;
    EXPECT_EQ(script.dropped.size() - 1, longest_common(a, b)) << "round " << round;
  }
}

TEST(EditScript, PastTheBoundTheMiddleIsReplacedWhole) {
  std::vector<int> a(40), b(40);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 0);
  for (std::size_t i = 5; i < 35; i += 3) b[i] = -1;
  EXPECT_EQ(edit_script(a, b, 3, 20).dropped.size() - 1, 30U);
  const EditScript script = edit_script(a, b, 3, 19);
  EXPECT_EQ(script.dropped.size() - 1, 12U);
  EXPECT_EQ(kept(a, script.dropped), kept(b, script.added));
}

TEST(EditScript, ARunMovesDownAsFarAsItCan) {
  EXPECT_THAT(edit_script({1, 2, 9}, {1, 2, 1, 2, 9}, 3).added, ElementsAre(0, 0, 2, 0));
  EXPECT_THAT(edit_script({1, 1, 1, 9}, {1, 1, 9}, 3).dropped, ElementsAre(0, 0, 1, 0));
}

TEST(EditScript, ButStaysBesideAChangeOfTheOtherText) {
  const EditScript script = edit_script({1, 1, 5}, {7, 1, 5}, 3);
  EXPECT_THAT(script.dropped, ElementsAre(1, 0, 0));
  EXPECT_THAT(script.added, ElementsAre(1, 0, 0));
}

}  // namespace
}  // namespace cmb2kueue::diff
