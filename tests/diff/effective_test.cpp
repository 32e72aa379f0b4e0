// Ceilings before and after, also of those whose own numbers did not change.
#include "cmb2kueue/diff/effective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/kueue/api.h"
#include "support/files.h"

namespace cmb2kueue::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

base::Quantity quantity(const std::string& text) {
  return base::Quantity::parse(text).value();
}

kueue::ClusterQueue queue(const std::string& name, const std::string& resource, const std::string& nominal,
                          const std::string& lending = "") {
  kueue::ResourceQuota row{resource, quantity(nominal), {}, {}};
  if (!lending.empty()) row.lending_limit = quantity(lending);
  kueue::ClusterQueue made;
  made.meta.name = name;
  made.cohort = "all";
  made.groups = {{{resource}, {{"f", {row}}}}};
  return made;
}

// "q/cpu 1->2 | 3->4": nominal and ceiling of both sides.
std::vector<std::string> lines(const std::vector<kueue::Object>& before, const std::vector<kueue::Object>& after) {
  std::vector<std::string> found;
  for (const EffectiveRow& row : effective_changes(before, after))
    found.push_back(row.key.name + "/" + row.resource + " " + row.nominal[0] + "->" + row.nominal[1] + " | " +
                    row.ceiling[0] + "->" + row.ceiling[1]);
  return found;
}

TEST(EffectiveChanges, ShowCeilingsThatMovedBecauseOfOthers) {
  EXPECT_THAT(lines({queue("a", "cpu", "9"), queue("b", "cpu", "12", "1")},
                    {queue("a", "cpu", "9"), queue("b", "cpu", "12", "3")}),
              ElementsAre("a/cpu 9->9 | 10->12", "b/cpu 12->12 | 21->21"));
  EXPECT_THAT(lines({queue("a", "cpu", "9"), queue("b", "cpu", "12")},
                    {queue("b", "cpu", "12000m"), queue("a", "cpu", "9")}),
              IsEmpty());
}

TEST(EffectiveChanges, RowsThatComeAndGoHaveOneEmptySide) {
  EXPECT_THAT(lines({queue("a", "cpu", "1500m")}, {queue("a", "memory", "1Gi")}),
              ElementsAre("a/cpu 1500m-> | 1500m->", "a/memory ->1Gi | ->1Gi"));
}

TEST(EffectiveChanges, CeilingsArePrintedAsKueuePrintsThem) {
  EXPECT_THAT(lines({queue("a", "memory", "512Mi")}, {queue("a", "memory", "3G")}),
              ElementsAre("a/memory 512Mi->3G | 512Mi->3G"));
  EXPECT_THAT(lines({queue("a", "nvidia.com/gpu", "500m")}, {queue("a", "nvidia.com/gpu", "1000")}),
              ElementsAre("a/nvidia.com/gpu 500m->1k | 1->1k"));
  EXPECT_THAT(lines({queue("a", "x", "1")}, {queue("a", "x", "9223372036854775807")}),
              ElementsAre("a/x 1->9223372036854775807 | 1->unlimited"));
}

TEST(EffectiveChanges, KeepTheTenantThatOnlyOneSideNames) {
  kueue::ClusterQueue before = queue("a", "cpu", "1"), after = queue("a", "cpu", "2");
  before.meta.annotations = {{"cmb2kueue.io/tenant-path", "Studio/Encoding"}};
  const std::vector<EffectiveRow> rows = effective_changes({before}, {after});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].tenant, "Studio/Encoding");
  EXPECT_EQ(rows[0].weight[0], "1");
}

TEST(EffectiveChanges, ACircleOfCohortsHasNoCeiling) {
  kueue::Cohort circle;
  circle.meta.name = circle.parent = "all";
  EXPECT_THAT(lines({queue("a", "cpu", "1")}, {queue("a", "cpu", "1"), circle}), ElementsAre("a/cpu 1->1 | 1->"));
}

std::vector<kueue::Object> read(const std::string& path) {
  base::SourceFiles files;
  base::Findings findings;
  std::vector<kueue::Object> all;
  const base::Result<std::vector<doc::Document>> documents =
      doc::parse_all(files, files.add(path, testing::read_file(path)));
  EXPECT_TRUE(documents.ok());
  for (const doc::Document& document : documents.value())
    for (kueue::Decoded& one : kueue::decode(document.root(), findings)) all.push_back(std::move(one.object));
  return all;
}

TEST(EffectiveChanges, OfRealHistories) {
  const std::string folder = testing::corpus_path("kueue-pairs");
  if (folder.empty()) GTEST_SKIP() << "no corpus beside the project";
  const auto rows = [&](const std::string& stem) {
    return effective_changes(read(folder + "/" + stem + "__before.yaml"),
                             read(folder + "/" + stem + "__after.yaml"));
  };
  EXPECT_THAT(rows("konflux-defaulted-field-drift"), IsEmpty());
  const std::vector<EffectiveRow> paused = rows("konflux-pause-by-zero-quota");
  ASSERT_FALSE(paused.empty());
  for (const EffectiveRow& row : paused) EXPECT_EQ(row.ceiling[1], "0") << row.resource;
  std::size_t gone = 0, come = 0;
  for (const EffectiveRow& row : rows("konflux-resource-name-sanitised")) {
    EXPECT_TRUE(row.nominal[0].empty() != row.nominal[1].empty()) << row.resource;
    ++(row.nominal[1].empty() ? gone : come);
  }
  EXPECT_GT(gone, 0U);
  EXPECT_EQ(gone, come);
}

}  // namespace
}  // namespace cmb2kueue::diff
