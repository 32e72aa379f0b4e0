// explain, version: what the tables say.
#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/check/check.h"
#include "cmb2kueue/cutover/cutover.h"
#include "cmb2kueue/hooks/hooks_file.h"
#include "cmb2kueue/kueue/api.h"
#include "cmb2kueue/mapping/mapping.h"
#include "cmb2kueue/model/catalogue.h"
#include "cmb2kueue/source/source.h"
#include "cmb2kueue/target/doctor.h"
#include "cmb2kueue/target/target.h"
#include "cmb2kueue/translate/translate.h"
#include "commands.h"
#include "version.h"

namespace cmb2kueue::cli {

std::vector<RuleInfo> all_rules() {
  std::vector<RuleInfo> rules = {
      {"E-UNREADABLE", "export", "error", "A file given to validate cannot be read or parsed."},
      {"N-DEFAULT-MAPPING", "mapping", "note", "No mapping was given; the shipped parity mapping decides."},
  };
  for (const source::ImportRule& rule : source::import_rules())
    rules.push_back({rule.id, "export", to_string(rule.severity), rule.summary});
  for (const mapping::MappingRule& rule : mapping::mapping_rules())
    rules.push_back({rule.id, "mapping", to_string(rule.severity), rule.summary});
  for (const kueue::SchemaRule& rule : kueue::schema_rules())
    rules.push_back({rule.id, "manifest", to_string(rule.severity), rule.summary});
  for (const check::Rule& rule : check::rules())
    rules.push_back({rule.id, "manifest", to_string(rule.severity), rule.summary});
  for (const translate::TranslateRule& rule : translate::translate_rules())
    rules.push_back({rule.id, "translation", to_string(rule.severity), rule.summary});
  for (const hooks::HooksRule& rule : hooks::hooks_rules())
    rules.push_back({rule.id, "hooks", to_string(rule.severity), rule.summary});
  for (const cutover::VerifyRule& rule : cutover::verify_rules())
    rules.push_back({rule.id, "verification", to_string(rule.severity), rule.summary});
  for (const target::DoctorRule& rule : target::doctor_rules())
    rules.push_back({rule.id, "cluster", to_string(rule.severity), rule.summary});
  for (const model::CatalogueEntry& entry : model::catalogue())
    rules.push_back({entry.code, "catalogue", to_string(entry.loss), entry.subject});
  std::sort(rules.begin(), rules.end(), [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; });
  return rules;
}

namespace {

int explain_one(Session& session, const std::string& id) {
  const std::vector<RuleInfo> rules = all_rules();
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const RuleInfo& rule) { return rule.id == id; });
  if (found == rules.end()) {
    std::vector<std::string> ids;
    for (const RuleInfo& rule : rules) ids.emplace_back(rule.id);
    return session.fail(base::Status(base::ErrorKind::usage,
                                     "there is no id " + base::quoted(id) + base::did_you_mean(id, ids),
                                     "cmb2kueue explain lists all of them"));
  }
  report::Report report{"ExplainReport", "", {}};
  report::Facts facts{"rule", std::string(found->id), {}};
  facts.facts = {{"id", "id", std::string(found->id)},
                 {"where", "about", std::string(found->where)},
                 {"severity", found->where == "catalogue" ? "class" : "severity", std::string(found->severity)},
                 {"summary", "meaning", std::string(found->summary)}};
  for (const check::Rule& rule : check::rules())
    if (rule.id == found->id) facts.facts.push_back({"source", "source", std::string(rule.source)});
  if (const model::CatalogueEntry* entry = model::find_entry(id)) {
    facts.facts.push_back({"target", "stands for it", std::string(entry->target)});
    facts.facts.push_back({"lost", "what is lost", std::string(entry->lost)});
    facts.facts.push_back({"remedy", "what to do", std::string(entry->remedy)});
  }
  report.blocks.emplace_back(std::move(facts));
  return session.finish(std::move(report));
}

}  // namespace

int cmd_explain(Session& session) {
  if (session.arguments.positional.size() > 1)
    return session.fail(
        base::Status(base::ErrorKind::usage, "explain takes one id", "see: cmb2kueue explain --help"));
  if (!session.arguments.positional.empty()) return explain_one(session, session.arguments.positional[0]);
  report::Report report{"ExplainReport", "", {}};
  report::Table table{"rules", "", {}, {}, 0, ""};
  table.columns = {{"id", "id"}, {"where", "about"}, {"severity", "severity"}, {"summary", "meaning"}};
  for (const RuleInfo& rule : all_rules())
    table.rows.push_back(
        {std::string(rule.id), std::string(rule.where), std::string(rule.severity), std::string(rule.summary)});
  report.blocks.emplace_back(std::move(table));
  return session.finish(std::move(report));
}

int cmd_version(Session& session) {
  report::Report report{"VersionReport", "", {}};
  report::Facts facts{"version", "", {{"cmb2kueue", "cmb2kueue", std::string(tool_version)}}};
  report.blocks.emplace_back(std::move(facts));
  report::Table apis{
      "apiVersions", "API versions", {{"name", "name"}, {"written", "written"}, {"note", "note"}}, {}, 0, ""};
  for (const kueue::Version& version : kueue::versions())
    apis.rows.push_back({std::string(version.name), version.written ? "yes" : "no", std::string(version.note)});
  report.blocks.emplace_back(std::move(apis));
  report::Table formats{"formats", "Export formats", {{"name", "name"}, {"summary", "what"}}, {}, 0, ""};
  for (const source::Format& format : source::formats())
    formats.rows.push_back({std::string(format.name), std::string(format.summary)});
  report.blocks.emplace_back(std::move(formats));
  report::Table targets{"targets", "Targets", {{"form", "address"}, {"summary", "what"}}, {}, 0, ""};
  for (const target::TargetKind& kind : target::target_kinds())
    targets.rows.push_back({std::string(kind.form), std::string(kind.summary)});
  report.blocks.emplace_back(std::move(targets));
  return session.finish(std::move(report));
}

}  // namespace cmb2kueue::cli
