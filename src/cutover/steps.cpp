// The table of steps, and what they share.
#include "steps.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cutover {

namespace {

bool never(const Task&) {
  return false;
}
template <TenantState State>
bool reached(const Task& task) {
  return state_of(task) >= State;
}
bool snapshot_taken(const Task& task) {
  return enrolled_of(task.run.state(), task.tenant.hash) != nullptr;
}

// What was only looked at, or is undone together with another step.
base::Status nothing(Undo&) {
  return {};
}

}  // namespace

const std::vector<Step>& cutover_steps() {
  using S = TenantState;
  static const std::vector<Step> table = {
      {{"preflight", "check the plan, the partition, names, conflicts and the graph", "nothing to undo"},
       never,
       preflight,
       nothing},
      {{"snapshot", "keep the tenant's own objects as they stand", "forget the tenant; its journal stays"},
       snapshot_taken,
       take_snapshot,
       forget},
      {{"shared", "make or adopt flavors, priority classes and Cohorts", "remove those without users"},
       reached<S::open>,
       make_shared,
       release_shared},
      {{"hold", "write the tenant's objects, the ClusterQueue on Hold", "put the snapshot back"},
       reached<S::open>,
       hold_queue,
       put_snapshot_back},
      {{"capacity", "have CMB lowered, then raise quotas by that", "lower quotas, then give the parts back"},
       reached<S::open>,
       move_capacity,
       give_back},
      {{"open", "open the ClusterQueue", "save edits of others, then hold it"},
       reached<S::open>,
       open_queue,
       hold_again},
      {{"switched", "have new work sent to Kueue, and ask who receives it", "have it sent to CMB again"},
       reached<S::switched>,
       switch_over,
       restore_intake},
      {{"verify", "compare live with what was promised", "nothing to undo"},
       reached<S::ramping>,
       verify_promise,
       nothing},
      {{"ramp", "move the tenant's own capacity, a stage at a time", "nothing to undo"},
       ramped_up,
       ramp_up,
       nothing},
      {{"moved", "record that the tenant has moved", "nothing to undo"}, reached<S::moved>, settle, nothing},
  };
  return table;
}

const std::vector<StepInfo>& steps() {
  static const std::vector<StepInfo> table = [] {
    std::vector<StepInfo> all;
    for (const Step& step : cutover_steps()) all.push_back(step.info);
    return all;
  }();
  return table;
}

const Enrolled* enrolled_of(const State& state, const std::string& hash) {
  const auto found = state.enrolled.find(hash);
  return found == state.enrolled.end() ? nullptr : &found->second;
}

Enrolled Undo::tenant() const {
  return *enrolled_of(run.state(), hash);
}

TenantState state_of(const Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  return tenant == nullptr ? TenantState::not_enrolled : tenant->state;
}

Changes change_of(Enrolled tenant) {
  Changes changes;
  const std::string hash = tenant.hash;
  changes.enrolled[hash] = std::move(tenant);
  return changes;
}

Enrolled advanced(const Task& task, TenantState state, std::string_view step) {
  Enrolled tenant = *enrolled_of(task.run.state(), task.tenant.hash);
  tenant.state = std::max(tenant.state, state);
  tenant.step = step;
  return tenant;
}

base::Status write_tenant(Run& run, const State& state, Enrolled tenant, std::string_view step) {
  const target::Bundle bundle{tenant_bundle(tenant.object), tenant_objects(state, tenant)};
  return run.write(step, bundle, change_of(std::move(tenant)));
}

std::string run_id(const Plan& plan, const PlannedTenant& tenant) {
  return "r-" + base::sha256_base32(plan.nonce + ":" + tenant.hash, 12);
}

}  // namespace cmb2kueue::cutover
