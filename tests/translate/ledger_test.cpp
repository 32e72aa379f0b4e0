// What the ledger lists on translation's own account, and in which order.
#include "cmb2kueue/translate/ledger.h"

#include "cmb2kueue/base/text.h"
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using model::LossClass;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using testing::TenantBuilder;

const LedgerEntry* find(const Translated& run, const std::string& code, const std::string& field) {
  for (const LedgerEntry& entry : run.out().ledger)
    if (entry.code == code && entry.field == field) return &entry;
  return nullptr;
}

std::vector<std::string> items(const Translated& run, const std::string& start) {
  std::vector<std::string> found;
  for (const std::string& line : run.ledger())
    if (line.starts_with(start)) found.push_back(line);
  return found;
}

TEST(Ledger, ListsWhatBecomesAnAnnotation) {
  TenantBuilder tree;
  tree.leaf("a").attribute("k", "v").reserve({{"cpu", 2}}, 3);
  tree.tenant().email = "a@example.com";
  tree.tenant().description = "words";
  const Translated run(tree.model());
  for (const char* field : {"Tenant.tenantDefinition.tenantEmailAddress",
                            "Tenant.tenantDefinition.tenantDescription", "Tenant.tenantDefinition.tenantName"})
    EXPECT_NE(find(run, "C-01", field), nullptr) << field;
  EXPECT_EQ(find(run, "C-14", "Tenant.tenantDefinition.tenantAttributes.attributes")->loss, LossClass::exact);
  EXPECT_EQ(find(run, "C-09", "CapacityDefinition.reservedCapacity")->loss, LossClass::lossy);
}

TEST(Ledger, DoesNotRepeatWhatAReaderNoted) {
  TenantBuilder tree;
  tree.leaf("a");
  tree.tenant().email = "a@example.com";
  tree.model().fields = {{"Tenant.tenantDefinition.tenantEmailAddress", "C-01", "noted", "remedy"}};
  tree.model().facts = {{0, 0, 77, {1, 3}}};
  const Translated run(tree.model());
  EXPECT_THAT(items(run, "C-01 Tenant.tenantDefinition.tenantEmailAddress"),
              ElementsAre("C-01 Tenant.tenantDefinition.tenantEmailAddress a 77"));
  EXPECT_EQ(find(run, "C-01", "Tenant.tenantDefinition.tenantEmailAddress")->items[0].place, (base::Place{1, 3}));
}

TEST(Ledger, SaysOfAnExcludedResourceOnlyThatItIsLeftOut) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 1}, {"networkMbps", 128}});
  EXPECT_NE(find(Translated(tree.model()), "C-10", "ReservedCapacity.networkMbps"), nullptr);
  mapping::Mapping mapping = plain_mapping();
  for (mapping::ResourceMap& resource : mapping.resources) {
    if (resource.source != "networkMbps") continue;
    resource.exclude = true;
    resource.target.clear();
    resource.reason = "pods do not request it";
  }
  const Translated run(tree.model(), mapping);
  EXPECT_EQ(find(run, "C-10", "ReservedCapacity.networkMbps"), nullptr);
  EXPECT_NE(find(run, "C-09", "ReservedCapacity.networkMbps"), nullptr);
}

TEST(Ledger, ListsWeightsLimitsAndNetwork) {
  TenantBuilder tree;
  tree.internal("org").limit(9).weight(5);
  tree.leaf("a", "org").reserve({{"cpu", 1}, {"networkMbps", 128}}).weight(0);
  const Translated run(tree.model());
  EXPECT_THAT(items(run, "C-12"), ElementsAre("C-12 TenantAttributes.concurrencyLimit org 9"));
  EXPECT_THAT(items(run, "C-10"), ElementsAre("C-10 ReservedCapacity.networkMbps a 128"));
  EXPECT_THAT(items(run, "C-11"), ElementsAre("C-11 CapacityDefinition.weight org 5",
                                              "C-11 CapacityDefinition.weight a 18446744073709551615"));
  EXPECT_THAT(find(run, "C-12", "TenantAttributes.concurrencyLimit")->what, HasSubstr("larger of pod share"));
}

TEST(Ledger, ListsSkippedTenantsAndExcludedResources) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 1}, {"gpu", 3}});
  tree.leaf("b");
  tree.shared("p", {{"gpu", 2}});
  mapping::Mapping mapping = plain_mapping();
  mapping.resources[4] = {"gpu", "", true, "bought apart", {}};
  mapping::Rule skip;
  skip.match.tenant = "b";
  skip.skip = true;
  mapping.rules.insert(mapping.rules.begin(), skip);
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(items(run, "C-02 Tenant "), ElementsAre(StartsWith("C-02 Tenant b ")));
  EXPECT_THAT(items(run, "C-09 ReservedCapacity.gpu"),
              ElementsAre("C-09 ReservedCapacity.gpu a 3", "C-09 ReservedCapacity.gpu * 2"));
  EXPECT_THAT(find(run, "C-09", "ReservedCapacity.gpu")->what, HasSubstr("bought apart"));
}

TEST(Ledger, ListsWhatThePoliciesMean) {
  TenantBuilder tree;
  tree.cells({{"a", 50}, {"b", 50}}).leaf("x");
  const Translated run(tree.model());
  EXPECT_NE(find(run, "C-13", "fair sharing"), nullptr);
  EXPECT_THAT(find(run, "C-13", "running jobs")->what, HasSubstr("not ready in time"));
  EXPECT_NE(find(run, "C-13", "cells"), nullptr);
  EXPECT_NE(find(run, "C-02", "namespaces"), nullptr);
  EXPECT_NE(find(run, "C-05", "RemoveTenant"), nullptr);
  TenantBuilder one;
  one.leaf("x");
  mapping::Mapping mapping = plain_mapping();
  mapping.namespaces.strategy = mapping::NamespaceStrategy::per_tenant;
  const Translated apart(one.model(), mapping);
  EXPECT_EQ(find(apart, "C-13", "cells"), nullptr);
  EXPECT_EQ(find(apart, "C-02", "namespaces"), nullptr);
}

TEST(Ledger, EmulatedEntriesNameWhatProvidesThemAndHowToSeeIt) {
  TenantBuilder tree;
  tree.internal("org").limit(3);
  tree.leaf("a", "org");
  const Translated run(tree.model());
  for (const LedgerEntry& entry : run.out().ledger) {
    EXPECT_EQ(entry.provider.empty(), entry.loss != LossClass::emulated) << entry.code << entry.field;
    EXPECT_FALSE(entry.what.empty()) << entry.field;
    EXPECT_FALSE(entry.remedy.empty()) << entry.field;
    EXPECT_FALSE(entry.items.empty()) << entry.field;
    EXPECT_NE(model::find_entry(entry.code), nullptr) << entry.code;
  }
  EXPECT_THAT(find(run, "C-13", "fair sharing")->provider, HasSubstr("fairSharing on"));
}

TEST(Ledger, IsSortedByClassCodeFieldAndTenant) {
  TenantBuilder tree;
  tree.leaf("b").weight(2).reserve({{"cpu", 1}}, 2);
  tree.leaf("a").weight(1);
  tree.model().fields = {{"z", "J-19", "lost", "none"}};
  tree.model().facts = {{0, 1, 5, {}}, {0, 0, 6, {}}, {0, model::no_tenant, 4, {}}};
  const Translated run(tree.model());
  const Ledger& ledger = run.out().ledger;
  EXPECT_EQ(ledger.front().code, "J-19");  // the only gap
  for (std::size_t i = 1; i < ledger.size(); ++i) {
    ASSERT_GE(ledger[i - 1].loss, ledger[i].loss);
    if (ledger[i - 1].loss == ledger[i].loss) {
      ASSERT_LE(ledger[i - 1].code + ledger[i - 1].field, ledger[i].code + ledger[i].field);
    }
  }
  EXPECT_THAT(items(run, "J-19"), ElementsAre("J-19 z b 6", "J-19 z a 5", "J-19 z * 4"));
}

}  // namespace
}  // namespace cmb2kueue::translate
