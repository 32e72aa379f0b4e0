// The cohorts of a set as trees: parents before children, and apart from them what is on or below a circle of
// parents, which Kueue leaves out of scheduling altogether (Kueue v0.19.2 pkg/cache/hierarchy/cycle.go).
#pragma once
#include <cstdint>
#include <vector>

#include "set_memory.h"

namespace cmb2kueue::check {

struct Forest {
  struct Node {
    NameId name = 0;
    std::int32_t parent = -1;
    std::int32_t root = 0;  // itself for a root
  };
  struct Astray {
    NameId name = 0;
    std::uint32_t circle = 0;
    bool below = false;  // else on the circle itself
  };

  std::vector<Node> nodes;
  std::vector<std::int32_t> node_of;         // by name; -1 for what is no cohort, or astray
  std::vector<std::vector<NameId>> circles;  // child before parent, from the first by name
  std::vector<Astray> astray;

  std::int32_t node(NameId cohort) const { return cohort == 0 ? -1 : node_of[cohort]; }
};

// Deterministic; linear in cohorts but for sorting them, whatever the depth.
Forest forest_of(const SetMemory& set);

}  // namespace cmb2kueue::check
