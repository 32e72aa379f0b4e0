// A small cell to migrate in tests: a root pool, one department with a reservation and a limit, five leaves.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"
#include "standin/in_process.h"

namespace cmb2kueue::cutover::testing_cell {

// Leaves are named a to e; their hashes are hash-a to hash-e.
inline constexpr const char* leaf_names[] = {"a", "b", "c", "d", "e"};
std::string hash_of(const std::string& leaf);

// Root pool 100 cpu; P 50 inclusive with a limit of 5 pods; a 20, b 10, c 0, d 5, e 5.
quota::Entitlements tree();

enum class How { partition, by_reservation, by_weight, percent, at_end };

// A sealed plan for these leaves on a target in state `head`. `target` gives the versions the plan depends on.
Plan plan_for(const std::vector<std::string>& leaves, How how, target::Target& target, const Head& head);

// What a run needs, over any file system.
class Place {
 public:
  Place(base::FileSystem& fs, const std::string& folder, How how);
  Place(std::unique_ptr<target::Target> target, How how);

  base::Result<Outcome> cut_over(const std::string& leaf, bool switched, const Plan* plan = nullptr);
  base::Result<Outcome> cut_over_with(const Plan& plan, const CutoverOptions& options);  // its first tenant
  // With the operator's word that CMB takes the work again, and that none is left in Kueue.
  base::Result<Outcome> roll_back(const std::string& leaf, bool switched_back = true, bool drained = true);
  Plan plan(const std::vector<std::string>& leaves);
  State state();
  Context& context() { return context_; }
  target::Target& target() { return *target_; }
  standin::Model& cmb() { return cmb_; }
  standin::InProcess& hooks() { return hooks_; }

 private:
  base::Result<Outcome> walk(const Plan& plan, const PlannedTenant& tenant, const CutoverOptions& options);

  How how_;
  base::FixedClock clock_;
  std::unique_ptr<target::Target> target_;
  Context context_;
  standin::Model cmb_;
  standin::InProcess hooks_{cmb_};
};

// "step phase: what" of every event, one a line.
std::string told(const Outcome& outcome);

// The text of a lock held by this process or another one.
std::string lock_of(const base::ProcessIdentity& who);

// The ClusterQueue's and LocalQueue's planned tenant also brings a Namespace of its own.
void give_namespace(Plan& plan, const std::string& name);

// Everything that is not ours to keep: the manifests, without .cmb2kueue, as "path\ncontent" of all files.
std::string manifests_of(base::FileSystem& fs, const std::string& folder);

// kueue + cmb + held = total, nothing negative, for every node and column.
void expect_sums(const State& state);

}  // namespace cmb2kueue::cutover::testing_cell
