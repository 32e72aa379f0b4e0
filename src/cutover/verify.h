// Live against promised, for one tenant while it is being moved.
#pragma once
#include <string>

#include "cmb2kueue/cutover/cutover.h"

namespace cmb2kueue::cutover {

// The tenant's own objects and those it shares are live by value as the state promises, its books sum up, and none
// of its Cohorts is on or below a circle. Kind mismatch names what is not so.
base::Status verify_tenant(const Context& context, const State& state, const std::string& tenant_hash);

// Allotments that do not sum to the tree's totals, one line each.
std::vector<std::string> wrong_sums(const State& state);

}  // namespace cmb2kueue::cutover
