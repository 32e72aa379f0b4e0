// A cutover: the steps in order until one needs a person, with the undoing of a run that fails before CMB was
// switched.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "rollback.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

bool wants_person(const Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  return tenant != nullptr && tenant->state == TenantState::open && !task.options.switched;
}

base::Status walk(Task& task) {
  for (const Step& step : cutover_steps()) {
    if (step.finished(task)) continue;
    if (task.run.stop_requested()) return task.run.stopped(step.info.name);
    if (wants_person(task) && (step.info.name == "switched" || step.info.name == "moved")) break;
    const base::Status status = step.act(task);
    if (!status.ok()) return status.prefixed(fmt::format("step {}", step.info.name));
    if (task.options.hold_after == step.info.name) {
      task.run.event(step.info.name, "needs", "held after this step as asked");
      break;
    }
  }
  return {};
}

void say_next(Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  Outcome& outcome = task.run.outcome;
  outcome.state = tenant == nullptr ? TenantState::not_enrolled : tenant->state;
  const std::string name = base::quoted(task.tenant.display, 200);
  if (outcome.state == TenantState::open && !task.run.context.dry_run) {
    outcome.next = {
        fmt::format("switch {} at CMB so that its new work goes to the LocalQueue {}", name, task.tenant.object),
        fmt::format("then: the same command with --switched --reason '...' (or rollback {})", name)};
  } else if (outcome.state == TenantState::moved) {
    outcome.next = {fmt::format("watch it for a good while, then: complete {}", name)};
  } else if (outcome.state < TenantState::open) {
    outcome.next = {"the same command goes on from here"};
  }
}

// Before CMB was switched nothing of the tenant's work is on this side, so undoing is safe and whole.
void undo_failed(const Context& context, const PlannedTenant& tenant, Run& run) {
  const base::Result<Outcome> undone = undo_unswitched(context, tenant.hash, "cutover");
  if (!undone.ok()) {
    run.event("undo", "needs", "undoing failed too: " + undone.status().message());
    return;
  }
  for (const Event& event : undone.value().events) run.outcome.events.push_back(event);
}

}  // namespace

base::Result<Outcome> cut_over(const Context& context, const Plan& plan, const PlanCell& cell,
                               const PlannedTenant& tenant, const CutoverOptions& options) {
  base::Status status;
  Outcome outcome;
  bool undo = false;
  {
    Run run(context, "cutover");
    run.plan_nonce(plan.nonce);
    status = run.start(run_id(plan, tenant), tenant.display, false);
    if (!status.ok()) return status;
    Task task{run, plan, cell, tenant, options};
    status = walk(task);
    if (status.ok()) {
      say_next(task);
      return std::move(run.outcome);
    }
    const Enrolled* record = enrolled_of(run.state(), tenant.hash);
    // Only what this very run did: another plan's run is not ours to undo.
    const bool ours = record != nullptr && record->nonce == plan.nonce;
    undo = options.rollback_on_failure && ours && record->state < TenantState::switched &&
           status.kind() != base::ErrorKind::interrupted && status.kind() != base::ErrorKind::locked;
  }  // the lock is free again, whatever happened
  if (!undo || context.dry_run) return status;
  Run reporting(context, "cutover");
  undo_failed(context, tenant, reporting);
  const bool failed = !reporting.outcome.events.empty() && reporting.outcome.events.back().phase == "needs";
  return base::Status(status.kind(),
                      status.message() + (failed ? "; " + reporting.outcome.events.back().what
                                                 : "; what the run had done was undone"),
                      status.advice(), status.place());
}

}  // namespace cmb2kueue::cutover
