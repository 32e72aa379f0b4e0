// How much of each node Kueue has while tenants move: a pure function of the entitlements, the split rules and who
// is enrolled. kueue + cmb + held = total holds for every node and column at every moment; this file says where
// `kueue` is heading, the journal records how far it has come.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cmb2kueue/base/status.h"
#include "cmb2kueue/quota/entitlements.h"

namespace cmb2kueue::quota {

enum class SplitKind : std::uint8_t { by_moved_reservation, by_moved_weight, percent, at_end };

struct Split {
  SplitKind kind = SplitKind::at_end;
  std::uint32_t percent = 0;  // for percent only, 0..100
};

// One rule for what internal nodes keep for their subtree, one for shared pools (the root), one for subtree limits.
struct SplitRules {
  Split internal, pool, limit;
  std::int64_t minimum = 1;      // units each side keeps of a shared amount while leaves below stand on both
  std::string primary_resource;  // by-moved-reservation splits limits by this resource
};

// A part that CMB's operator has signed away: cmb = total - kueue, always.
struct FixedPart {
  std::uint32_t node = 0, column = 0;
  std::int64_t kueue = 0;
};

struct Part {
  std::uint32_t node = 0, column = 0;
  std::int64_t kueue = 0;  // target of Kueue's side, 0..total
  friend bool operator==(const Part&, const Part&) = default;
};

// Target parts for every (node, column) with a total above 0, sorted by node, then column. `moved` says per node
// how much of an enrolled leaf's own reservation has moved, in percent (0 for leaves that are not enrolled, 100 at
// the end of the ramp; internal nodes are ignored); a leaf counts as enrolled when `enrolled` says so, whatever
// its percent. Both have one entry per node. Rules: man/cmb2kueue-semantics.7, ALLOTMENTS:
// - an enrolled leaf's own part, its limit too: total x moved percent, rounded down, but at least one unit (a whole
//   one where the column counts thousandths), or the total where that is less: the canary;
// - what an internal node or the root keeps for all below: nothing while nobody below is enrolled, everything when
//   all are (of a node without leaves: always nothing, as no tenant's move ever creates its Cohort). In between
//   total x the rule's fraction to the NEAREST unit, a half unit going to CMB (66.67 gives 67, 2.5 gives 2), then
//   at most total - minimum, so CMB keeps its minimum first, and at least minimum as far as that leaves any;
// - at-end is 0 until all are, whatever the minimum.
// Moving one more leaf never takes from Kueue's part, and only who is enrolled counts, never in which order they
// came. Runs in O(nodes x columns).
std::vector<Part> target_parts(const Entitlements& tree, const SplitRules& rules, const std::vector<bool>& enrolled,
                               const std::vector<std::uint32_t>& moved);

// The same under a signed partition: a part is Kueue's while at least one leaf at or below its node is enrolled,
// else 0. One Part per FixedPart, in the same order of node and column; parts of nodes that are not there are left
// out.
std::vector<Part> partition_parts(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                  const std::vector<bool>& enrolled);

// What is wrong with split rules: at-end for limits, more than 100 percent, a minimum below 0. Empty when nothing
// is.
std::vector<std::string> check_splits(const SplitRules& rules);

// What is wrong with a partition for an enrolling leaf: a pair of the leaf or its ancestors that the leaf can use
// and the partition does not list, a part above its total or of a pair with no total, a pair given twice, a leaf
// that does not get its whole reservation. Mistakes at nodes that are not on the leaf's way to the root are not its
// concern. One line each, "<display> <flavor>/<resource>: <what>", sorted and unique; empty when nothing is wrong.
std::vector<std::string> check_partition(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                         std::uint32_t leaf);

// The same for several leaves at once: O(parts log parts + leaves x depth x columns), where asking leaf by leaf
// would sort the parts for each.
std::vector<std::string> check_partition(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                         const std::vector<std::uint32_t>& leaves);

}  // namespace cmb2kueue::quota
