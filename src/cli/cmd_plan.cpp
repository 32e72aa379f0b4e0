// plan: make one, show one, or propose what one needs signed.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/report/documents.h"
#include "commands.h"
#include "plan_builder.h"

namespace cmb2kueue::cli {

namespace {

std::vector<std::string> cell_names(const Prepared& prepared) {
  std::vector<std::string> names;
  for (const quota::Entitlements& cell : prepared.translation.cells) names.push_back(cell.cell);
  return names;
}

report::Report plan_report(const cutover::Plan& plan) {
  report::Report report{"PlanReport", "Plan", {}};
  report::Facts facts{"plan", "Plan", {}};
  facts.facts = {{"nonce", "nonce", plan.nonce},
                 {"exportId", "export id", plan.inputs.export_id},
                 {"preset", "preset", plan.inputs.preset},
                 {"reservationSemantics", "reservations", plan.inputs.semantics},
                 {"partitionSignedBy", "partition signed by", plan.inputs.partition_signed_by}};
  report.blocks.emplace_back(std::move(facts));
  report.blocks.emplace_back(report::plan_table(plan));
  std::vector<report::CellTable> capacity;
  for (const cutover::PlanCell& cell : plan.cells)
    capacity.push_back({cell.cell, report::plan_capacity_table(cell)});
  if (!capacity.empty()) report.blocks.emplace_back(report::over_cells(std::move(capacity)));
  report::Table steps{
      "steps", "Steps, for each tenant in turn", {{"step", "step"}, {"does", "does"}, {"undo", "undo"}}, {}, 0, ""};
  for (const cutover::StepInfo& step : cutover::steps())
    steps.rows.push_back({std::string(step.name), std::string(step.does), std::string(step.undo)});
  report.blocks.emplace_back(std::move(steps));
  return report;
}

// Writes proposals where asked; true when that was all that was asked.
base::Result<bool> propose(Session& session, const Prepared& prepared) {
  const std::string partition = session.arguments.value("--propose-partition");
  const std::string acceptances = session.arguments.value("--propose-acceptances");
  if (!partition.empty()) {
    const base::Result<quota::SplitRules> splits = translate::split_rules(prepared.inputs.mapping);
    if (!splits.ok()) return splits.status();
    const base::Status written = session.disk->replace(
        partition, translate::propose_partition(prepared.translation, prepared.inputs.mapping, prepared.leaves));
    if (!written.ok()) return written;
    session.console.talk("wrote " + partition +
                         ": have CMB lowered by these parts, sign it, and add it to the mapping");
  }
  if (!acceptances.empty()) {
    std::vector<model::TenantIndex> roots;
    for (const std::string& name : session.arguments.positional) {
      const base::Result<model::TenantIndex> found = model::find_tenant(prepared.inputs.model, name);
      if (!found.ok()) return found.status();
      roots.push_back(found.value());
    }
    if (roots.empty()) roots.push_back(model::no_tenant);
    const base::Status written = session.disk->replace(
        acceptances, translate::propose_acceptances(prepared.translation.ledger, prepared.inputs.model, roots));
    if (!written.ok()) return written;
    session.console.talk("wrote " + acceptances + ": fill in who and why, and give it with --accept");
  }
  return !partition.empty() || !acceptances.empty();
}

// A plan that its cutover would refuse is not worth a review. One line a reason: cells and tenants mostly share it.
base::Status check_plan(Session& session, const cutover::Plan& plan, std::vector<OpenTarget>& targets) {
  std::size_t tenants = 0;
  for (const cutover::PlanCell& cell : plan.cells) {
    tenants += cell.tenants.size();
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const OpenTarget& one) {
      return one.cell.empty() || one.cell == cell.cell;
    });
    if (target == targets.end()) continue;
    const base::Result<std::vector<cutover::Objection>> found =
        cutover::objections(context_for(session, *target), plan, cell);
    if (!found.ok()) return found.status();
    for (const cutover::Objection& one : found.value())
      session.findings.add({"V-PREFLIGHT", base::Severity::error,
                            (cell.cell.empty() ? "" : "cell " + cell.cell + ": ") + one.status.message(),
                            one.status.advice(), one.tenant, "", one.status.place()});
  }
  if (tenants == 0)
    return base::Status(base::ErrorKind::input,
                        "the mapping leaves out every tenant that was named; no plan was made",
                        "see the rules of the mapping; audit tells who is left out");
  if (!has_errors(session)) return {};
  return base::Status(base::ErrorKind::input, "cutover would refuse this plan; none was made",
                      "mend what is said above and plan again");
}

int make(Session& session) {
  if (!session.arguments.has("--out") && !session.arguments.has("--propose-partition") &&
      !session.arguments.has("--propose-acceptances"))
    return session.fail(base::Status(base::ErrorKind::usage, "plan needs --out FILE", "name the file to write"));
  const base::Status other_side = open_other_side(session);
  if (!other_side.ok()) return session.fail(other_side);
  const base::Result<Prepared> prepared = prepare(session, session.arguments.positional);
  if (!prepared.ok()) return session.fail(prepared.status());
  const base::Result<bool> proposed = propose(session, prepared.value());
  if (!proposed.ok()) return session.fail(proposed.status());
  if (proposed.value() && !session.arguments.has("--out")) return 0;
  const std::string out = session.arguments.value("--out");
  if (!losses_accepted(session, prepared.value()))
    return session.fail(base::Status(base::ErrorKind::input, "losses are not accepted; no plan was made",
                                     "plan --propose-acceptances FILE writes a file to fill in"));
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cell_names(prepared.value()));
  if (!targets.ok()) return session.fail(targets.status());
  const base::Result<cutover::Plan> plan = build_plan(session, prepared.value(), targets.value());
  if (!plan.ok()) return session.fail(plan.status());
  const base::Status would_move = check_plan(session, plan.value(), targets.value());
  if (!would_move.ok()) return session.fail(would_move);
  const base::Status written = session.disk->replace(out, cutover::to_json(plan.value()), 0600);
  if (!written.ok()) return session.fail(written);
  report::Report report = plan_report(plan.value());
  report.blocks.emplace_back(
      report::Next{"next", {fmt::format("review it, then: cutover TENANT --plan {} --target ...", out)}});
  return session.finish(std::move(report));
}

// Why the plan does not hold any more, where a target was given.
base::Status add_staleness(Session& session, const cutover::Plan& plan, report::Report& report) {
  if (!session.arguments.has("--target")) return {};
  std::vector<std::string> cells;
  for (const cutover::PlanCell& cell : plan.cells) cells.push_back(cell.cell);
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cells);
  if (!targets.ok()) return targets.status();
  report::Table table{"stale", "What has moved since", {{"cell", "cell"}, {"reason", "reason"}}, {}, 0, ""};
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const base::Result<cutover::State> state = cutover::load_state(context_for(session, targets.value()[i]));
    if (!state.ok()) return state.status();
    const base::Result<std::map<std::string, std::string>> now =
        cutover::current_versions(plan.cells[i], *targets.value()[i].target);
    if (!now.ok()) return now.status();
    for (const std::string& reason : cutover::stale_reasons(plan.cells[i], plan.inputs, state.value(), now.value()))
      table.rows.push_back({plan.cells[i].cell, reason});
    for (const cutover::PlannedTenant& tenant : plan.cells[i].tenants)
      if (state->used.contains(plan.nonce + ":" + tenant.hash))
        table.rows.push_back({plan.cells[i].cell, "used for " + tenant.display + " already"});
  }
  table.note = table.rows.empty() ? "nothing: the plan still holds" : "";
  report.blocks.emplace_back(std::move(table));
  return {};
}

int show(Session& session) {
  if (session.arguments.positional.size() != 2)
    return session.fail(base::Status(base::ErrorKind::usage, "plan show takes one plan file", "plan show FILE"));
  const base::Result<std::uint32_t> file = session.read(session.arguments.positional[1]);
  if (!file.ok()) return session.fail(file.status());
  const base::Result<cutover::Plan> plan = cutover::parse_plan(session.files, file.value());
  if (!plan.ok()) return session.fail(plan.status());
  report::Report report = plan_report(plan.value());
  const base::Status status = add_staleness(session, plan.value(), report);
  if (!status.ok()) return session.fail(status);
  return session.finish(std::move(report));
}

}  // namespace

int cmd_plan(Session& session) {
  const std::vector<std::string>& words = session.arguments.positional;
  return !words.empty() && words[0] == "show" ? show(session) : make(session);
}

}  // namespace cmb2kueue::cli
