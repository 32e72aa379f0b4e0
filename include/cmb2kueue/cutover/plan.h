// A reviewable, single-use plan: per cell the state head and every input value it depends on, the tenants and their
// steps, the objects wanted, and how allotments move. cutover acts on a plan and the target's state, never on the
// export, so what was shown is what is done.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/cutover/state.h"
#include "cmb2kueue/target/target.h"

namespace cmb2kueue::cutover {

struct PlannedTenant {
  std::string hash, id, object, display;
  std::uint32_t node = 0;                // in the cell's tree
  std::vector<kueue::Object> objects;    // end-state templates, in order of creation
  std::vector<std::string> acceptances;  // codes accepted for it, with who
  std::vector<std::string> job_ids;      // queued jobs to report (no hooks: never moved by us)
};

struct PlannedShared {
  kueue::Object object;
  std::string bundle;
  std::vector<std::string> users;  // hashes of the planned tenants that need it
};

struct PlanCell {
  std::string cell, target;  // address as typed
  std::string identity;      // of the cluster it was made for (target::Cluster); "" for a folder
  Head head;                 // of the state it was made for
  quota::Entitlements tree;
  std::vector<quota::FixedPart> partition;  // of this cell; Inputs::partition of the plan itself is empty
  std::vector<PlannedTenant> tenants;
  std::vector<PlannedShared> shared;  // in order of creation
  // Values it depends on: bundle -> version when planned. A moved head alone does not make a plan stale.
  std::vector<std::pair<std::string, std::string>> versions;
};

struct Plan {
  std::string format = "cmb2kueue.io/plan/v1alpha1";
  std::string nonce;  // single use, also when nothing existed before
  Inputs inputs;
  std::vector<PlanCell> cells;
};

// Gives the plan its nonce, the fingerprint of everything else in it. Call last.
void seal(Plan& plan);

std::string to_json(const Plan& plan);
base::Result<Plan> parse_plan(base::SourceFiles& files, std::uint32_t file);

// Everything the plan may write, sorted by name.
std::vector<target::BundleRef> bundles_of(const PlanCell& cell);

// The versions that the bundles named by the plan have now ("" for one that does not exist). Errors of the target.
base::Result<std::map<std::string, std::string>> current_versions(const PlanCell& cell, target::Target& target);

// Which values the plan depends on have moved: one line each, naming them; empty when it still holds. `now` comes
// from current_versions. Pure.
std::vector<std::string> stale_reasons(const PlanCell& cell, const Inputs& inputs, const State& state,
                                       const std::map<std::string, std::string>& now);

}  // namespace cmb2kueue::cutover
