// Kueue's quota algebra over a cohort tree, the only place that knows it: subtree sums, what may be lent, what can
// be borrowed, the ceiling of every queue (Kueue v0.17.0 pkg/cache/scheduler/resource_node.go; the same at v0.19.2
// apart from saturation). Pure numbers per (flavor, resource), in Kueue's internal units.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::quota {

inline constexpr std::int64_t unlimited = INT64_MAX;  // all arithmetic saturates here, as Kueue 0.18+ does

struct Cell {  // one (flavor, resource) at one node
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing, lending;
  std::int64_t usage = 0;  // of queues: reserved; of cohorts: computed by Tree
};

using FlavorResource = std::pair<std::string, std::string>;

// A forest; nodes are given parent before child. Build it by hand for tests or from objects.
class Tree {
 public:
  struct Node {
    std::string name;
    bool queue = false;
    std::int32_t parent = -1;
    double weight = 1;
    std::vector<std::pair<std::uint32_t, Cell>> cells;  // by column, ascending
  };

  // Objects of kinds Cohort and ClusterQueue; others are ignored. Cohorts that are named but not there become
  // implicit roots, as in Kueue; of Cohorts with one name the last counts. Cohorts on or below a cycle are left out
  // and listed in cyclic(), sorted; their queues are left out too. Quotas past int64 count as unlimited. compute()
  // has been called.
  static Tree from_objects(const std::vector<kueue::Object>& objects);

  std::int32_t add(Node node);                     // returns its index; the parent must be there already
  std::uint32_t column(const FlavorResource& fr);  // finds or makes
  const std::vector<FlavorResource>& columns() const { return columns_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::int32_t find_queue(const std::string& name) const;  // -1 when absent; the first of several; O(1)
  std::int32_t find_cohort(const std::string& name) const;
  const std::vector<std::string>& cyclic() const { return cyclic_; }

  // All per column. O(nodes x columns) once, then O(1) each, available() O(depth); call compute() after the last
  // change. A (flavor, resource) that a node does not list is there at 0 without limits, as in Kueue.
  void compute();
  std::int64_t subtree(std::int32_t node, std::uint32_t column) const;
  std::int64_t local(std::int32_t node, std::uint32_t column) const;  // not lent to the parent
  std::int64_t usage(std::int32_t node, std::uint32_t column) const;
  std::int64_t available(std::int32_t node, std::uint32_t column) const;  // not clamped
  std::int64_t ceiling(std::int32_t node, std::uint32_t column) const;    // "potential": most it can ever reach

  // Usage moves up as Kueue's addUsage/removeUsage move it; both keep the computed values right, in O(depth).
  void add_usage(std::int32_t node, std::uint32_t column, std::int64_t amount);
  void remove_usage(std::int32_t node, std::uint32_t column, std::int64_t amount);

 private:
  struct Row {
    std::int64_t subtree = 0, local = 0, usage = 0, ceiling = 0;
  };
  Row& row(std::int32_t node, std::uint32_t column);
  const Row& row(std::int32_t node, std::uint32_t column) const;
  void add_declared(std::int32_t node);
  void pass_up(std::int32_t node);
  void compute_ceilings(std::int32_t node);
  const Cell* cell(std::int32_t node, std::uint32_t column) const;
  std::vector<Node> nodes_;
  std::vector<FlavorResource> columns_;
  std::vector<Row> rows_;  // node-major
  std::vector<std::string> cyclic_;
  std::unordered_map<std::string, std::int32_t> queues_, cohorts_;  // by name
};

}  // namespace cmb2kueue::quota
