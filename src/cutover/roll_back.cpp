// Rollback in two marks. The first, intake restored, is recorded before anything else and stopped by nothing; the
// second gives back objects and capacity in the reverse order of a cutover.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "rollback.h"
#include "snapshot.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

struct Undo {
  Run& run;
  std::string hash;

  Enrolled tenant() const { return *enrolled_of(run.state(), hash); }
};

base::Status unknown_tenant(const std::string& hash) {
  return base::Status(base::ErrorKind::not_found,
                      fmt::format("no tenant with the hash {} is enrolled here", base::quoted(hash)),
                      "cmb2kueue status lists who is");
}

// First mark.
base::Status restore_intake(Undo& undo, bool switched_back) {
  Enrolled tenant = undo.tenant();
  if (tenant.state == TenantState::draining) return {};
  const bool was_switched = tenant.state >= TenantState::switched && tenant.state != TenantState::draining;
  if (was_switched && !switched_back)
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

// A bundle that somebody edited since we wrote it is kept aside, said aloud, and taken as ours from then on.
base::Status save_foreign(Undo& undo, const std::string& bundle) {
  const base::Result<target::Image> live = undo.run.context.target->capture(bundle);
  if (!live.ok()) return live.status();
  const State& state = undo.run.state();
  const auto last = state.versions.find(bundle);
  if (last == state.versions.end() || last->second == live->version) return {};
  const auto announced = state.pending.find(bundle);
  if (announced != state.pending.end() && announced->second == live->version)
    return {};  // ours, its record was lost
  if (live->existed) {
    const base::Result<std::string> kept = keep_foreign(undo.run.context, undo.tenant().run, live.value());
    if (!kept.ok()) return kept.status();
    undo.run.event("drift", "done",
                   fmt::format("{} was changed by somebody else; that text is kept as .cmb2kueue/{}.bytes",
                               base::quoted(bundle), kept.value()));
  } else {
    undo.run.event("drift", "done", base::quoted(bundle) + " was removed by somebody else");
  }
  Changes changes;
  changes.versions[bundle] = live->version;
  return undo.run.record("drift", std::move(changes));
}

base::Status save_all_foreign(Undo& undo) {
  base::Status status = save_foreign(undo, tenant_bundle(undo.tenant().object));
  std::vector<std::string> bundles;
  for (const auto& [key, shared] : undo.run.state().shared)
    if (!shared.adopted) bundles.push_back(shared.bundle);
  for (const std::string& bundle : bundles)
    if (status.ok()) status = save_foreign(undo, bundle);
  return status;
}

base::Status hold(Undo& undo) {
  Enrolled tenant = undo.tenant();
  const std::string bundle = tenant_bundle(tenant.object);
  const base::Result<target::Image> live = undo.run.context.target->capture(bundle);
  if (!live.ok()) return live.status();
  // Never written by us, or put back already: there is nothing to hold.
  if (tenant.held || !live->existed) return {};
  tenant.held = true;
  const std::vector<kueue::Object> objects = tenant_objects(undo.run.state(), tenant);
  const base::Status written = undo.run.write("hold", {bundle, objects}, change_of(std::move(tenant)));
  if (written.ok()) undo.run.event("hold", "done", "the ClusterQueue is on Hold");
  return written;
}

// Kueue's quota is lowered first, and only then counted as given back.
base::Status give_back(Undo& undo) {
  Enrolled tenant = undo.tenant();
  if (!tenant.counts) return {};
  tenant.counts = false;
  tenant.moved = 0;
  State wanted = undo.run.state();
  wanted.enrolled[tenant.hash] = tenant;
  wanted.allotments = settled_allotments(wanted);
  base::Status status = undo.run.write_shared("give-back", wanted);
  if (!status.ok()) return status;
  Changes changes = change_of(std::move(tenant));
  changes.allotments = wanted.allotments;
  status = undo.run.record("give-back", std::move(changes));
  if (status.ok()) undo.run.event("give-back", "done", "the capacity is no longer Kueue's");
  for (const std::string& what : undo.run.context.not_observed)
    undo.run.event("give-back", "skipped", "not observed: " + what);
  return status;
}

base::Status put_snapshot_back(Undo& undo) {
  const Enrolled tenant = undo.tenant();
  if (undo.run.context.dry_run) return {};
  if (tenant.snapshot.empty())
    return base::Status(base::ErrorKind::conflict,
                        fmt::format("the snapshot of {} was dropped by complete", tenant.display),
                        "there is nothing to put back; remove the tenant's objects by hand");
  const base::Result<target::Image> image = load_snapshot(undo.run.context, tenant.snapshot);
  if (!image.ok()) return image.status();
  Changes changes = change_of(tenant);
  changes.enrolled[tenant.hash]->step = "restore";
  const base::Status restored = undo.run.put_back("restore", image.value(), std::move(changes));
  if (restored.ok())
    undo.run.event("restore", "undone",
                   image->existed ? "the tenant's own objects are what they were, to the byte"
                                  : "the tenant's own objects, which did not exist before, are gone");
  return restored;
}

base::Status release_shared(Undo& undo) {
  Changes changes;
  for (const auto& [key, shared] : undo.run.state().shared) {
    SharedObject left = shared;
    std::erase(left.users, undo.hash);
    if (left.users.size() != shared.users.size()) changes.shared[key] = std::move(left);
  }
  if (!changes.shared.empty()) {
    const base::Status recorded = undo.run.record("shared", std::move(changes));
    if (!recorded.ok()) return recorded;
  }
  const base::Status written = undo.run.write_shared("shared", undo.run.state());
  if (written.ok()) undo.run.event("shared", "undone", "shared objects are what those who stay need");
  return written;
}

base::Status forget(Undo& undo) {
  Changes changes;
  changes.enrolled[undo.hash] = std::nullopt;
  return undo.run.record("restored", std::move(changes));
}

using UndoStep = base::Status (*)(Undo&);
constexpr UndoStep undo_steps[] = {save_all_foreign, hold, give_back, put_snapshot_back, release_shared, forget};

base::Result<Outcome> undo(const Context& context, const std::string& hash, const std::string& verb,
                           bool switched_back, bool force) {
  // The lock names the tenant, so the state is read once before it is taken.
  const base::Result<State> seen = load_state(context);
  if (!seen.ok()) return seen.status();
  const Enrolled* known = enrolled_of(seen.value(), hash);
  if (known == nullptr) return unknown_tenant(hash);
  Run run(context, verb);
  base::Status status = run.start(known->run, known->display, force);
  if (!status.ok()) return status;
  if (enrolled_of(run.state(), hash) == nullptr) return unknown_tenant(hash);
  Undo task{run, hash};
  status = restore_intake(task, switched_back);
  for (const UndoStep step : undo_steps) {
    if (!status.ok()) return status;
    if (run.stop_requested()) return run.stopped("of the rollback that comes next");
    status = step(task);
  }
  if (!status.ok()) return status;
  run.outcome.state = TenantState::rolled_back;
  return std::move(run.outcome);
}

}  // namespace

base::Result<Outcome> roll_back(const Context& context, const std::string& tenant_hash,
                                const RollbackOptions& options) {
  return undo(context, tenant_hash, "rollback", options.switched_back, true);
}

base::Result<Outcome> undo_unswitched(const Context& context, const std::string& tenant_hash,
                                      const std::string& verb) {
  return undo(context, tenant_hash, verb, false, verb == "abort");
}

base::Result<Outcome> abort_run(const Context& context, const std::string& tenant_hash) {
  const base::Result<State> state = load_state(context);
  if (!state.ok()) return state.status();
  const Enrolled* tenant = enrolled_of(state.value(), tenant_hash);
  if (tenant == nullptr) return unknown_tenant(tenant_hash);
  if (tenant->state >= TenantState::switched && tenant->state != TenantState::draining)
    return base::Status(base::ErrorKind::usage,
                        fmt::format("{} is {}: its work goes to Kueue", tenant->display, to_string(tenant->state)),
                        "use rollback, which asks that CMB is switched back first");
  return undo_unswitched(context, tenant_hash, "abort");
}

base::Result<Outcome> complete(const Context& context, const std::string& tenant_hash) {
  const base::Result<State> seen = load_state(context);
  if (!seen.ok()) return seen.status();
  const Enrolled* known = enrolled_of(seen.value(), tenant_hash);
  if (known == nullptr) return unknown_tenant(tenant_hash);
  Run run(context, "complete");
  base::Status status = run.start(known->run, known->display, false);
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
