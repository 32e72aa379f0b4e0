// From files to objects: sums are conserved, order of the input does not matter, and every shape a limit can take.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/kueue/api.h"
#include "cmb2kueue/source/source.h"
#include "cmb2kueue/translate/translate.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue {
namespace {

struct Result {
  model::Model model;
  mapping::Mapping mapping;
  translate::Translation translation;
  base::Findings findings;
  std::string manifests;
};

std::string shipped_mapping(const std::string& name) {
  for (const auto& [shipped, text] : mapping::shipped())
    if (shipped == name) return text;
  return "";
}

// Runs an export's text through everything; an empty manifest text where there were errors.
Result run(const std::string& text, const std::string& mapping_text) {
  Result result;
  base::SourceFiles files;
  base::Result<model::Model> model = source::read_export(files, files.add("export", text), {}, result.findings);
  EXPECT_TRUE(model.ok()) << testing::describe(model.status());
  if (!model.ok()) return result;
  result.model = std::move(model).value();
  result.mapping = mapping::load(files, files.add("mapping", mapping_text), result.findings).value();
  base::Result<translate::Translation> translation =
      translate::translate(result.model, result.mapping, translate::Purpose::look, result.findings);
  EXPECT_TRUE(translation.ok()) << testing::describe(translation.status());
  if (!translation.ok()) return result;
  result.translation = std::move(translation).value();
  for (std::size_t cell = 0; cell < result.translation.cells.size(); ++cell)
    translate::all_objects(
        result.model, result.mapping, result.translation, cell, false,
        [&](const kueue::Object& object, const translate::Origin&) { result.manifests += kueue::to_yaml(object); });
  return result;
}

Result run_sample(const std::string& name, const std::string& mapping_name = "parity") {
  return run(testing::read_file(testing::project_path("samples/" + name)), shipped_mapping(mapping_name));
}

const quota::EntitlementNode& node(const Result& result, std::size_t cell, const std::string& name) {
  for (const quota::EntitlementNode& one : result.translation.cells[cell].nodes)
    if (one.display.ends_with("/" + name)) return one;
  ADD_FAILURE() << "no node " << name;
  return result.translation.cells[cell].nodes[0];
}

TEST(Translate, EverySampleConservesEveryFlavorAndResource) {
  int checked = 0;
  for (const std::string& path : testing::files_below(testing::project_path("samples"))) {
    if (path.find("/bad/") != std::string::npos || !path.ends_with(".json") || path.ends_with("jobs.jsonl"))
      continue;
    const std::string name = path.substr(path.rfind('/') + 1);
    const Result result = run_sample(name, name == "harborlight.json" ? "pools" : "parity");
    if (result.findings.count(base::Severity::error) > 0) continue;  // pools.yaml is needed for some
    for (const translate::Conservation& row : result.translation.conservation) {
      EXPECT_TRUE(row.equal()) << name << " " << row.flavor << "/" << row.resource;
      std::int64_t cells = 0;
      for (const std::int64_t count : row.per_cell) cells += count;
      EXPECT_EQ(cells, row.nominal) << name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 50);
}

// Replays a document with every list of tenants, groups and bindings and every map in another order.
void shuffle_into(doc::Node node, doc::Sink& sink, std::mt19937& random) {
  if (node.is_scalar()) return doc::copy(node, sink);
  std::vector<doc::Node> items;
  for (const doc::Node child : doc::children(node)) items.push_back(child);
  const std::string_view key = node.key();
  const bool free_order =
      node.is_map() || key == "tenants" || key == "capacityGroups" || key == "bindings" || key == "cells";
  if (free_order) std::shuffle(items.begin(), items.end(), random);
  if (node.is_map())
    sink.open_map();
  else
    sink.open_list();
  for (const doc::Node child : items) {
    if (node.is_map()) sink.key(child.key());
    shuffle_into(child, sink, random);
  }
  sink.close();
}

TEST(Translate, TwentyShufflesOfACompanyGiveTheSameBytes) {
  base::SourceFiles files;
  const std::string text = testing::read_file(testing::project_path("samples/harborlight.json"));
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("x", text));
  ASSERT_OK(document);
  const Result first = run(text, shipped_mapping("pools"));
  ASSERT_GT(first.manifests.size(), 100000U);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::string shuffled;
    doc::JsonSink sink(shuffled, 0);
    shuffle_into(document.value().root(), sink, random);
    const Result again = run(shuffled, shipped_mapping("pools"));
    EXPECT_TRUE(again.manifests == first.manifests) << "seed " << seed;
    EXPECT_EQ(again.model.content, first.model.content) << "seed " << seed;
  }
}

TEST(Translate, OneInstanceOverThreeCellsSumsExactly) {
  const Result result = run_sample("one-instance-three-cells.json");
  std::int64_t sum = 0;
  for (const quota::Entitlements& cell : result.translation.cells) sum += quota::count_of(cell.nodes[1].total, 0);
  EXPECT_EQ(sum, 3);
}

TEST(Translate, NestedLimitsTakeTheirThreeShapes) {
  const Result result = run_sample("nested-limits.json");
  using quota::LimitRole;
  EXPECT_EQ(node(result, 0, "outer").limit_role, LimitRole::outermost);
  EXPECT_EQ(node(result, 0, "inner one").limit_role, LimitRole::inner);
  EXPECT_EQ(node(result, 0, "free").limit_role, LimitRole::none);
  EXPECT_EQ(node(result, 0, "alone").limit_role, LimitRole::own_leaf);
}

TEST(Translate, AThirdOfAPercentIsNeverLost) {  // scenario 40
  const std::string text = testing::read_file(testing::project_path("samples/one-instance-three-cells.json"));
  const Result result = run(text, shipped_mapping("parity"));
  for (const translate::Conservation& row : result.translation.conservation)
    EXPECT_TRUE(row.equal()) << row.resource;
}

TEST(Ledger, EveryFieldOfATenantChangesAManifestOrTheLedger) {  // scenario 39
  const std::string text = testing::read_file(testing::project_path("samples/two-roots.json"));
  const auto essence = [](const Result& result) {
    std::string all;
    for (const std::string& line : [&] {
           std::vector<std::string> lines;
           std::size_t at = 0;
           while (at < result.manifests.size()) {
             const std::size_t end = result.manifests.find('\n', at);
             lines.push_back(result.manifests.substr(at, end - at));
             at = end + 1;
           }
           return lines;
         }())
      if (line.find("cmb2kueue.io/") == std::string::npos ||
          line.find("cmb2kueue.io/tenant: ") != std::string::npos)
        all += line + "\n";
    for (const translate::LedgerEntry& entry : result.translation.ledger)
      for (const translate::LedgerItem& item : entry.items)
        all += entry.code + entry.field + std::to_string(item.tenant) + ":" + std::to_string(item.value) + "\n";
    return all;
  };
  const std::string before = essence(run(text, shipped_mapping("parity")));
  const std::pair<const char*, const char*> edits[] = {
      {"\"tenantEmailAddress\": \"owner@", "\"tenantEmailAddress\": \"other@"},
      {"\"tenantDescription\": \"\"", "\"tenantDescription\": \"x\""},
      {"\"attributes\": {}", "\"attributes\": {\"k\": \"v\"}"},
      {"\"concurrencyLimit\": 0", "\"concurrencyLimit\": 7"},
      {"\"cpu\": 4", "\"cpu\": 3"},
      {"\"memoryMB\": 8192", "\"memoryMB\": 8191"},
      {"\"diskMB\": 20000", "\"diskMB\": 20001"},
      {"\"networkMbps\": 256", "\"networkMbps\": 255"},
      {"\"instanceCount\": 5", "\"instanceCount\": 6"},
      {"\"capacityRequestId\": \"cr-a\"", "\"capacityRequestId\": \"cr-z\""},
      {"\"tenantName\": \"jobs\"", "\"tenantName\": \"Jobs\""},
      {"\"message\": \"\"", "\"message\": \"m\""},
      {"\"timestamp\": \"1772323200002\"", "\"timestamp\": \"1772323200003\""},
      {"\"tenantId\": \"b\"", "\"tenantId\": \"bb\""}};
  for (const auto& [from, to] : edits) {
    std::string edited = text;
    const std::size_t at = edited.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    edited.replace(at, std::string(from).size(), to);
    EXPECT_NE(essence(run(edited, shipped_mapping("parity"))), before) << from;
  }
}

TEST(Translate, OvercommitNamesParentChildrenAndAmount) {
  std::string text = testing::read_file(testing::project_path("samples/bad/no-name.json"));
  text.replace(text.find("\"tenantName\": \"\""), 16, "\"tenantName\": \"beta\"");
  text.replace(text.find("\"cpu\": 40"), 9, "\"cpu\": 12");
  const Result result = run(text, shipped_mapping("lend"));
  std::string found;
  for (const base::FoldedFinding& finding : result.findings.sorted())
    if (finding.rule == "T-RESERVATION-OVERCOMMIT") found = finding.message;
  EXPECT_EQ(found, "20 of default/cpu are reserved below it, 8 more than its own 12: /Brightwater/alpha 20");
}

// The sample's acceptances are bound to content: a change of the ledger has to be accepted anew, here as anywhere.
TEST(Ledger, TheSampleTenantsLossesAreAccepted) {
  const Result result = run(testing::read_file(testing::project_path("samples/harborlight.json")),
                            testing::read_file(testing::project_path("samples/harborlight-mapping.yaml")));
  base::SourceFiles files;
  base::Findings findings;
  const std::uint32_t file =
      files.add("acceptances", testing::read_file(testing::project_path("samples/harborlight-acceptances.yaml")));
  const auto accepted = translate::load_acceptances(files, file, findings);
  ASSERT_OK(accepted);
  ASSERT_FALSE(accepted->empty());
  const base::Result<model::TenantIndex> tenant = model::find_tenant(result.model, accepted.value()[0].subtree);
  ASSERT_OK(tenant);
  std::string open;
  for (const translate::Unaccepted& one : translate::unaccepted(result.translation.ledger, result.model,
                                                                tenant.value(), accepted.value(), "2026-03-02"))
    open += one.code + ": " + one.why + "\n";
  EXPECT_EQ(open, "");
}

TEST(Corpus, EveryYunikornFileBecomesObjectsWithConservedSums) {
  const std::string folder = testing::corpus_path("yunikorn");
  if (folder.empty()) GTEST_SKIP() << "no corpus beside the project";
  std::string golden;
  for (const std::string& path : testing::files_below(folder)) {
    const Result result = run(testing::read_file(path), shipped_mapping("parity"));
    std::size_t queues = 0;
    for (std::size_t at = 0; (at = result.manifests.find("kind: ClusterQueue", at)) != std::string::npos; ++at)
      ++queues;
    golden += path.substr(path.rfind('/') + 1) + " queues=" + std::to_string(queues) +
              " errors=" + std::to_string(result.findings.count(base::Severity::error)) +
              " ledger=" + std::to_string(result.translation.ledger.size());
    for (const translate::Conservation& row : result.translation.conservation) {
      EXPECT_TRUE(row.equal()) << path;
      golden += " " + row.resource + "=" + base::Quantity::of(row.nominal, row.unit).to_string();
    }
    golden += "\n";
  }
  testing::expect_golden("tests/flow/yunikorn-numbers.txt", golden);
}

}  // namespace
}  // namespace cmb2kueue
