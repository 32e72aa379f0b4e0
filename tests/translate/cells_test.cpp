// Dividing over cells: exact sums, at most one unit of rounding a node and cell.
#include "translated.h"

#include <fmt/format.h>

#include <numeric>
#include <random>

#include "work.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TenantBuilder;

constexpr const char* cpu = "default/cpu";

std::vector<std::int64_t> over_cells(const Translated& run, const std::string& id, const std::string& pair = cpu) {
  std::vector<std::int64_t> parts;
  for (std::size_t cell = 0; cell < run.out().cells.size(); ++cell) parts.push_back(run.total(id, pair, cell));
  return parts;
}

TEST(Cells, TheLargestRemainderGetsTheOddUnitAndTiesGoToTheEarlierCell) {
  EXPECT_THAT(divide(10, {34, 33, 33}), ElementsAre(4, 3, 3));
  EXPECT_THAT(divide(1, {50, 50}), ElementsAre(1, 0));
  EXPECT_THAT(divide(5, {10, 20, 70}), ElementsAre(1, 1, 3));
  EXPECT_THAT(divide(0, {100}), ElementsAre(0));
  EXPECT_THAT(divide(INT64_MAX, {1, 99}), ElementsAre(92233720368547758, INT64_MAX - 92233720368547758));
}

// Scenario 40: fractions that other tools truncate sum to the whole here.
TEST(Cells, Scenario40PercentagesSumToTheWholeExactly) {
  TenantBuilder tree;
  tree.cells({{"a", 34}, {"b", 33}, {"c", 33}});
  tree.internal("org").reserve({{"cpu", 101}, {"memoryMB", 1001}});
  tree.leaf("one", "org").reserve({{"cpu", 7}, {"memoryMB", 331}});
  tree.leaf("two", "org").percent({{"a", 50}, {"b", 50}}).reserve({{"cpu", 3}});
  const Translated run(tree.model());
  ASSERT_OK(run.status());
  EXPECT_THAT(over_cells(run, "two"), ElementsAre(2, 1, 0));
  for (const Conservation& row : run.out().conservation) {
    EXPECT_EQ(std::accumulate(row.per_cell.begin(), row.per_cell.end(), std::int64_t{0}), row.reserved);
    EXPECT_TRUE(row.equal());
  }
  EXPECT_EQ(run.out().conservation[0].reserved, 101);
}

TEST(Cells, Scenario40AnySplitOfAnyCountIsExactAndWithinOneUnit) {
  std::mt19937_64 random(40);
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::uint32_t> percent;
    std::uint32_t left = 100;
    while (left > 0) {
      percent.push_back(static_cast<std::uint32_t>(random() % left + 1));
      left -= percent.back();
    }
    const std::int64_t count = static_cast<std::int64_t>(random() >> (random() % 62 + 1));
    const std::vector<std::int64_t> parts = divide(count, percent);
    ASSERT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), count);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const base::int128 off =
          static_cast<base::int128>(parts[i]) * 100 - static_cast<base::int128>(count) * percent[i];
      ASSERT_LT(off < 0 ? -off : off, 100) << count << " at " << percent[i];
    }
  }
}

TEST(Cells, SubtractionComesBeforeDivision) {
  TenantBuilder tree;
  tree.cells({{"a", 50}, {"b", 50}});
  tree.internal("org").reserve({{"cpu", 5}});
  tree.leaf("one", "org").reserve({{"cpu", 2}});
  const Translated run(tree.model());
  EXPECT_THAT(over_cells(run, "org"), ElementsAre(2, 1));  // 3 divided, not 5 divided less 2 divided
  EXPECT_THAT(over_cells(run, "one"), ElementsAre(1, 1));
}

TEST(Cells, WholeInstancesStayTogether) {
  TenantBuilder tree;
  tree.cells({{"a", 34}, {"b", 33}, {"c", 33}});
  tree.leaf("one").reserve({{"cpu", 8}, {"memoryMB", 100}}, 1);
  tree.leaf("four").reserve({{"cpu", 8}, {"memoryMB", 100}}, 4);
  mapping::Mapping mapping = plain_mapping();
  mapping.cell_split = mapping::CellSplit::instance;
  const Translated run(tree.model(), mapping);
  ASSERT_OK(run.status());
  EXPECT_THAT(over_cells(run, "one"), ElementsAre(8, 0, 0));
  EXPECT_THAT(over_cells(run, "four"), ElementsAre(16, 8, 8));
  EXPECT_THAT(over_cells(run, "four", "default/memory"), ElementsAre(200, 100, 100));
  EXPECT_THAT(run.said("T-CELL-ROUNDED"), SizeIs(2));
}

TEST(Cells, RoundingIsReportedWhereItHappens) {
  TenantBuilder tree;
  tree.cells({{"a", 50}, {"b", 50}});
  tree.leaf("even").reserve({{"cpu", 4}});
  tree.leaf("odd").reserve({{"cpu", 5}});
  EXPECT_THAT(Translated(tree.model()).said("T-CELL-ROUNDED"),
              ElementsAre("note /odd: a cell's share is rounded to whole units; the cells still sum to the whole"));
}

TEST(Cells, TheMappingsPercentagesGoBeforeTheExports) {
  TenantBuilder tree;
  tree.cells({{"a", 50}, {"b", 50}}).leaf("one").reserve({{"cpu", 10}});
  mapping::Mapping mapping = plain_mapping();
  mapping.cell_percent = {{"a", 90}, {"b", 10}};
  EXPECT_THAT(over_cells(Translated(tree.model(), mapping), "one"), ElementsAre(9, 1));
}

TEST(Cells, PercentagesThatDoNotSumTo100AreOneErrorAndLoseNothing) {
  TenantBuilder tree;
  tree.cells({{"a", 50}, {"b", 40}}).leaf("one").reserve({{"cpu", 10}});
  tree.leaf("two").reserve({{"cpu", 20}}).percent({{"a", 50}, {"elsewhere", 50}});
  tree.shared("pool", {{"cpu", 1000000}});
  const Translated run(tree.model());
  ASSERT_OK(run.status());
  EXPECT_THAT(run.said("T-CELL-PERCENT"),
              ElementsAre("error /two: its percentages over the cells sum to 50, not 100",
                          "error : the percentages of the export's cells sum to 90, not 100"));
  EXPECT_THAT(over_cells(run, ""), ElementsAre(1000000, 0));
  EXPECT_TRUE(run.out().conservation[0].equal());
  mapping::Mapping mapping = plain_mapping();
  mapping.cell_percent = {{"a", 20}, {"c", 80}};
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-CELL-PERCENT"), Contains(HasSubstr("sum to 20, not 100")));
}

TEST(Cells, LimitsAreDividedToo) {
  TenantBuilder tree;
  tree.cells({{"a", 60}, {"b", 40}}).leaf("one").limit(5).leaf("two").limit(1);
  const Translated run(tree.model());
  EXPECT_THAT(over_cells(run, "one", "concurrency/pods"), ElementsAre(3, 2));
  EXPECT_THAT(run.said("T-LIMIT-CLOSED-IN-CELL"),
              ElementsAre("warning /two: the limit 1 leaves nothing for the cell b"));
}

TEST(Cells, ACellWithoutKueueIsSaidToHaveNone) {
  TenantBuilder tree;
  tree.cells({{"a", 100}}).leaf("one");
  EXPECT_THAT(Translated(tree.model()).said("T-CELL-NO-KUEUE"), IsEmpty());
  tree.model().cells[0].kueue_enabled = false;
  EXPECT_THAT(Translated(tree.model()).said("T-CELL-NO-KUEUE"),
              ElementsAre("warning : the cell \"a\" has no Kueue"));
}

}  // namespace
}  // namespace cmb2kueue::translate
