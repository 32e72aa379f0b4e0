// Spoiling documents on purpose: nodes dropped, doubled, put elsewhere or turned into something else, by a seed.
#pragma once
#include <cstdint>
#include <string>

#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::testing {

// JSON text of the tree with about one node in `one_in` spoilt. The same seed gives the same text.
std::string spoilt(doc::Node root, std::uint64_t seed, std::uint64_t one_in);

}  // namespace cmb2kueue::testing
