// Who is in, under which rule, and in which flavors and resources.
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TenantBuilder;

mapping::Rule skip_rule(const std::string& path) {
  mapping::Rule rule;
  rule.match.path = path;
  rule.skip = true;
  rule.reason = "stays";
  return rule;
}

std::vector<std::string> pairs_of(const Translated& run) {
  std::vector<std::string> names;
  for (const quota::Column& column : run.out().cells[0].columns)
    names.push_back(column.flavor + "/" + column.resource);
  return names;
}

TEST(Columns, EveryMappedResourceOfEveryUsedFlavorInOrder) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.leaf("b").pool_of_group("gpu");
  mapping::Mapping mapping = plain_mapping();
  add_flavor(mapping, "fast", "gpu");
  add_flavor(mapping, "unused", "other");
  mapping.resources.resize(2);
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(pairs_of(run), ElementsAre("default/cpu", "default/memory", "fast/cpu", "fast/memory"));
  EXPECT_THAT(run.node("b").columns, ElementsAre(2U, 3U));
}

TEST(Columns, AResourceNobodyMappedIsAnErrorOnlyWhereItIsUsed) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 1}, {"gpu", 2}});
  mapping::Mapping mapping = plain_mapping();
  mapping.resources.resize(1);
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(run.said("T-RESOURCE-UNMAPPED"),
              ElementsAre("error : the mapping says nothing about the resource \"gpu\""));
}

TEST(Columns, OtherSystemsUseKubernetesNames) {
  TenantBuilder tree;
  tree.system("yunikorn", {{"example.com/fpga", base::Unit::one}}).leaf("a").reserve({{"example.com/fpga", 3}});
  const Translated run(tree.model());
  EXPECT_THAT(pairs_of(run), ElementsAre("default/example.com/fpga"));
}

TEST(Columns, TwoResourcesCannotBeOne) {
  TenantBuilder tree;
  tree.system("yunikorn", {{"vcore", base::Unit::milli}, {"cpu", base::Unit::one}}).leaf("a");
  mapping::Mapping mapping = plain_mapping();
  mapping.resources.push_back({"vcore", "cpu", false, "", {}});
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(run.said("T-RESOURCE-TWICE"),
              ElementsAre("error : the resource \"cpu\" would be \"cpu\", which another one is already"));
  EXPECT_THAT(pairs_of(run), ElementsAre("default/cpu"));
}

TEST(Columns, LimitsNeedPodsAndTheirFlavorToThemselves) {
  TenantBuilder tree;
  tree.leaf("a").limit(3);
  mapping::Mapping mapping = plain_mapping();
  mapping.concurrency_flavor = "default";
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-LIMIT-TAKEN"),
              ElementsAre(HasSubstr("default/cpu is capacity")));
  mapping.concurrency_flavor = "concurrency";
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-LIMIT-TAKEN"), IsEmpty());
  mapping.resources[4].target = "pods";
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-LIMIT-TAKEN"),
              ElementsAre(HasSubstr("default/pods is capacity")));
}

TEST(Columns, ASkippedSubtreeHasNoNodesAndKeepsItsCapacity) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 50}});
  tree.internal("old", "org").reserve({{"cpu", 30}});
  tree.leaf("a", "old").reserve({{"cpu", 10}});
  tree.leaf("b", "org").reserve({{"cpu", 5}});
  mapping::Mapping mapping = plain_mapping();
  mapping.rules.insert(mapping.rules.begin(), skip_rule("/org/old"));
  const Translated run(tree.model(), mapping);
  ASSERT_OK(run.status());
  EXPECT_EQ(run.out().skipped, 2U);
  EXPECT_THAT(run.out().cells[0].nodes, SizeIs(3));  // root, org, b
  EXPECT_EQ(run.total("org", "default/cpu"), 15);    // 50 - 30 - 5: what stays behind is not given twice
  EXPECT_EQ(run.out().conservation[0].reserved, 20);
}

TEST(Columns, ASkippedTenantMayUseAFlavorNobodyElseDoes) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 50}});
  tree.leaf("a", "org").pool_of_group("gpu").reserve({{"cpu", 60}});
  mapping::Mapping mapping = plain_mapping();
  add_flavor(mapping, "fast", "gpu");
  mapping.rules.insert(mapping.rules.begin(), skip_rule("/org/a"));
  const Translated run(tree.model(), mapping);
  ASSERT_OK(run.status());
  EXPECT_EQ(run.total("org", "default/cpu"), 50);
}

TEST(Columns, NoMatchingRuleIsAnErrorAtTheTenant) {
  TenantBuilder tree;
  tree.internal("org");
  tree.leaf("a", "org");
  mapping::Mapping mapping = plain_mapping();
  mapping.rules[0].match.path = "/other/**";
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(run.said("T-NO-RULE"), ElementsAre("error /org: no rule of the mapping matches the tenant"));
}

TEST(Columns, RemovedTenantsAreLeftOutUnlessSomethingBelowThemLives) {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 10}}).state(model::TenantState::removed);
  tree.leaf("gone", "org").reserve({{"cpu", 8}}).state(model::TenantState::removed);
  tree.leaf("lives", "org").reserve({{"cpu", 2}});
  const Translated run(tree.model());
  ASSERT_OK(run.status());
  EXPECT_THAT(run.said("T-TENANT-REMOVED"), ElementsAre("note /org/gone: the tenant is removed and left out"));
  EXPECT_EQ(run.total("org", "default/cpu"), 8);  // what is removed reserves nothing any more
  EXPECT_EQ(run.out().cells[0].nodes.size(), 3U);
}

}  // namespace
}  // namespace cmb2kueue::translate
