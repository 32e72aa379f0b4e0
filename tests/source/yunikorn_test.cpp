// YuniKorn queues become tenants; units, names and quotas follow yunikorn-core's own rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cmb2kueue/source/source.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::source {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Reading {
  base::SourceFiles files;
  base::Findings findings;
  model::Model model;
  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const model::Tenant& tenant : model.tenants) all.push_back(tenant.id);
    return all;
  }
  std::set<std::string> rules() const {
    std::set<std::string> all;
    for (const base::FoldedFinding& finding : findings.sorted()) all.insert(finding.rule);
    return all;
  }
};

void read(Reading& run, const std::string& text) {
  base::Result<model::Model> model = read_export(run.files, run.files.add("queues.yaml", text), {}, run.findings);
  ASSERT_OK(model);
  run.model = std::move(model).value();
}

std::string queues(const std::string& list) {
  return "partitions:\n- name: default\n  queues:\n" + list;
}

TEST(YuniKorn, ATopQueueNotCalledRootHangsBelowOne) {
  Reading run;
  read(run, queues("  - name: anvil\n    queues:\n    - name: b\n    - name: a\n"));
  EXPECT_THAT(run.ids(), ElementsAre("root", "root.anvil", "root.anvil.a", "root.anvil.b"));
  EXPECT_EQ(run.model.tenants[1].type, model::TenantType::internal);
  EXPECT_EQ(run.model.tenants[2].type, model::TenantType::leaf);
  EXPECT_EQ(run.model.tenants[2].path, "/root/anvil/a");
}

TEST(YuniKorn, TwoQueuesAtTheTopGetARootEvenIfOneIsCalledSo) {
  Reading run;
  read(run, queues("  - name: root\n    queues:\n    - name: a\n  - name: other\n"));
  EXPECT_THAT(run.ids(), ElementsAre("root", "root.other", "root.root", "root.root.a"));
}

TEST(YuniKorn, UnitsAreBytesAndMilliCores) {
  Reading run;
  read(run,
       queues("  - name: root\n    queues:\n    - name: a\n      resources:\n        guaranteed: {memory: 1Gi, "
              "vcore: 1500m}\n        max: {memory: 3G, vcore: 4, nvidia.com/gpu: 2}\n"));
  const model::Tenant& a = run.model.tenants[1];
  ASSERT_TRUE(a.reservation.has_value());
  EXPECT_TRUE(a.reservation->lendable);
  ASSERT_EQ(run.model.resources.size(), 3U);
  EXPECT_EQ(run.model.resources[0].name, "memory");
  EXPECT_EQ(run.model.resources[2].unit, base::Unit::milli);
  EXPECT_THAT(a.reservation->total, ElementsAre(model::Amount{0, 1 << 30}, model::Amount{2, 1500}));
  EXPECT_THAT(a.maximum, ElementsAre(model::Amount{0, 3'000'000'000}, model::Amount{1, 2}, model::Amount{2, 4000}));
}

TEST(YuniKorn, BareNumbersAreSaidAsRead) {
  Reading run;
  read(run, queues("  - name: root\n    queues:\n    - name: a\n      resources: {guaranteed: {memory: 500000, "
                   "vcore: 50000}}\n"));
  ASSERT_EQ(run.findings.sorted().size(), 2U);
  EXPECT_EQ(run.findings.sorted()[0].message, "memory 500000 is 500000 bytes");
  EXPECT_EQ(run.findings.sorted()[1].message, "vcore 50000 is 50000 whole cores");
  EXPECT_THAT(run.findings.sorted()[1].advice, HasSubstr("milli-cores"));
}

TEST(YuniKorn, AnUnsetParentGuaranteeIsTheSumOfItsChildren) {
  Reading run;
  read(run, queues("  - name: root\n    queues:\n    - name: p\n      resources: {guaranteed: {vcore: 6}}\n"
                   "      queues:\n      - name: between\n        queues:\n        - name: a\n"
                   "          resources: {guaranteed: {vcore: 3}}\n        - name: b\n"
                   "          resources: {guaranteed: {vcore: 3}}\n"));
  EXPECT_THAT(run.rules(), IsEmpty());
  EXPECT_FALSE(run.model.tenants[2].reservation.has_value());
}

TEST(YuniKorn, AMaximumReachesThroughQueuesWithoutOne) {
  Reading run;
  read(run, queues("  - name: root\n    queues:\n    - name: p\n      resources: {max: {vcore: 2}}\n"
                   "      queues:\n      - name: between\n        queues:\n        - name: a\n"
                   "          resources: {guaranteed: {vcore: 3}, max: {vcore: 5}}\n"));
  EXPECT_EQ(run.rules(), (std::set<std::string>{"E-GUARANTEED-SUM", "W-MAX-ABOVE-PARENT"}));
}

TEST(YuniKorn, HugeSumsDoNotOverflow) {
  Reading run;
  const std::string queue = "\n      resources: {guaranteed: {memory: 4E}}\n";
  read(run, queues("  - name: root\n    queues:\n    - name: a" + queue + "    - name: b" + queue +
                   "    - name: c" + queue));
  EXPECT_THAT(run.rules(), IsEmpty());
}

TEST(YuniKorn, EverythingElseIsAFactOrAFinding) {
  Reading run;
  read(run, queues("  - name: root\n    submitacl: '*'\n    queues:\n    - name: a\n      adminacl: ' x'\n"
                   "      maxapplications: 3\n      limits: [{limit: l, users: [u], maxapplications: 1}]\n"
                   "      properties: {priority.offset: '-7', preemption.policy: fence, what: ever}\n"));
  EXPECT_EQ(run.model.tenants[1].priority_offset, -7);
  std::set<std::string> noted;
  for (const model::FieldFact& fact : run.model.facts) noted.insert(run.model.fields[fact.field].field);
  EXPECT_THAT(noted, ElementsAre("queue.adminacl", "queue.limits", "queue.maxapplications",
                                 "queue.properties.preemption.policy", "queue.properties.priority.offset",
                                 "queue.submitacl"));
  EXPECT_EQ(run.rules(), std::set<std::string>{"N-UNKNOWN-FIELD"});
}

TEST(YuniKorn, PlacesInsideAConfigMapAreThoseOfTheFile) {
  Reading run;
  read(run,
       "kind: ConfigMap\ndata:\n  queues.yaml: |\n    partitions:\n    - name: default\n      queues:\n"
       "      - name: root\n        queues:\n        - name: a.b\n");
  ASSERT_EQ(run.rules(), std::set<std::string>{"E-QUEUE-NAME"});
  EXPECT_EQ(run.files.describe(run.findings.sorted()[0].instances[0].place), "queues.yaml:9:17");
}

TEST(YuniKorn, EveryFileOfTheCorpusGivesAModelOrALocatedError) {
  const std::string folder = testing::corpus_path("yunikorn");
  if (folder.empty()) GTEST_SKIP() << "the corpus is not here";
  int read_well = 0;
  for (const std::string& path : testing::files_below(folder)) {
    base::SourceFiles files;
    base::Findings findings;
    const base::Result<model::Model> model =
        read_export(files, files.add(path, testing::read_file(path)), {}, findings);
    if (!model.ok()) {
      EXPECT_TRUE(model.status().place().known()) << path << ": " << model.status().message();
      continue;
    }
    EXPECT_FALSE(model.value().tenants.empty()) << path;
    EXPECT_EQ(findings.count(base::Severity::error), 0U) << path;
    ++read_well;
  }
  EXPECT_GE(read_well, 10);
}

}  // namespace
}  // namespace cmb2kueue::source
