// A cutover: the steps in order until one needs a person, with the undoing of a run that fails before CMB was
// switched.
#include <fmt/format.h>

#include <algorithm>

#include "asking.h"
#include "cmb2kueue/base/text.h"
#include "rollback.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

bool wants_person(const Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  return tenant != nullptr && tenant->state == TenantState::open && !task.options.switched &&
         !offers(task.run.context, hooks::Hook::switch_to_kueue);
}

// Between two stages of its ramp: the next one is another run's.
bool rests(const Task& task) {
  return state_of(task) == TenantState::ramping && !ramped_up(task);
}

// A hold is obeyed behind its step, also where an earlier run has done that step.
bool hold_here(Task& task, const Step& step) {
  if (task.options.hold_after != step.info.name) return false;
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  const bool over = tenant != nullptr && tenant->state >= TenantState::moved;
  task.run.event(step.info.name, over ? "skipped" : "needs",
                 over ? "the tenant is past this step; there is nothing to hold" : "held after this step as asked");
  return true;
}

base::Status walk(Task& task) {
  for (const Step& step : cutover_steps()) {
    if (!step.finished(task)) {
      if (wants_person(task) && step.info.name != "preflight") break;
      if (task.run.stop_requested()) return task.run.stopped(fmt::format("the step {}", step.info.name));
      const base::Status status = step.act(task);
      if (!status.ok()) return status.prefixed(fmt::format("step {}", step.info.name));
    }
    if (hold_here(task, step)) break;
    if (rests(task) && step.info.name == "ramp") break;
  }
  return {};
}

base::Status check_options(const CutoverOptions& options) {
  std::vector<std::string> names;
  for (const StepInfo& step : steps()) names.emplace_back(step.name);
  if (options.hold_after.empty() || std::find(names.begin(), names.end(), options.hold_after) != names.end())
    return {};
  return base::Status(base::ErrorKind::usage, "there is no step " + base::quoted(options.hold_after) +
                                                  base::did_you_mean(options.hold_after, names) + " to hold after");
}

// The word that CMB was switched counts once the queues take work, and that a run says only when it stops there.
base::Status check_switched(const Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  if (!task.options.switched || (tenant != nullptr && tenant->state >= TenantState::open)) return {};
  return base::Status(base::ErrorKind::usage,
                      fmt::format("{} is {}: its queue takes no work yet", task.tenant.display,
                                  to_string(tenant == nullptr ? TenantState::not_enrolled : tenant->state)),
                      "run the same command without --switched first; it stops where CMB has to be switched");
}

void say_next(Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  Outcome& outcome = task.run.outcome;
  outcome.state = tenant == nullptr ? TenantState::not_enrolled : tenant->state;
  const std::string name = base::quoted(task.tenant.display, 200);
  if (outcome.state == TenantState::open && !task.run.context.dry_run) {
    outcome.next = {
        fmt::format("switch {} at CMB so that its new work goes to the LocalQueue {}", name, task.tenant.object),
        fmt::format("then: cutover {} --switched --reason '...' --target {} (with the same -e and -m, or --plan)",
                    name, task.cell.target),
        fmt::format("or back: rollback {} --target {}", name, task.cell.target)};
  } else if (outcome.state == TenantState::ramping) {
    outcome.next = {
        fmt::format("the next stage: ramp {} --target {} (with the same --hooks)", name, task.cell.target)};
  } else if (outcome.state == TenantState::moved) {
    outcome.next = {
        fmt::format("watch it for a good while, then: complete {} --target {}", name, task.cell.target)};
  } else if (outcome.state < TenantState::open) {
    outcome.next = {"the same command goes on from here"};
  }
}

// Before CMB was switched nothing of the tenant's work is on this side, so undoing is safe and whole; after that
// only where CMB can be asked to take its work back. Only what this very plan did: another plan's run is not ours
// to undo.
bool must_undo(const Task& task) {
  const Enrolled* record = enrolled_of(task.run.state(), task.tenant.hash);
  if (record == nullptr || record->nonce != task.plan.nonce || record->state >= TenantState::moved) return false;
  return record->intake == Intake::cmb || offers(task.run.context, hooks::Hook::switch_back);
}

// Undoes under the lock of the run that failed; a failure of that is part of the failure. The journal is read anew
// first: what could not be acknowledged may have happened or not.
base::Status after_failure(Task& task, const base::Status& status) {
  const bool goes_on = status.kind() == base::ErrorKind::interrupted || status.kind() == base::ErrorKind::locked;
  if (!task.options.rollback_on_failure || goes_on || task.run.context.dry_run) return status;
  base::Status undone = task.run.reopen();
  if (undone.ok() && !must_undo(task)) return status;
  if (undone.ok()) undone = undo_tenant(task.run, task.tenant.hash, {});
  if (undone.ok())
    return base::Status(status.kind(), status.message() + "; what the run had done was undone", status.advice(),
                        status.place());
  return base::Status(status.kind(), status.message() + "; undoing failed too: " + undone.message(),
                      "when that is mended: cmb2kueue abort, or the same command again", status.place());
}

}  // namespace

base::Result<Outcome> cut_over(const Context& context, const Plan& plan, const PlanCell& cell,
                               const PlannedTenant& tenant, const CutoverOptions& options) {
  base::Status status = check_options(options);
  if (!status.ok()) return status;
  Run run(context, "cutover");
  run.plan_nonce(plan.nonce);
  status = run.start(run_id(plan, tenant), tenant.display, false, tenant.hash);
  if (!status.ok()) return status;
  Task task{run, plan, cell, tenant, options};
  status = check_switched(task);
  if (!status.ok()) return status;
  status = walk(task);
  if (!status.ok()) return after_failure(task, status);
  say_next(task);
  return std::move(run.outcome);
}

}  // namespace cmb2kueue::cutover
