// The steps of a cutover, in order, doing and undoing side by side: one row a step. Doing walks down the table,
// undoing up. Repeating any is harmless. A step that another side has to confirm joins as one row.
#pragma once
#include <string_view>
#include <vector>

#include "run.h"

namespace cmb2kueue::cutover {

// What doing a step works on.
struct Task {
  Run& run;
  const Plan& plan;
  const PlanCell& cell;
  const PlannedTenant& tenant;
  const CutoverOptions& options;
};

// What undoing works on: no plan, since what there is to undo is in the state.
struct Undo {
  Run& run;
  std::string hash;
  bool switched_back = false;
  bool drained = false;                   // the operator's word that Kueue uses no more than its lowered quotas
  std::vector<std::string> waiting = {};  // set by a step that cannot go on before work has ended

  Enrolled tenant() const;
};

struct Step {
  StepInfo info;
  bool (*finished)(const Task& task);  // from the state alone: nothing is left to do
  base::Status (*act)(Task& task);
  base::Status (*undo)(Undo& undo);
};

// preflight, snapshot, shared, hold, capacity, open, switched, verify, ramp, moved.
const std::vector<Step>& cutover_steps();

// The tenant's record in the state; nullptr before the step snapshot.
const Enrolled* enrolled_of(const State& state, const std::string& hash);
TenantState state_of(const Task& task);

// A copy of a tenant's record as a change; the record of the task's tenant, moved on to at least `state`.
Changes change_of(Enrolled tenant);
Enrolled advanced(const Task& task, TenantState state, std::string_view step);

// The tenant's bundle as it has to be while its record is `tenant`, recorded with it.
base::Status write_tenant(Run& run, const State& state, Enrolled tenant, std::string_view step);

std::string run_id(const Plan& plan, const PlannedTenant& tenant);

// The steps by file. preflight.cpp: everything checked before the first write, without writing.
base::Status preflight(Task& task);
// step_snapshot.cpp
base::Status take_snapshot(Task& task);
base::Status forget(Undo& undo);
// step_shared.cpp
base::Status make_shared(Task& task);
base::Status release_shared(Undo& undo);
// step_queue.cpp
base::Status hold_queue(Task& task);
base::Status put_snapshot_back(Undo& undo);
base::Status open_queue(Task& task);
base::Status hold_again(Undo& undo);
// ready.cpp: the tenant's queues take work, as their controller says. Mismatch when it says that they do not,
// interrupted when it says nothing in time.
base::Status wait_until_ready(Task& task);
// step_capacity.cpp
base::Status move_capacity(Task& task);
bool ramped_up(const Task& task);
base::Status ramp_up(Task& task);
base::Status give_back(Undo& undo);
// step_switch.cpp
base::Status switch_over(Task& task);
base::Status restore_intake(Undo& undo);
// Asks for the way back, then who receives work: only that counts. `call` and `asking` as OtherSide takes them.
base::Status switch_back_by_hook(hooks::OtherSide& other, const hooks::Call& call, hooks::Call asking);
// step_verify.cpp
base::Status verify_promise(Task& task);
base::Status settle(Task& task);

// drift.cpp: bundles of the tenant, and shared ones it uses, that somebody edited since we wrote them are kept
// aside, said aloud, and taken as ours from then on.
base::Status save_foreign_edits(Undo& undo);
// False while nothing of ours can have reached the tenant's bundle: then whatever happens to it is not our
// business.
bool own_bundle_written(const Undo& undo);

}  // namespace cmb2kueue::cutover
