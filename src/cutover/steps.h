// The steps of a cutover, in order, doing and undoing side by side. Repeating any is harmless.
#pragma once
#include <string_view>
#include <vector>

#include "run.h"

namespace cmb2kueue::cutover {

// What a step works on.
struct Task {
  Run& run;
  const Plan& plan;
  const PlanCell& cell;
  const PlannedTenant& tenant;
  const CutoverOptions& options;
};

struct Step {
  StepInfo info;
  bool (*finished)(const Task& task);  // from the state alone: nothing is left to do
  base::Status (*act)(Task& task);
};

// preflight, snapshot, shared, hold, capacity, open, switched, moved.
const std::vector<Step>& cutover_steps();

// Everything checked before the first write, without writing: single use of the plan, values it depends on, the
// partition, conflicts with files of others, references and the graph.
base::Status preflight(Task& task);

// The tenant's record in the state; nullptr before the step snapshot.
const Enrolled* enrolled_of(const State& state, const std::string& hash);

// A copy of a tenant's record as a change.
Changes change_of(Enrolled tenant);

std::string run_id(const Plan& plan, const PlannedTenant& tenant);

}  // namespace cmb2kueue::cutover
