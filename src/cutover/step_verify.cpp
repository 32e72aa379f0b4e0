// verify and moved: live is compared with what was promised, then the move is over.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "steps.h"
#include "verify.h"

namespace cmb2kueue::cutover {

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
