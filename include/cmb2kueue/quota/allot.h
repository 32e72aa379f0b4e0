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
// its percent. Rules: man/cmb2kueue-semantics.7, ALLOTMENTS. Runs in O(nodes x columns).
std::vector<Part> target_parts(const Entitlements& tree, const SplitRules& rules, const std::vector<bool>& enrolled,
                               const std::vector<std::uint32_t>& moved);

// The same under a signed partition: a part is Kueue's while at least one leaf at or below its node is enrolled.
std::vector<Part> partition_parts(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                  const std::vector<bool>& enrolled);

// What is wrong with split rules: at-end for limits, more than 100 percent. Empty when nothing is.
std::vector<std::string> check_splits(const SplitRules& rules);

// What is wrong with a partition for an enrolling leaf: a pair of the leaf or its ancestors that the leaf can use
// and the partition does not list, a part above its total, a leaf that does not get its whole reservation. Sorted;
// empty when nothing is.
std::vector<std::string> check_partition(const Entitlements& tree, const std::vector<FixedPart>& fixed,
                                         std::uint32_t leaf);

}  // namespace cmb2kueue::quota
