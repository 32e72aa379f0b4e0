// Rollback in two marks. The first, intake restored, is recorded before anything else; the second gives back
// objects and capacity in the reverse order of a cutover. Also abort and complete.
#include <fmt/format.h>

#include <algorithm>

#include "asking.h"
#include "cmb2kueue/base/text.h"
#include "rollback.h"
#include "snapshot.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

base::Status unknown_tenant(const std::string& hash) {
  return base::Status(base::ErrorKind::not_found,
                      fmt::format("no tenant with the hash {} is enrolled here", base::quoted(hash)),
                      "cmb2kueue status lists who is");
}

// What can be refused is refused before the lock of a live run is taken away.
base::Status may_begin(const Enrolled& tenant, bool switched_back) {
  if (tenant.snapshot.empty())
    return base::Status(base::ErrorKind::conflict,
                        fmt::format("the snapshot of {} was dropped by complete", tenant.display),
                        "there is nothing to put back; remove the tenant's objects by hand");
  if (tenant.intake != Intake::cmb && !switched_back)
    return base::Status(base::ErrorKind::usage, fmt::format("the work of {} goes to Kueue", tenant.display),
                        "switch it back at CMB, then run the same command with --switched-back --reason '...'");
  return {};
}

// Before anything else, the lock included: CMB is asked to take the work again. What it answers is asked for once
// more, and recorded, under the lock; a failure here is not the last word.
void bring_work_back_first(const Context& context, const State& state, const Enrolled& tenant) {
  if (context.dry_run || tenant.intake == Intake::cmb) return;
  hooks::Call call{context.cell, tenant.run, state.head.seq + 1, "", ref_of(tenant)};
  call.key = fmt::format("{}/switch-back/first", tenant.run);
  static_cast<void>(switch_back_by_hook(*context.other_side, call, call));
}

base::Result<Outcome> undo(const Context& context, const std::string& hash, const std::string& verb,
                           const RollbackOptions& options) {
  // The lock names the tenant, so the state is read once before it is taken.
  const base::Result<State> seen = load_state(context);
  if (!seen.ok()) return seen.status();
  const Enrolled* known = enrolled_of(seen.value(), hash);
  if (known == nullptr) return unknown_tenant(hash);
  const bool by_hook = offers(context, hooks::Hook::switch_back);
  base::Status status = may_begin(*known, options.switched_back || by_hook);
  if (!status.ok()) return status;
  if (by_hook) bring_work_back_first(context, seen.value(), *known);
  Run run(context, verb);
  status = run.start(known->run, known->display, true, hash);
  if (status.ok()) status = undo_tenant(run, hash, options);
  if (!status.ok()) return status;
  if (enrolled_of(run.state(), hash) != nullptr) {
    run.outcome.state = TenantState::draining;
    return std::move(run.outcome);
  }
  run.outcome.state = TenantState::rolled_back;
  for (const std::string& line : run.outcome.differs) run.outcome.next.push_back("look at what stays: " + line);
  return std::move(run.outcome);
}

}  // namespace

namespace {

// The first mark stands; the second comes when what runs in Kueue has ended.
void say_waiting(Run& run, const Undo& work) {
  for (const std::string& line : work.waiting) run.event("give-back", "skipped", "waiting: " + line);
  const Enrolled tenant = work.tenant();
  const std::string name = base::quoted(tenant.display, 200);
  run.outcome.next.push_back(
      fmt::format("CMB takes the work of {} again; when its jobs in Kueue have ended, the "
                  "same rollback finishes",
                  name));
  if (run.context.target->cluster() == nullptr)
    run.outcome.next.push_back("this target cannot show running jobs: say with --drained that none is left");
}

}  // namespace

base::Status undo_tenant(Run& run, const std::string& tenant_hash, const RollbackOptions& options) {
  const Enrolled* tenant = enrolled_of(run.state(), tenant_hash);
  if (tenant == nullptr) return unknown_tenant(tenant_hash);
  base::Status status = may_begin(*tenant, options.switched_back || offers(run.context, hooks::Hook::switch_back));
  if (!status.ok()) return status;
  Undo work{run, tenant_hash, options.switched_back, options.drained};
  run.reclaim();
  const std::vector<Step>& table = cutover_steps();
  for (auto step = table.rbegin(); step != table.rend(); ++step) {
    const Enrolled* now = enrolled_of(run.state(), tenant_hash);
    if (now == nullptr) break;  // forgotten: what is above changed nothing
    // A stop is obeyed only once intake is restored.
    if (now->state == TenantState::draining && run.stop_requested())
      return run.stopped(fmt::format("undoing {}", step->info.name));
    status = step->undo(work);
    if (!status.ok()) return status.prefixed(fmt::format("undoing step {}", step->info.name));
    if (work.waiting.empty()) continue;
    say_waiting(run, work);
    return {};
  }
  return {};
}

base::Result<Outcome> roll_back(const Context& context, const std::string& tenant_hash,
                                const RollbackOptions& options) {
  return undo(context, tenant_hash, "rollback", options);
}

base::Result<Outcome> abort_run(const Context& context, const std::string& tenant_hash) {
  const base::Result<State> state = load_state(context);
  if (!state.ok()) return state.status();
  const Enrolled* tenant = enrolled_of(state.value(), tenant_hash);
  if (tenant == nullptr) return unknown_tenant(tenant_hash);
  if (tenant->intake != Intake::cmb)
    return base::Status(base::ErrorKind::usage,
                        fmt::format("{} is {}: its work goes to Kueue", tenant->display, to_string(tenant->state)),
                        "use rollback, which asks that CMB is switched back first");
  return undo(context, tenant_hash, "abort", {});
}

base::Result<Outcome> complete(const Context& context, const std::string& tenant_hash) {
  const base::Result<State> seen = load_state(context);
  if (!seen.ok()) return seen.status();
  const Enrolled* known = enrolled_of(seen.value(), tenant_hash);
  if (known == nullptr) return unknown_tenant(tenant_hash);
  Run run(context, "complete");
  base::Status status = run.start(known->run, known->display, false, tenant_hash);
  if (!status.ok()) return status;
  const Enrolled* current = enrolled_of(run.state(), tenant_hash);
  if (current == nullptr) return unknown_tenant(tenant_hash);
  Enrolled tenant = *current;
  if (tenant.state != TenantState::moved && tenant.state != TenantState::completed)
    return base::Status(base::ErrorKind::usage,
                        fmt::format("{} is {}, not Moved", tenant.display, to_string(tenant.state)),
                        "complete is for tenants whose move is over; cmb2kueue status says what is next");
  tenant.state = TenantState::completed;
  tenant.snapshot.clear();
  tenant.step = "complete";
  const std::string run_name = tenant.run;
  status = run.record("complete", change_of(std::move(tenant)));
  if (status.ok() && !context.dry_run) status = drop_snapshots(context, run_name);
  if (!status.ok()) return status;
  run.event("complete", "done",
            "the snapshot is dropped; the tenant cannot be rolled back to its old objects any more");
  run.outcome.state = TenantState::completed;
  return std::move(run.outcome);
}

}  // namespace cmb2kueue::cutover
