// Partitions: what is proposed fits, and what does not fit says why.
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TenantBuilder;

// Two cells; pool 100; P 50 with a limit of 5; A 20, B 10.
model::Model two_cells() {
  TenantBuilder tree;
  tree.cells({{"east", 60}, {"west", 40}});
  tree.internal("P").reserve({{"cpu", 50}, {"memoryMB", 1000}}).limit(5);
  tree.leaf("A", "P").reserve({{"cpu", 20}});
  tree.leaf("B", "P").reserve({{"cpu", 10}});
  tree.shared("pool", {{"cpu", 100}});
  return tree.model();
}

mapping::Mapping with_parts(std::vector<mapping::PartitionPart> parts) {
  mapping::Mapping mapping = plain_mapping();
  mapping.partition.emplace();
  mapping.partition->parts = std::move(parts);
  return mapping;
}

mapping::PartitionPart part(const std::string& cell, const std::string& node, const std::string& resource,
                            const std::string& amount) {
  return {
      cell,  node, resource == "pods" ? "concurrency" : "default", resource, base::Quantity::parse(amount).value(),
      {1, 7}};
}

std::vector<std::string> problems(const std::vector<mapping::PartitionPart>& parts) {
  const mapping::Mapping mapping = with_parts(parts);
  const Translated run(two_cells(), mapping);
  base::Findings findings;
  static_cast<void>(fixed_parts(mapping, run.out().cells[0], findings));
  std::vector<std::string> lines;
  for (const base::FoldedFinding& finding : findings.sorted())
    lines.push_back(finding.rule + " " + finding.instances[0].subject + ": " + finding.message);
  return lines;
}

TEST(Partition, PartsBecomeNodesAndColumnsOfTheirCell) {
  const mapping::Mapping mapping =
      with_parts({part("east", "/P/A", "cpu", "12"), part("west", "A", "cpu", "8"), part("east", "P", "pods", "3"),
                  part("east", "(root)", "cpu", "40")});
  const Translated run(two_cells(), mapping);
  EXPECT_THAT(run.said("T-PARTITION"), IsEmpty());
  base::Findings findings;
  const std::vector<quota::FixedPart> east = fixed_parts(mapping, run.out().cells[0], findings);
  EXPECT_TRUE(findings.empty());
  ASSERT_EQ(east.size(), 3U);
  EXPECT_EQ(east[0].node, 0U);
  EXPECT_EQ(east[0].kueue, 40);
  EXPECT_TRUE(run.out().cells[0].columns[east[1].column].limit);
  EXPECT_EQ(east[2].kueue, 12);
  EXPECT_EQ(fixed_parts(mapping, run.out().cells[1], findings).size(), 1U);
}

TEST(Partition, WhatDoesNotFitSaysWhy) {
  EXPECT_THAT(problems({part("east", "nobody", "cpu", "1")}),
              ElementsAre(HasSubstr("a node that is not in the tree")));
  EXPECT_THAT(problems({part("east", "A", "memory", "0.5Mi")}),
              ElementsAre(HasSubstr("not a whole number of units")));
  EXPECT_THAT(problems({part("east", "A", "cpu", "13")}),
              ElementsAre("T-PARTITION A: the part 13 is more than the total 12"));
  EXPECT_THAT(problems({part("east", "A", "memory", "7Ei")}), ElementsAre(HasSubstr("more than the total 0")));
  EXPECT_THAT(problems({part("east", "A", "example.com/fpga", "1")}), ElementsAre(HasSubstr("that nobody has")));
  EXPECT_THAT(problems({part("east", "A", "cpu", "1"), part("east", "/P/A", "cpu", "1")}),
              ElementsAre(HasSubstr("gives this part twice")));
}

TEST(Partition, SaysInWhichCell) {
  const Translated run(two_cells(), with_parts({part("", "A", "cpu", "1"), part("eats", "A", "cpu", "1")}));
  EXPECT_THAT(run.said("T-PARTITION"),
              ElementsAre("error A: the part does not say in which cell", "error A: there is no cell \"eats\""));
  TenantBuilder one;
  one.leaf("A").reserve({{"cpu", 4}});
  EXPECT_THAT(Translated(one.model(), with_parts({part("", "A", "cpu", "1")})).said("T-PARTITION"), IsEmpty());
}

TEST(Partition, AnIdGoesBeforeAPathAndAPathOfTwoIsRefused) {
  TenantBuilder tree;
  tree.leaf("A").reserve({{"cpu", 4}});
  tree.leaf("x").id("/A").reserve({{"cpu", 2}});
  const mapping::Mapping mapping = with_parts({part("", "/A", "cpu", "2")});
  const Translated run(tree.model(), mapping);
  base::Findings findings;
  static_cast<void>(fixed_parts(mapping, run.out().cells[0], findings));
  EXPECT_EQ(findings.sorted().at(0).message, "several nodes of the tree have this path; name one by its id");
}

// Takes the proposal as the operator would: signed, inside a mapping, loaded from text.
TEST(Partition, TheProposalFitsWhenItIsSigned) {
  const Translated run(two_cells());
  std::string text = propose_partition(run.out(), plain_mapping(), {1});
  EXPECT_THAT(text, HasSubstr("signedBy: ''"));
  EXPECT_THAT(text, HasSubstr("date: ''"));
  text.replace(text.find("''"), 2, "CMB operations");
  text.replace(text.find("''"), 2, "'2026-03-01'");
  text =
      "apiVersion: cmb2kueue.io/v1alpha1\nkind: Mapping\nreservationSemantics: inclusive\nsharedPools: "
      "from-export\n"
      "flavors:\n- name: default\nrules:\n- flavors: [default]\n" +
      text;
  base::SourceFiles files;
  base::Findings findings;
  const base::Result<mapping::Mapping> mapping = mapping::load(files, files.add("m.yaml", text), findings);
  ASSERT_OK(mapping);
  for (std::size_t cell = 0; cell < 2; ++cell) {
    const quota::Entitlements& tree = run.out().cells[cell];
    const std::vector<quota::FixedPart> parts = fixed_parts(mapping.value(), tree, findings);
    EXPECT_THAT(quota::check_partition(tree, parts, run.index("A")), IsEmpty()) << text;
  }
  for (const base::FoldedFinding& finding : findings.sorted()) ADD_FAILURE() << finding.rule << finding.message;
}

TEST(Partition, NothingIsProposedWithoutSplitRules) {
  mapping::Mapping mapping = plain_mapping();
  mapping.split_pool = {};
  EXPECT_EQ(propose_partition(Translated(two_cells()).out(), mapping, {1}), "");
}

}  // namespace
}  // namespace cmb2kueue::translate
