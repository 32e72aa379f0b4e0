// translate: the end state of everybody, or enrolled tenants as they should be now.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/kueue/api.h"
#include "cmb2kueue/report/documents.h"
#include "commands.h"
#include "manifests.h"

namespace cmb2kueue::cli {

namespace {

report::Report translation_report(Session& session, const Inputs& inputs, const translate::Translation& translation,
                                  const Written& written) {
  report::Report report{"TranslateReport", "Translation", {}};
  report::Facts facts{"written", "Written", {}};
  facts.facts = {{"objects", "objects", std::to_string(written.objects), true},
                 {"files", "files", std::to_string(written.files), true},
                 {"skipped", "tenants left out by the mapping", std::to_string(translation.skipped), true}};
  report.blocks.emplace_back(report::export_facts(inputs.model));
  report.blocks.emplace_back(std::move(facts));
  report.blocks.emplace_back(report::conservation_table(translation));
  report.blocks.emplace_back(report::ledger_facts(translation.ledger));
  report.blocks.emplace_back(
      report::ledger_table(translation.ledger, inputs.model, session.files, model::no_tenant));
  return report;
}

// The report of a run whose manifests took standard output, in short, on standard error.
int talk_summary(Session& session, const translate::Translation& translation, const Written& written) {
  report::Report report{"TranslateReport", "", {}};
  report.blocks.emplace_back(report::conservation_table(translation));
  report.blocks.emplace_back(report::ledger_facts(translation.ledger));
  report.blocks.emplace_back(report::FindingList{"findings", session.findings.sorted()});
  const base::Result<std::string> text = report::render(report, session.files, "text", session.console.style());
  if (text.ok()) session.console.talk(text.value());
  session.console.talk(
      fmt::format("{}; the end state, not for production", base::counted(written.objects, "object")));
  const base::Result<base::Severity> threshold = fail_on(session.arguments);
  if (!threshold.ok()) return session.fail(threshold.status());
  return session.findings.count(threshold.value()) > 0 ? 1 : 0;
}

// Standard output holds one cluster's manifests and nothing else.
base::Status check_output(const Session& session, std::size_t cells) {
  if (session.arguments.has("--out")) return {};
  if (cells > 1)
    return base::Status(base::ErrorKind::usage,
                        fmt::format("the export has {} cells, each a cluster of its own, and there is one standard "
                                    "output",
                                    cells),
                        "--out FOLDER writes a folder for each cell");
  if (session.arguments.has("--output"))
    return base::Status(base::ErrorKind::usage,
                        "-o says how to print the report, and manifests take standard output",
                        "give --out FOLDER as well, or leave -o out");
  return {};
}

int end_state(Session& session) {
  const base::Result<Inputs> inputs = read_inputs(session);
  if (!inputs.ok()) return session.fail(inputs.status());
  const base::Result<std::vector<model::TenantIndex>> leaves =
      selected_leaves(inputs->model, session.arguments.positional);
  if (!leaves.ok()) return session.fail(leaves.status());
  const base::Result<translate::Translation> translation =
      translate::translate(inputs->model, inputs->mapping, translate::Purpose::look, session.findings);
  if (!translation.ok()) return session.fail(translation.status());
  if (has_errors(session)) return session.fail(inputs_have_errors());
  const std::string out = session.arguments.value("--out");
  const base::Status possible = check_output(session, translation->cells.size());
  if (!possible.ok()) return session.fail(possible);
  const base::Result<Written> written =
      write_end_state(session, inputs.value(), translation.value(), leaves.value(), out);
  if (!written.ok()) return session.fail(written.status());
  if (out.empty()) return talk_summary(session, translation.value(), written.value());
  return session.finish(translation_report(session, inputs.value(), translation.value(), written.value()));
}

// What enrolled tenants should be now comes from the state alone.
int present(Session& session) {
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return session.fail(cells.status());
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cells.value());
  if (!targets.ok()) return session.fail(targets.status());
  std::vector<kueue::Object> objects;
  std::size_t enrolled = 0;
  for (OpenTarget& target : targets.value()) {
    const base::Result<cutover::State> state = cutover::load_state(context_for(session, target));
    if (!state.ok()) return session.fail(state.status());
    enrolled += state->enrolled.size();
    for (kueue::Object& object : cutover::expected_objects(state.value())) objects.push_back(std::move(object));
  }
  session.console.document(kueue::to_yaml(objects));
  session.console.talk(
      fmt::format("{} enrolled, {}", base::counted(enrolled, "tenant"), base::counted(objects.size(), "object")));
  return 0;
}

}  // namespace

int cmd_translate(Session& session) {
  if (session.arguments.has("--all")) return end_state(session);
  if (session.arguments.has("--target")) return present(session);
  return session.fail(
      base::Status(base::ErrorKind::usage, "translate needs --all or --target",
                   "--all gives the end state; --target gives enrolled tenants as they should be now"));
}

}  // namespace cmb2kueue::cli
