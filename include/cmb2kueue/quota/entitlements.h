// The tenant tree of one cell in numbers: what each node is entitled to in the end state. translate makes it, plans
// and state carry it, allot splits it between the two sides while tenants move.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cmb2kueue/base/quantity.h"

namespace cmb2kueue::quota {

// A (flavor, resource) pair, the unit of its counts, and whether it is the `pods` column that carries limits.
struct Column {
  std::string flavor;
  std::string resource;  // as pods request it
  base::Unit unit = base::Unit::one;
  bool limit = false;
  friend bool operator==(const Column&, const Column&) = default;
};

struct Share {  // a count in the column's unit
  std::uint32_t column = 0;
  std::int64_t count = 0;
  friend bool operator==(const Share&, const Share&) = default;
};
using Shares = std::vector<Share>;                                  // ascending by column
std::int64_t count_of(const Shares& shares, std::uint32_t column);  // 0 when absent

// Which of the three shapes a concurrency limit takes (man/cmb2kueue-semantics.7).
enum class LimitRole : std::uint8_t {
  none,
  own_leaf,   // (a) a limited leaf without a limited ancestor: nominal = limit
  outermost,  // (b) the outermost limited internal tenant: Cohort nominal = limit
  inner,      // (c) limited inside (b): nominal 0, borrowingLimit = limit
};

struct EntitlementNode {
  std::string hash;     // tenant hash; "root" for the cell's root Cohort
  std::string id;       // tenant id
  std::string object;   // name of its Cohort or ClusterQueue
  std::string display;  // path, for people
  std::int32_t parent = -1;
  std::uint32_t tenant = 0;  // index in the model while translating; not kept in state
  bool leaf = false;
  std::uint32_t weight = 1;
  LimitRole limit_role = LimitRole::none;
  std::vector<std::uint32_t> columns;  // leaves: every column the queue lists
  Shares reserved;  // what the source says is reserved here in this cell (inclusive figure if inclusive)
  // End-state nominal, exclusive of descendants; for the limit column: the nominal of (a) and (b), the
  // borrowingLimit of (c).
  Shares total;
  Shares borrowing;  // borrowingLimit where the source knows a hard maximum (YuniKorn); absent columns: unlimited
  bool lendable = false;  // the source lends this node's reservation when it is idle
};

struct Entitlements {
  std::string cell;
  std::vector<Column> columns;         // sorted by flavor order, then resource order, limits last
  std::vector<EntitlementNode> nodes;  // node 0 is the root; parents before children
};

// Index of the node with this hash, -1 when there is none. Linear: for more than a few use a NodeIndex.
std::int32_t find_node(const Entitlements& tree, const std::string& hash);

// Index of the (flavor, resource) pair, -1 when there is none. Linear in columns.
std::int32_t find_column(const Entitlements& tree, std::string_view flavor, std::string_view resource);

// The node and its ancestors, the root last.
std::vector<std::uint32_t> chain_of(const Entitlements& tree, std::uint32_t node);

// The columns a node's object has a row for, ascending: those its queue lists for a leaf, those it has a total in
// for an internal node.
std::vector<std::uint32_t> columns_of(const Entitlements& tree, std::uint32_t node);

// Nodes by hash and by the name of their object, for passes that look up many. Each answers -1 when there is none;
// of nodes with the same name the first counts. Keeps views into the tree, which must outlive it unchanged.
class NodeIndex {
 public:
  explicit NodeIndex(const Entitlements& tree);
  std::int32_t by_hash(std::string_view hash) const;
  std::int32_t leaf_by_object(std::string_view object) const;      // ClusterQueues
  std::int32_t internal_by_object(std::string_view object) const;  // Cohorts, the root's too

 private:
  using Names = std::unordered_map<std::string_view, std::int32_t>;
  Names hashes_, leaves_, internals_;
};

}  // namespace cmb2kueue::quota
