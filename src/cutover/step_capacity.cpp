// capacity: what the other side has given up becomes Kueue's quota, and goes back the other way round. Whichever
// way, the books never say that Kueue has less than its objects allow.
#include "steps.h"

namespace cmb2kueue::cutover {

base::Status move_capacity(Task& task) {
  Run& run = task.run;
  if (!enrolled_of(run.state(), task.tenant.hash)->counts) {
    Enrolled tenant = advanced(task, TenantState::held, "capacity");
    tenant.counts = true;
    tenant.moved = 100;
    State wanted = run.state();
    wanted.enrolled[tenant.hash] = tenant;
    Changes changes = change_of(std::move(tenant));
    changes.allotments = allotment_changes(run.state().allotments, settled_allotments(wanted));
    const base::Status recorded = run.record("capacity", std::move(changes));
    if (!recorded.ok()) return recorded;
  }
  base::Status status = run.write_shared("capacity", run.state(), task.tenant.hash);
  if (status.ok())
    status = write_tenant(run, run.state(), advanced(task, TenantState::held, "capacity"), "capacity");
  if (status.ok()) run.event("capacity", "done", "the capacity CMB keeps free is Kueue's quota");
  return status;
}

// Kueue's quotas are lowered first, the tenant's own among them, and only then counted as given back.
base::Status give_back(Undo& undo) {
  Run& run = undo.run;
  Enrolled tenant = undo.tenant();
  if (!tenant.counts) return {};
  tenant.counts = false;
  tenant.moved = 0;
  State wanted = run.state();
  wanted.enrolled[tenant.hash] = tenant;
  wanted.allotments = settled_allotments(wanted);
  base::Status status = run.write_shared("give-back", wanted, undo.hash);
  if (!status.ok()) return status;
  const std::string bundle = tenant_bundle(tenant.object);
  const base::Result<target::Image> live = run.context.target->capture(bundle_of(tenant));
  if (!live.ok()) return live.status();
  if (live->existed) status = run.write("give-back", {bundle, tenant_objects(wanted, tenant)}, {});
  if (!status.ok()) return status;
  Changes changes = change_of(std::move(tenant));
  changes.allotments = allotment_changes(run.state().allotments, wanted.allotments);
  status = run.record("give-back", std::move(changes));
  if (!status.ok()) return status;
  run.event("give-back", "done", "the capacity is no longer Kueue's");
  for (const std::string& what : run.context.not_observed)
    run.event("give-back", "skipped", "not observed: " + what);
  return {};
}

}  // namespace cmb2kueue::cutover
