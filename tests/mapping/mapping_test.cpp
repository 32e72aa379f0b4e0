// Loading mappings, what is said about bad ones, and the decisions they make.
#include "cmb2kueue/mapping/mapping.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::mapping {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const std::string head = "apiVersion: cmb2kueue.io/v1alpha1\nkind: Mapping\n";
const std::string flavor_a = "flavors:\n- name: a\n";

class MappingTest : public ::testing::Test {
 protected:
  base::Result<Mapping> load_text(const std::string& text) {
    return load(files_, files_.add("m.yaml", text), findings_);
  }
  // "RULE file:line:column message" of every finding.
  std::vector<std::string> found(const std::string& text) {
    findings_ = {};
    const base::Result<Mapping> mapping = load_text(text);
    std::vector<std::string> lines;
    for (const base::FoldedFinding& one : findings_.sorted())
      for (const base::FoldedFinding::Instance& instance : one.instances)
        lines.push_back(one.rule + " " + files_.describe(instance.place) + " " + one.message);
    return lines;
  }
  base::SourceFiles files_;
  base::Findings findings_;
};

TEST_F(MappingTest, EveryShippedMappingIsClean) {
  ASSERT_EQ(shipped().size(), 3U);
  for (const auto& [name, text] : shipped()) {
    EXPECT_EQ(text, testing::read_file(testing::project_path("mappings/" + name + ".yaml")));
    ASSERT_OK(load_text(text));
    EXPECT_EQ(findings_.count(base::Severity::note), 0U) << name;
  }
}

TEST_F(MappingTest, EveryProblemIsFoundInOneRunWithItsPlace) {
  const std::vector<std::string> lines = found(head + "presett: lend\nreservationSemantics: inclusiv\n" + flavor_a +
                                               "  nodeTaints: [{key: k, effect: NoSchedul}]\n- name: "
                                               "A_b\nrules:\n- flavors: [b]\n- skip: true\nramp: [50, 25]\n");
  EXPECT_THAT(lines,
              Contains(HasSubstr("M-UNKNOWN-FIELD m.yaml:3:1 there is no field \"presett\" here in a mapping, "
                                 "did you mean \"preset\"?")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-ENUM m.yaml:4:23 \"inclusiv\" is not one of")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-TAINT m.yaml:7:33")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-NAME m.yaml:8:9")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-REFERENCE m.yaml:10:12 there is no flavor \"b\"")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-SKIP-REASON m.yaml:11:9")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-DEAD-RULE m.yaml:11:3")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-RAMP m.yaml:12:7 the steps")));
}

TEST_F(MappingTest, PoliciesAreChecked) {
  const std::vector<std::string> lines =
      found(head + flavor_a +
            "rules: [{flavors: [a]}]\ncells: {percent: {x: 60, y: 60}}\n"
            "priorities: {classes: [{name: B, base: 5, buckets: [1]}, {name: C, base: 5}]}\n"
            "split: {limit: {rule: at-end}, pool: {rule: percent}}\n"
            "partition: {signedBy: '', date: d, parts: [{node: n, flavor: a, resource: cpu, kueue: -1}]}\n"
            "namespaces: {strategy: mapped}\nnames: {pinned: {t1: x, t2: x}}\n");
  EXPECT_THAT(lines, Contains(HasSubstr("M-PERCENT m.yaml:6:18 the cells' percentages sum to 120, not 100")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-BUCKETS m.yaml:7:52 the buckets do not rise from 0")));
  EXPECT_THAT(lines, Contains(HasSubstr("the classes are not in ascending order")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-ENUM m.yaml:8:23 subtree limits cannot be split at-end")));
  EXPECT_THAT(lines, Contains(HasSubstr("percent goes with the rule percent")));
  EXPECT_THAT(lines, Contains(HasSubstr("nobody has signed the partition")));
  EXPECT_THAT(lines, Contains(HasSubstr("M-RANGE m.yaml:9:87 a part is not negative")));
  EXPECT_THAT(lines, Contains(HasSubstr("the strategy mapped needs a map")));
  EXPECT_THAT(lines, Contains(HasSubstr("is pinned twice")));
}

TEST_F(MappingTest, TheFirstRuleThatMatchesDecides) {
  const base::Result<Mapping> mapping = load_text(
      head +
      "flavors: [{name: a, pools: [p]}, {name: b}]\nrules:\n"
      "- {match: {path: '/x/*'}, flavors: [b, a]}\n- {match: {attribute: k, value: v}, skip: true, reason: r}\n"
      "- {match: {pool: p}, flavors: [a]}\n");
  ASSERT_OK(mapping);
  model::Tenant tenant;
  tenant.path = "/x/y";
  EXPECT_EQ(decide(mapping.value(), tenant).flavors, (std::vector<std::uint16_t>{1, 0}));
  tenant.path = "/x/y/z";
  EXPECT_EQ(decide(mapping.value(), tenant).rule, nullptr);
  tenant.resource_pool = "p";
  EXPECT_EQ(decide(mapping.value(), tenant).flavors, (std::vector<std::uint16_t>{0}));
  tenant.attributes = {{"k", "v"}};
  EXPECT_TRUE(decide(mapping.value(), tenant).skip);
  EXPECT_EQ(flavor_of_pool(mapping.value(), "p"), 0);
  EXPECT_EQ(flavor_of_pool(mapping.value(), "q"), -1);
}

TEST_F(MappingTest, TheFingerprintFollowsDecisionsOnly) {
  const std::string rest = "rules: [{flavors: [a]}]\n";
  const std::uint64_t first = load_text(head + flavor_a + rest).value().content;
  EXPECT_EQ(load_text(head + "# a comment\n" + rest + flavor_a).value().content, first);
  EXPECT_NE(load_text(head + flavor_a + rest + "weightZero: starve\n").value().content, first);
}

TEST_F(MappingTest, NamespacesByStrategy) {
  Mapping mapping;
  model::Tenant tenant;
  tenant.path = "/a/b";
  EXPECT_EQ(namespace_of(mapping, tenant, "n-hash"), "batch");
  mapping.namespaces.strategy = NamespaceStrategy::per_tenant;
  mapping.namespaces.prefix = "t-";
  EXPECT_EQ(namespace_of(mapping, tenant, "n-hash"), "t-n-hash");
  const std::string longest = std::string(50, 'x') + "-abcdefghijkl";
  const std::string cut = namespace_of(mapping, tenant, longest);
  EXPECT_EQ(cut.size(), 63U);
  EXPECT_TRUE(cut.ends_with("-abcdefghijkl"));
  mapping.namespaces.strategy = NamespaceStrategy::mapped;
  mapping.namespaces.mapped = {{"/a/*", "one"}};
  EXPECT_EQ(namespace_of(mapping, tenant, "n-hash"), "one");
}

}  // namespace
}  // namespace cmb2kueue::mapping
