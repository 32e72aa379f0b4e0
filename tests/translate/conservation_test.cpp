// Nothing is created or lost, for any tree; and numbers too large for Kueue are refused, not wrapped.
#include <random>

#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TenantBuilder;

using Random = std::mt19937;

// A random tree of two levels of parents, bottom-up enough that parents reserve at least what is below them.
TenantBuilder random_tree(Random& random) {
  TenantBuilder tree;
  tree.cells({{"a", 34}, {"b", 33}, {"c", 33}});
  for (int top = 0; top < 3; ++top) {
    const std::string org = "org" + std::to_string(top);
    tree.internal(org);
    if (random() % 2) tree.reserve({{"cpu", 10'000 + static_cast<int>(random() % 100)}});
    for (int i = 0; i < 4; ++i) {
      const std::string team = org + "-" + std::to_string(i);
      tree.internal(team, org);
      if (random() % 2) tree.reserve({{"cpu", 1000 + static_cast<int>(random() % 100)}, {"gpu", 50}});
      for (int j = 0; j < 3; ++j) {
        tree.leaf(team + "-" + std::to_string(j), team);
        if (random() % 3)
          tree.reserve({{"cpu", static_cast<int>(random() % 10)}, {"memoryMB", 7}}, 1 + random() % 9);
        if (random() % 4 == 0) tree.limit(1 + random() % 20);
        if (random() % 4 == 0) tree.percent({{"b", 71}, {"c", 29}});
      }
    }
  }
  tree.shared("pool", {{"cpu", static_cast<int>(random() % 1000)}, {"diskMB", 77}});
  return tree;
}

TEST(Conservation, HoldsForRandomTreesUnderBothSemanticsAndSplits) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    mapping::Mapping mapping = plain_mapping();
    if (round % 2) mapping.semantics = mapping::ReservationSemantics::additive;
    if (round % 3 == 0) mapping.cell_split = mapping::CellSplit::instance;
    mapping::Rule skip;
    skip.match.path = "/org1/org1-" + std::to_string(round % 5);
    skip.skip = true;
    mapping.rules.insert(mapping.rules.begin(), skip);
    const Translated run(random_tree(random).model(), mapping);
    ASSERT_OK(run.status());
    ASSERT_EQ(run.findings().count(base::Severity::error), 0U) << ::testing::PrintToString(run.said(""));
    for (const Conservation& row : run.out().conservation) {
      ASSERT_TRUE(row.equal()) << row.resource << " in round " << round;
      std::int64_t cells = 0;
      for (const std::int64_t part : row.per_cell) cells += part;
      ASSERT_EQ(cells, row.nominal);
    }
  }
}

TEST(Conservation, CountsWhatStaysBehindOutAndPoolsIn) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 50}});
  tree.leaf("a", "org").reserve({{"cpu", 20}});
  tree.leaf("alone").reserve({{"cpu", 5}});
  tree.shared("pool", {{"cpu", 100}});
  const Conservation row = Translated(tree.model()).out().conservation[0];
  EXPECT_EQ(row.flavor, "default");
  EXPECT_EQ(row.resource, "cpu");
  EXPECT_EQ(row.reserved, 55);
  EXPECT_EQ(row.shared, 100);
  EXPECT_EQ(row.nominal, 155);
}

TEST(Conservation, SumsThatOverflowAreAnErrorNotAWrap) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", INT64_MAX - 5}});
  tree.leaf("b").reserve({{"cpu", 10}});
  const Translated run(tree.model());
  ASSERT_OK(run.status());
  EXPECT_THAT(run.said("T-TOO-LARGE"),
              ElementsAre("error : all of default/cpu together is more than Kueue can count"));
}

TEST(Conservation, MemoryIsCountedInBytesByKueue) {
  TenantBuilder tree;
  const std::int64_t half = std::int64_t{1} << 42;  // Mi; twice that is 2^63 bytes
  tree.leaf("a").reserve({{"memoryMB", half}});
  EXPECT_THAT(Translated(tree.model()).said("T-TOO-LARGE"), IsEmpty());
  tree.leaf("b").reserve({{"memoryMB", half}});
  EXPECT_THAT(Translated(tree.model()).said("T-TOO-LARGE"), ElementsAre(HasSubstr("default/memory")));
}

TEST(Conservation, AnErrorElsewhereDoesNotSwitchTheProofOff) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 5}});
  const Translated run(tree.model());
  EXPECT_TRUE(run.out().conservation[0].equal());
  TenantBuilder bad;
  bad.internal("org").reserve({{"cpu", 1}});
  bad.leaf("a", "org").reserve({{"cpu", 5}});
  const Translated broken(bad.model());
  ASSERT_OK(broken.status());  // the export contradicts itself; that is not a defect of the tool
  EXPECT_FALSE(broken.out().conservation[0].equal());
  EXPECT_EQ(broken.findings().count(base::Severity::error), 1U);
}

}  // namespace
}  // namespace cmb2kueue::translate
