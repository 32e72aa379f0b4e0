// cutover: plan (made now, or given), then each tenant in turn, each cell in turn.
#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "commands.h"
#include "plan_builder.h"
#include "runs.h"
#include "selectors.h"

namespace cmb2kueue::cli {

namespace {

base::Result<cutover::CutoverOptions> options_of(const Session& session) {
  cutover::CutoverOptions options;
  options.switched = session.arguments.has("--switched");
  options.hold_after = session.arguments.value("--hold-after");
  const std::string failure = session.arguments.value("--on-failure", "rollback");
  std::vector<std::string> names;
  for (const cutover::StepInfo& step : cutover::steps()) names.emplace_back(step.name);
  if (!options.hold_after.empty() && std::find(names.begin(), names.end(), options.hold_after) == names.end())
    return base::Status(base::ErrorKind::usage, "there is no step " + base::quoted(options.hold_after) +
                                                    base::did_you_mean(options.hold_after, names));
  if (failure != "rollback" && failure != "hold")
    return base::Status(base::ErrorKind::usage, "--on-failure takes rollback or hold, not " +
                                                    base::quoted(failure) +
                                                    base::did_you_mean(failure, {"rollback", "hold"}));
  options.rollback_on_failure = failure == "rollback";
  return options;
}

base::Result<cutover::Plan> given_plan(Session& session) {
  const base::Result<std::uint32_t> file = session.read(session.arguments.value("--plan"));
  if (!file.ok()) return file.status();
  return cutover::parse_plan(session.files, file.value());
}

base::Status keep_named(cutover::Plan& plan, const std::vector<std::string>& selectors) {
  std::vector<Nameable> planned;
  for (const cutover::PlanCell& cell : plan.cells)
    for (const cutover::PlannedTenant& tenant : cell.tenants)
      planned.push_back({tenant.hash, tenant.id, tenant.object, tenant.display});
  const base::Result<std::vector<std::string>> chosen =
      select(planned, selectors, "is not in the plan", "plan show lists its tenants");
  if (!chosen.ok()) return chosen.status();
  for (cutover::PlanCell& cell : plan.cells)
    std::erase_if(cell.tenants, [&](const cutover::PlannedTenant& tenant) {
      return !std::binary_search(chosen->begin(), chosen->end(), tenant.hash);
    });
  return {};
}

// A run begun with a plan made on the spot goes on with that very plan, which its first run kept.
base::Result<cutover::Plan> resume_or(const cutover::Context& context, const cutover::PlannedTenant& tenant,
                                      const cutover::Plan& fresh) {
  const base::Result<cutover::State> state = cutover::load_state(context);
  if (!state.ok()) return state.status();
  const auto running = state->enrolled.find(tenant.hash);
  if (running == state->enrolled.end() || running->second.nonce == fresh.nonce) return fresh;
  base::Result<std::optional<cutover::Plan>> kept = cutover::kept_plan(context, tenant.hash);
  if (!kept.ok()) return kept.status();
  return kept.value() ? std::move(*kept.value()) : fresh;
}

base::Result<cutover::Outcome> move(Session& session, OpenTarget& target, const cutover::Plan& plan,
                                    const std::string& cell, const cutover::PlannedTenant& tenant,
                                    const cutover::CutoverOptions& options) {
  const cutover::Context context = context_for(session, target);
  const base::Result<cutover::Plan> used = resume_or(context, tenant, plan);
  if (!used.ok()) return used.status();
  for (const cutover::PlanCell& one : used->cells)
    for (const cutover::PlannedTenant& planned : one.tenants)
      if (one.cell == cell && planned.hash == tenant.hash)
        return cutover::cut_over(context, used.value(), one, planned, options);
  return base::Status(base::ErrorKind::internal, "the plan lost a tenant", "make a new plan");
}

int run_plan(Session& session, cutover::Plan plan, std::vector<OpenTarget>& targets,
             const cutover::CutoverOptions& options) {
  RunCollector collector(session, "CutoverReport");
  for (const cutover::PlanCell& cell : plan.cells) {
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const OpenTarget& one) {
      return one.cell.empty() || one.cell == cell.cell;
    });
    if (target == targets.end()) continue;
    for (const cutover::PlannedTenant& tenant : cell.tenants)
      collector.add(cell.cell, tenant.display, move(session, *target, plan, cell.cell, tenant, options));
  }
  return collector.finish();
}

}  // namespace

int cmd_cutover(Session& session) {
  base::Status status = check_run_options(session);
  if (!status.ok()) return session.fail(status);
  if (session.arguments.positional.empty())
    return session.fail(base::Status(base::ErrorKind::usage, "no tenant was named", "name the tenants to move"));
  const base::Result<cutover::CutoverOptions> options = options_of(session);
  if (!options.ok()) return session.fail(options.status());
  status = open_other_side(session);
  if (!status.ok()) return session.fail(status);
  std::vector<std::string> cells;
  base::Result<cutover::Plan> plan = cutover::Plan();
  base::Result<std::vector<OpenTarget>> targets = std::vector<OpenTarget>();
  if (session.arguments.has("--plan")) {
    plan = given_plan(session);
    if (!plan.ok()) return session.fail(plan.status());
    for (const cutover::PlanCell& cell : plan->cells) cells.push_back(cell.cell);
    targets = open_targets(session, cells);
    if (!targets.ok()) return session.fail(targets.status());
  } else {
    const base::Result<Prepared> prepared = prepare(session, session.arguments.positional);
    if (!prepared.ok()) return session.fail(prepared.status());
    if (!losses_accepted(session, prepared.value()))
      return session.fail(base::Status(base::ErrorKind::input, "losses are not accepted; nothing was done",
                                       "plan --propose-acceptances FILE writes a file to fill in"));
    for (const quota::Entitlements& cell : prepared->translation.cells) cells.push_back(cell.cell);
    targets = open_targets(session, cells);
    if (!targets.ok()) return session.fail(targets.status());
    plan = build_plan(session, prepared.value(), targets.value());
    if (!plan.ok()) return session.fail(plan.status());
    session.findings = {};  // what audit says about everybody else does not belong to this run
  }
  if (session.arguments.has("--plan")) status = keep_named(plan.value(), session.arguments.positional);
  if (!status.ok()) return session.fail(status);
  return run_plan(session, std::move(plan).value(), targets.value(), options.value());
}

}  // namespace cmb2kueue::cli
