// capacity, ramp and the way back. With hooks CMB is asked to lower its ceilings step by step; under a signed
// partition it has lowered them already. Whichever way, the books never say that Kueue has less than its objects
// allow.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "settle_capacity.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

// A signed part is Kueue's as soon as the tenant counts.
base::Status take_signed_part(Task& task) {
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

std::string listed(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += "\n    " + line;
  return out;
}

// The first part: enough for one of everything. Until CMB has let go of that, nothing is opened.
base::Status take_canary(Task& task) {
  Run& run = task.run;
  Enrolled tenant = advanced(task, TenantState::held, "capacity");
  tenant.counts = true;
  base::Result<std::optional<Uses>> use = use_in_kueue(run);
  if (!use.ok()) return use.status();
  const base::Result<Settled> settled =
      settle_capacity(run, std::move(tenant), {"capacity", std::move(use).value()});
  if (!settled.ok()) return settled.status();
  std::string missing;
  if (!reaches_canary(run.state(), task.tenant.hash, missing))
    return base::Status(
        base::ErrorKind::interrupted,
        fmt::format("CMB has not let go of enough {} yet:{}", missing, listed(settled.value().waiting)),
        "the same command goes on when jobs there have ended");
  run.event("capacity", "done", "CMB was lowered and confirmed it; Kueue has the first part of the capacity");
  return {};
}

std::uint32_t next_stage(const State& state, std::uint32_t moved) {
  const std::vector<std::uint32_t>& ramp = state.inputs.ramp;
  const auto next = std::upper_bound(ramp.begin(), ramp.end(), moved);
  return next == ramp.end() ? 100 : *next;
}

base::Result<Settled> settle_at(Task& task, std::uint32_t moved) {
  Enrolled tenant = advanced(task, TenantState::ramping, "ramp");
  tenant.moved = std::max(tenant.moved, moved);
  base::Result<std::optional<Uses>> use = use_in_kueue(task.run);
  if (!use.ok()) return use.status();
  return settle_capacity(task.run, std::move(tenant), {"ramp", std::move(use).value()});
}

// What the tenant still is to get of its own and of what is above it; nothing is left where it has reached all.
bool has_reached(const State& state, const std::string& hash) {
  const std::vector<Pair> pairs = pairs_of(state, state, hash);
  return std::all_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.now.kueue >= pair.target; });
}

}  // namespace

base::Status move_capacity(Task& task) {
  return task.plan.inputs.partitioned ? take_signed_part(task) : take_canary(task);
}

bool ramped_up(const Task& task) {
  const State& state = task.run.state();
  const Enrolled* tenant = enrolled_of(state, task.tenant.hash);
  if (tenant == nullptr) return false;
  if (tenant->state >= TenantState::moved || state.inputs.partitioned) return true;
  return tenant->moved >= 100 && has_reached(state, tenant->hash);
}

// One stage further, once the one before has been reached: whoever repeats this gets to the end.
base::Status ramp_up(Task& task) {
  Run& run = task.run;
  const std::uint32_t before = enrolled_of(run.state(), task.tenant.hash)->moved;
  base::Result<Settled> settled = settle_at(task, before);
  if (settled.ok() && settled.value().reached && before < 100)
    settled = settle_at(task, next_stage(run.state(), before));
  if (!settled.ok()) return settled.status();
  const std::uint32_t moved = enrolled_of(run.state(), task.tenant.hash)->moved;
  run.event("ramp", "done", fmt::format("{} % of the tenant's own capacity is to be Kueue's", moved));
  for (const std::string& line : settled.value().waiting) run.event("ramp", "skipped", "waiting: " + line);
  return {};
}

namespace {

// Kueue's quotas are lowered first, the tenant's own among them, and only then counted as given back.
base::Status give_signed_part_back(Undo& undo) {
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
  const base::Result<target::Image> live = run.context.target->capture(bundle_of(tenant));
  if (!live.ok()) return live.status();
  if (live->existed)
    status = run.write("give-back", {tenant_bundle(tenant.object), tenant_objects(wanted, tenant)}, {});
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

// What Kueue's workloads still use stays held until they have ended; the rest is CMB's again.
base::Status restore_ceilings(Undo& undo) {
  Run& run = undo.run;
  Enrolled tenant = undo.tenant();
  const bool had = tenant.counts;
  tenant.counts = false;
  tenant.moved = 0;
  base::Result<std::optional<Uses>> use = use_in_kueue(run);
  if (!use.ok()) return use.status();
  const bool empty = undo.drained || !tenant.received;
  if (!use.value().has_value() && empty) use = std::optional<Uses>(Uses());
  const base::Result<Settled> settled =
      settle_capacity(run, std::move(tenant), {"give-back", std::move(use).value()});
  if (!settled.ok()) return settled.status();
  if (settled.value().kept) undo.waiting = settled.value().waiting;
  if (had && undo.waiting.empty()) run.event("give-back", "undone", "the capacity is CMB's again, and it knows");
  return {};
}

}  // namespace

base::Status give_back(Undo& undo) {
  return undo.run.state().inputs.partitioned ? give_signed_part_back(undo) : restore_ceilings(undo);
}

}  // namespace cmb2kueue::cutover
