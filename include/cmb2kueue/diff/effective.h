// What a change of manifests means for each queue: its own numbers, and the ceiling that follows from the whole
// tree, before and after.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::diff {

struct EffectiveRow {
  kueue::ObjectKey key;  // ClusterQueue or Cohort
  std::string tenant;    // display name from our annotation; "" when there is none
  std::string flavor, resource;
  // Canonical quantities; "" when the row or limit is absent (for limits: unlimited).
  std::string nominal[2], borrowing[2], lending[2], weight[2];
  std::string ceiling[2];  // most the queue can ever reach; "unlimited" past the numbers, "" on a circle of Cohorts
  bool moved() const;      // anything differs between [0] before and [1] after
};

// One row per queue or Cohort, flavor and resource where anything moved, also where only the ceiling did because
// somebody else's quota changed. Sorted by key, flavor, resource. Both sides must be whole: a Cohort that is not
// given counts as an empty root, as in Kueue. O(n log n) in rows.
std::vector<EffectiveRow> effective_changes(const std::vector<kueue::Object>& before,
                                            const std::vector<kueue::Object>& after);

}  // namespace cmb2kueue::diff
