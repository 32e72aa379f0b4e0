// Capacity on its way between the sides: what has to change at the pairs of one tenant's way to the root, as pure
// arithmetic. step_capacity.cpp does it, in the order that never promises anything twice.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cmb2kueue/hooks/other_side.h"
#include "journal.h"

namespace cmb2kueue::cutover {

using Allotments = std::map<AllotmentKey, Allotment>;

// One node and column on the way: what its allotment is and what Kueue is to have of it.
struct Pair {
  AllotmentKey at;
  Allotment now;
  std::int64_t target = 0;
};

// Every pair with a total of the tenant's leaf and its ancestors, the leaf's first; `target` follows from `wanted`,
// present values from `now`.
std::vector<Pair> pairs_of(const State& now, const State& wanted, const std::string& tenant_hash);

// What one side uses of each node's own part: a leaf's use fills its own part first and overflows to its parent, as
// in Kueue's algebra; limits count everything below. `leaf_use` by node and column; the part a node has is asked of
// `own`. Nodes that use nothing are left out. O(nodes) per column in use.
using Uses = std::map<AllotmentKey, std::int64_t>;
Uses occupied(const quota::Entitlements& tree, const Uses& leaf_use,
              const std::function<std::int64_t(const AllotmentKey&)>& own);

// Uses as hooks report them, in counts of the tree's columns, rounded up. Errors (cluster): a tenant or pair that
// is not in the tree.
base::Result<Uses> uses_of(const quota::Entitlements& tree, const std::vector<hooks::Use>& reported);

// Kueue's part down to its target; what it loses is held.
Allotment lowered(const Pair& pair);

// How much of what is held stays with Kueue, since its workloads run on it: all where nobody can tell.
std::int64_t kept_by_kueue(const Allotment& allotment, const Uses* use, const AllotmentKey& at);

// The ceiling CMB may have when Kueue is to get `target` and keeps `kept` besides its part.
std::int64_t wanted_ceiling(const Pair& pair, std::int64_t kept);

// After CMB has acknowledged its ceiling and uses so much: what it does not use is freed, Kueue gets up to its
// target of what is free, the rest stays held.
Allotment freed(const Pair& pair, std::int64_t used_by_cmb, std::int64_t kept);

// The ceilings of every node on the tenant's way in the columns of `changed`, as they are once `after` holds.
std::vector<hooks::Ceiling> ceilings_on_the_way(const State& state, const std::string& tenant_hash,
                                                const Allotments& after, const std::vector<AllotmentKey>& changed);

// The allotment as it is kept: nothing when all is with CMB.
std::optional<Allotment> kept_form(Allotment allotment);

// What of the tenant's columns it can reach in Kueue with these allotments: its own part and that of its ancestors;
// false when some column it could reach in the end state gives it less than one unit now. `missing` names it.
bool reaches_canary(const State& state, const std::string& tenant_hash, std::string& missing);

// Whole counts in this unit, rounded up: what is used in part is used.
std::int64_t counts_of(const base::Quantity& quantity, base::Unit unit);

// "root default/cpu", and a count of a column as people write it.
std::string pair_name(const quota::Entitlements& tree, const AllotmentKey& at);
std::string amount(const quota::Entitlements& tree, std::uint32_t column, std::int64_t count);

}  // namespace cmb2kueue::cutover
