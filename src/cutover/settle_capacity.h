// Brings the allotments on one tenant's way to the root to where they are heading, in the one order that never
// promises anything twice: Kueue's objects are lowered before CMB's ceiling is raised, and CMB's ceiling is
// lowered, acknowledged and its running work looked at before Kueue's objects are raised.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "capacity.h"
#include "run.h"

namespace cmb2kueue::cutover {

struct Settling {
  std::string_view step;
  // What Kueue's workloads use of each part; absent where nobody can tell.
  std::optional<Uses> kueue_use;
};

struct Settled {
  bool reached = true;               // Kueue has all it is heading for
  bool kept = false;                 // something stays held because Kueue's workloads run on it, or may
  std::vector<std::string> waiting;  // "root default/cpu: CMB still uses 5", one line a pair
};

// `tenant` is the record as it is to be; it is recorded with the first change. Only pairs on its way are touched:
// every other part depends on nothing that changed here. Repeating it is harmless.
base::Result<Settled> settle_capacity(Run& run, Enrolled tenant, const Settling& how);

// What workloads use of the parts of every enrolled tenant, where a cluster tells; absent for a folder.
base::Result<std::optional<Uses>> use_in_kueue(Run& run);

}  // namespace cmb2kueue::cutover
