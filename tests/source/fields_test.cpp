// Nothing of an export is dropped unseen: every field of every message changes the model when its value does, and
// how a value is spelled does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb_export.h"
#include "job_fields.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::source {
namespace {

const std::map<std::string, std::pair<std::string, int>>& words() {  // another word of the enumeration, own number
  static const std::map<std::string, std::pair<std::string, int>> all = {
      {"Leaf", {"Internal", 0}},     {"Internal", {"Leaf", 1}},       {"Accepted", {"Removed", 0}},
      {"Removing", {"Accepted", 2}}, {"UnderReview", {"Applied", 0}}, {"Approved", {"Declined", 1}},
      {"Applied", {"Declined", 2}},  {"Critical", {"Flex", 1}},       {"Normal", {"BestEffort", 2}},
      {"Stopping", {"Stopped", 1}},  {"Running", {"Failed", 3}},      {"Created", {"Queued", 0}},
      {"OPEN", {"CLOSED", 0}},       {"CLOSING", {"CLOSED", 1}},      {"WO", {"RW", 1}},
      {"Ipv4Only", {"Ipv6Only", 1}}};
  return all;
}

bool digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// What a field of a job may hold differs from what a tenant's may: Accepted has another neighbour there.
std::string other_word(const std::string& word, bool job) {
  return job && word == "Accepted" ? "Finished" : words().at(word).first;
}

// Writes a document with scalar number `target` changed.
class Changer {
 public:
  Changer(std::size_t target, bool job) : target_(target), job_(job) {}
  std::string run(doc::Node root) {
    std::string out;
    doc::JsonSink sink(out, 0);
    write(root, sink);
    return out;
  }
  std::string changed;  // the key, "" when there is no such scalar

 private:
  void write(doc::Node node, doc::Sink& sink) {
    if (node.is_scalar()) return scalar(node, sink);
    node.is_map() ? sink.open_map() : sink.open_list();
    for (const doc::Node child : doc::children(node)) {
      if (node.is_map()) sink.key(child.key());
      write(child, sink);
    }
    sink.close();
  }
  void scalar(doc::Node node, doc::Sink& sink) {
    if (seen_++ != target_) return doc::copy(node, sink);
    changed = node.key().empty() ? "item" : std::string(node.key());
    const std::string text(node.text());
    if (node.kind() == doc::NodeKind::integer) return sink.number(*node.integer() + 1);
    if (node.kind() == doc::NodeKind::decimal) return sink.literal("2.5");
    if (node.kind() == doc::NodeKind::boolean) return sink.boolean(!*node.boolean());
    if (digits(text) && changed != "sequenceNumber") return sink.text(std::to_string(std::stoll(text) + 1));
    sink.text(words().contains(text) && changed != "tenantName" ? other_word(text, job_) : text + "x");
  }

  std::size_t target_, seen_ = 0;
  bool job_;
};

base::Result<model::Model> read(const std::string& text) {
  base::SourceFiles files;
  base::Findings findings;
  return read_export(files, files.add("x", text), {}, findings);
}

// The content after a job file; the sample's own export stands beside it.
std::uint64_t content_with_jobs(const std::string& jobs) {
  base::SourceFiles files;
  base::Findings findings;
  const std::string tenants = testing::read_file(testing::project_path("samples/every-field.json"));
  base::Result<model::Model> model = read_export(files, files.add("tenants", tenants), {}, findings);
  EXPECT_TRUE(read_jobs(files, files.add("jobs", jobs), {}, model.value(), findings).ok());
  return model->content;
}

void collect_keys(doc::Node node, std::set<std::string>& keys) {
  for (const doc::Node child : doc::children(node)) {
    keys.emplace(child.key());
    collect_keys(child, keys);
  }
}

TEST(Fields, OfTheExportAreAllInTheManual) {
  const std::string page = testing::read_file(testing::project_path("man/cmb2kueue-export.5"));
  std::vector<ReadField> fields;
  list_tenant_fields(fields);
  list_envelope_fields(fields);
  EXPECT_GT(fields.size(), 60U);
  for (const ReadField& field : fields)
    EXPECT_NE(page.find(field.field), std::string::npos) << field.message << "." << field.field;
}

// What stands in the manual as an example is an export without a flaw.
TEST(Fields, TheExampleOfTheManualIsSound) {
  const std::string page = testing::read_file(testing::project_path("man/cmb2kueue-export.5"));
  const std::string begin = ".Bd -literal -offset indent\n";
  const std::size_t at = page.find(begin) + begin.size();
  std::string example = page.substr(at, page.find(".Ed", at) - at);
  for (std::size_t dash; (dash = example.find("\\-")) != std::string::npos;) example.erase(dash, 1);
  base::SourceFiles files;
  base::Findings findings;
  ASSERT_OK(read_export(files, files.add("example", example), {}, findings));
  EXPECT_EQ(findings.count(base::Severity::warning), 0U);
}

TEST(Fields, TheSampleHoldsEveryFieldOfTheTables) {
  base::SourceFiles files;
  std::set<std::string> keys;
  const base::Result<doc::Document> tenants =
      doc::parse_one(files, files.add("a", testing::read_file(testing::project_path("samples/every-field.json"))));
  ASSERT_OK(tenants);
  collect_keys(tenants.value().root(), keys);
  for (const ReadField& field : cmb_fields())
    EXPECT_TRUE(keys.contains(std::string(field.field))) << field.message << "." << field.field;
  const std::string jobs = testing::read_file(testing::project_path("samples/every-field.jsonl"));
  ASSERT_OK(doc::for_each_json_line(
      files, files.add("b", jobs),
      [&](doc::Node root) {
        collect_keys(root, keys);
        return base::Status();
      },
      [](const base::Status& bad) { ADD_FAILURE() << bad.message(); }));
  for (const JobField& field : job_fields())
    EXPECT_TRUE(keys.contains(std::string(field.key))) << field.owner << "." << field.key;
}

TEST(Fields, EveryFieldOfATenantAndItsCapacityChangesTheModel) {
  const std::string text = testing::read_file(testing::project_path("samples/every-field.json"));
  const std::uint64_t content = read(text).value().content;
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("x", text));
  ASSERT_OK(document);
  int tried = 0;
  for (const std::string_view part : {"tenants", "capacityGroups", "bindings", "sharedPools", "priorityPolicy"}) {
    for (std::size_t i = 0;; ++i) {
      Changer change(i, false);
      const std::string changed = change.run(document.value().root().find(part));
      if (change.changed.empty()) break;
      std::string whole;
      doc::JsonSink sink(whole, 0);
      sink.open_map();
      for (const doc::Node child : doc::children(document.value().root())) {
        sink.key(child.key());
        child.key() == part ? sink.literal(changed) : doc::copy(child, sink);
      }
      sink.close();
      EXPECT_NE(read(whole).value().content, content) << part << ": " << change.changed << " no. " << i;
      ++tried;
    }
  }
  EXPECT_GT(tried, 120);
}

TEST(Fields, EveryFieldOfJobsTasksAndAccumulatorsChangesTheModel) {
  const std::string text = testing::read_file(testing::project_path("samples/every-field.jsonl"));
  const std::uint64_t content = content_with_jobs(text);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  int tried = 0;
  for (std::size_t row = 1; row < lines.size(); ++row) {
    base::SourceFiles files;
    const base::Result<doc::Document> document = doc::parse_one(files, files.add("row", lines[row]));
    ASSERT_OK(document);
    for (std::size_t i = 0;; ++i) {
      Changer change(i, lines[row].find("\"definition\"") == std::string::npos);
      std::string whole;
      for (std::size_t other = 0; other < lines.size(); ++other)
        whole += (other == row ? change.run(document.value().root()) : lines[other]) + "\n";
      if (change.changed.empty()) break;
      EXPECT_NE(content_with_jobs(whole), content) << "line " << row + 1 << ": " << change.changed << " no. " << i;
      ++tried;
    }
  }
  EXPECT_GT(tried, 140);
}

// Numbers as text, enumerations by number, and zero values left out.
void respell(doc::Node node, doc::Sink& sink) {
  if (node.is_map()) {
    sink.open_map();
    for (const doc::Node child : doc::children(node)) {
      const bool zero = is_zero(child) || (child.is_scalar() && words().contains(std::string(child.text())) &&
                                           words().at(std::string(child.text())).second == 0);
      if (zero) continue;
      sink.key(child.key());
      respell(child, sink);
    }
    return sink.close();
  }
  if (node.is_list()) {
    sink.open_list();
    for (const doc::Node child : doc::children(node)) respell(child, sink);
    return sink.close();
  }
  const std::string text(node.text());
  if (node.kind() == doc::NodeKind::integer)
    sink.text(text);
  else if (words().contains(text) && node.key() != "systemDefault")
    sink.number(words().at(text).second);
  else
    doc::copy(node, sink);
}

TEST(Fields, AnotherSpellingIsTheSameModel) {
  const std::string text = testing::read_file(testing::project_path("samples/every-field.json"));
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("x", text));
  ASSERT_OK(document);
  std::string respelt;
  doc::JsonSink json(respelt, 0);
  respell(document.value().root(), json);
  EXPECT_EQ(read(respelt).value().content, read(text).value().content);
  std::string yaml;
  doc::YamlSink yaml_sink(yaml);
  doc::copy(document.value().root(), yaml_sink);
  EXPECT_EQ(read(yaml).value().content, read(text).value().content);
}

TEST(Fields, ZeroValuedJobFieldsAreNoUse) {
  const std::string head =
      R"({"apiVersion":"cmb-export/v1alpha1","kind":"JobExport","exportId":"fernhollow-full"})";
  const std::string status = R"("status":[{"state":"Accepted","timestamp":"1772323200000"}])";
  const auto job = [&](const std::string& more) {
    return head + "\n{\"jobId\":\"j\",\"jobDefinition\":{\"tenantId\":\"r\"" + more + "}," + status + "}\n";
  };
  const std::uint64_t plain = content_with_jobs(job(""));
  EXPECT_EQ(content_with_jobs(job(R"(,"priority":{"class":"SystemDefault","priorityValue":0})")), plain);
  EXPECT_EQ(content_with_jobs(job(R"(,"attributes":{"attributes":{},"pendingTtlSec":"0"})")), plain);
  EXPECT_NE(content_with_jobs(job(R"(,"priority":{"class":1})")), plain);
  EXPECT_NE(content_with_jobs(job(R"(,"worker":{})")), plain);
}

}  // namespace
}  // namespace cmb2kueue::source
