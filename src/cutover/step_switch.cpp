// switched, verify, moved: who receives the work is the operator's word, both ways; then live is compared with what
// was promised.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "steps.h"
#include "verify.h"

namespace cmb2kueue::cutover {

base::Status take_word(Task& task) {
  const base::Status recorded =
      task.run.record("switched", change_of(advanced(task, TenantState::switched, "switched")));
  if (recorded.ok()) task.run.event("switched", "done", "recorded that CMB sends this tenant's work to Kueue");
  return recorded;
}

// The first mark of a rollback.
base::Status restore_intake(Undo& undo) {
  Enrolled tenant = undo.tenant();
  if (tenant.state == TenantState::draining) return {};
  const bool was_switched = tenant.state >= TenantState::switched;
  if (was_switched && !undo.switched_back)
    return base::Status(base::ErrorKind::usage, fmt::format("the work of {} goes to Kueue", tenant.display),
                        "switch it back at CMB, then run the same command with --switched-back --reason '...'");
  tenant.state = TenantState::draining;
  const base::Status recorded = undo.run.record("switch-back", change_of(std::move(tenant)));
  if (recorded.ok())
    undo.run.event("switch-back", "done",
                   was_switched ? "recorded that CMB takes this tenant's work again: intake is restored"
                                : "its work never left CMB: intake is where it was");
  return recorded;
}

// A drifted bundle is a conflict before it is a mismatch: somebody is at work on it.
base::Status verify_promise(Task& task) {
  Run& run = task.run;
  base::Status status = write_tenant(run, run.state(), advanced(task, TenantState::switched, "verify"), "verify");
  if (status.ok()) status = verify_tenant(run.context, run.state(), task.tenant.hash);
  if (status.ok())
    run.event("verify", "done",
              "live objects are what was promised, sums are exact, no Cohort is its own ancestor");
  return status;
}

base::Status settle(Task& task) {
  const base::Status recorded = task.run.record("moved", change_of(advanced(task, TenantState::moved, "moved")));
  if (!recorded.ok()) return recorded;
  task.run.event("moved", "done", "the tenant has moved");
  if (!task.tenant.job_ids.empty())
    task.run.event("moved", "skipped",
                   fmt::format("{} stay queued at CMB; they are not moved without its help",
                               base::counted(task.tenant.job_ids.size(), "job")));
  return {};
}

}  // namespace cmb2kueue::cutover
