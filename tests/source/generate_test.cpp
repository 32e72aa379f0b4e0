// Generated companies are valid and the same whatever the order of the file; so the reader's own order is tested on
// many shapes.
#include <gtest/gtest.h>

#include "cmb2kueue/source/source.h"
#include "generate/company.h"
#include "support/result.h"

namespace cmb2kueue::source {
namespace {

generate::Options shape(std::uint32_t tenants, std::uint64_t seed, std::uint32_t depth, std::uint32_t cells) {
  generate::Options options;
  options.tenants = tenants;
  options.seed = seed;
  options.depth = depth;
  options.cells = cells;
  return options;
}

model::Model read(const generate::Options& options, base::Findings& findings) {
  base::SourceFiles files;
  base::Result<model::Model> model =
      read_export(files, files.add("generated", generate::to_text(options)), {}, findings);
  EXPECT_TRUE(model.ok()) << testing::describe(model.status());
  return model.ok() ? std::move(model).value() : model::Model();
}

TEST(Generated, EveryShapeIsValid) {
  for (const generate::Options& options :
       {shape(1, 1, 1, 1), shape(1, 1, 5, 1), shape(40, 2, 1, 3), shape(500, 3, 2, 1), shape(2000, 4, 12, 7)}) {
    base::Findings findings;
    const model::Model model = read(options, findings);
    EXPECT_EQ(model.tenants.size(), options.tenants);
    for (const base::FoldedFinding& finding : findings.sorted()) EXPECT_EQ(finding.rule, "N-GPU-FIELD");
    for (const model::Tenant& tenant : model.tenants) EXPECT_LT(tenant.depth, options.depth);
  }
}

// What a parent reserves holds what its nearest reserving descendants do.
TEST(Generated, ParentsReserveWhatIsReservedBelow) {
  base::Findings findings;
  const model::Model model = read(shape(3000, 5, 6, 1), findings);
  std::vector<std::int64_t> below(model.tenants.size(), 0);  // of cpu
  int parents = 0;
  for (std::size_t i = model.tenants.size(); i-- > 0;) {
    const model::Tenant& tenant = model.tenants[i];
    const std::int64_t own = tenant.reservation ? tenant.reservation->total.at(0).count : below[i];
    EXPECT_GE(own, below[i]) << tenant.path;
    parents += tenant.reservation && below[i] > 0 ? 1 : 0;
    if (tenant.parent != model::no_tenant) below[tenant.parent] += own;
  }
  EXPECT_GT(parents, 50);
}

TEST(Generated, OrderOfTheFileDoesNotMatter) {
  base::Findings findings;
  generate::Options options = shape(800, 6, 5, 3);
  const model::Model straight = read(options, findings);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    options.shuffle = seed;
    const model::Model shuffled = read(options, findings);
    EXPECT_EQ(shuffled.content, straight.content);
    ASSERT_EQ(shuffled.tenants.size(), straight.tenants.size());
    for (std::size_t i = 0; i < straight.tenants.size(); ++i)
      ASSERT_EQ(shuffled.tenants[i].id, straight.tenants[i].id) << i;
  }
  options.format = generate::Format::yaml;
  EXPECT_EQ(read(options, findings).content, straight.content);
}

TEST(Generated, SeedsDiffer) {
  EXPECT_EQ(generate::to_text(shape(50, 1, 3, 1)), generate::to_text(shape(50, 1, 3, 1)));
  EXPECT_NE(generate::to_text(shape(50, 1, 3, 1)), generate::to_text(shape(50, 2, 3, 1)));
}

TEST(Generated, JobsAreReadWithoutFindingsInAnyOrderOfKeys) {
  base::SourceFiles files;
  base::Findings findings;
  generate::Options options = shape(300, 8, 4, 1);
  options.jobs = 600;
  model::Model model = read(options, findings);
  model::Model again = model;
  findings = {};
  options.format = generate::Format::jsonl;
  ASSERT_OK(read_jobs(files, files.add("jobs", generate::to_text(options)), {}, model, findings));
  options.shuffle = 1;
  ASSERT_OK(read_jobs(files, files.add("shuffled", generate::to_text(options)), {}, again, findings));
  EXPECT_TRUE(findings.sorted().empty());
  EXPECT_GT(model.facts.size(), 1000U);
  EXPECT_EQ(model.content, again.content);
}

}  // namespace
}  // namespace cmb2kueue::source
