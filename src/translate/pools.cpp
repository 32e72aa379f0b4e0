// Shared pools become nominal quota of the root Cohort; hard maxima become borrowing limits; and who is left with
// nothing at all is told so.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using quota::EntitlementNode;
using quota::Entitlements;
using quota::Share;

using model::TenantIndex;

bool has_cell(const Work& work, const std::string& name) {
  return std::any_of(work.model.cells.begin(), work.model.cells.end(),
                     [&](const model::Cell& cell) { return cell.name == name; });
}

void ask_about_pools(Work& work) {
  if (work.model.system != "cmb") return;
  if (work.mapping.shared_pools == mapping::SharedPools::unset)
    work.open_question("T-SHARED-POOLS-UNSET",
                       "the mapping does not say whether the export's shared pools are all there are",
                       "say sharedPools: from-export, or none where there is no shared capacity");
  else if (work.mapping.shared_pools == mapping::SharedPools::from_export && !work.model.pools_given)
    work.open_question("T-SHARED-POOLS-UNSET",
                       "the mapping takes shared pools from the export, which says nothing about them",
                       "export sharedPools (an empty list where there are none), or say sharedPools: none");
}

// Where flavors claim pools, a pool that none claims is rather misspelt than meant: its hardware would be counted
// as another flavor's.
void check_reservation_pools(Work& work) {
  const bool claimed = std::any_of(work.mapping.flavors.begin(), work.mapping.flavors.end(),
                                   [](const mapping::Flavor& flavor) { return !flavor.pools.empty(); });
  if (!claimed) return;
  for (TenantIndex i = 0; i < work.tenants.size(); ++i) {
    const model::Tenant& tenant = work.model.tenants[i];
    if (work.tenants[i].skipped || !tenant.reservation || tenant.resource_pool.empty() ||
        mapping::flavor_of_pool(work.mapping, tenant.resource_pool) >= 0)
      continue;
    const mapping::Rule* rule = work.tenants[i].rule;
    if (rule == nullptr || rule->match.pool == tenant.resource_pool) continue;
    work.report(
        "T-RESERVATION-POOL",
        fmt::format("the reservation is held in the resource pool {}, which no flavor claims; it counts as {}",
                    base::quoted(tenant.resource_pool), rule->flavors.empty() ? "" : rule->flavors[0]),
        "name the resource pool under a flavor's pools, or in the match of a rule", i, tenant.reservation->place);
  }
}

void add_pool(Work& work, Translation& out, const model::SharedPool& pool) {
  const int flavor = mapping::flavor_of_pool(work.mapping, pool.resource_pool);
  if (flavor < 0) {
    work.report("T-POOL-FLAVOR",
                fmt::format("no flavor claims the shared pool {} of resource pool {}", base::quoted(pool.name),
                            base::quoted(pool.resource_pool)),
                "name the resource pool under a flavor's pools", no_tenant, pool.place);
    return;
  }
  if (!pool.all_members)
    work.report("T-POOL-MEMBERS",
                fmt::format("the shared pool {} has {}; in Kueue everybody under the root can borrow it",
                            base::quoted(pool.name), base::counted(pool.members.size(), "member")),
                "give its members a Cohort of their own in CMB, or accept it", no_tenant, pool.place);
  if (!pool.cell.empty() && !has_cell(work, pool.cell))
    work.report("T-POOL-CELL",
                fmt::format("the shared pool {} is in the cell {}, which the export does not have",
                            base::quoted(pool.name), base::quoted(pool.cell)),
                "correct the cell's name; the pool is left out", no_tenant, pool.place);
  for (const model::Amount& amount : pool.capacity) {
    const std::optional<std::uint32_t> column = pool_column(work, pool, amount.resource);
    if (!column) continue;
    const std::vector<std::int64_t> parts = divide(amount.count, work.percent);
    for (std::size_t c = 0; c < out.cells.size(); ++c) {
      if (!pool.cell.empty() && out.cells[c].cell != pool.cell) continue;
      add_to(out.cells[c].nodes[0].total, *column, pool.cell.empty() ? parts[c] : amount.count);
    }
  }
}

// Nominal of the whole subtree per column, bottom-up.
std::vector<quota::Shares> subtree_nominals(const Entitlements& tree) {
  std::vector<quota::Shares> sums(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    for (const Share& share : tree.nodes[i].total) add_to(sums[i], share.column, share.count);
    if (tree.nodes[i].parent >= 0)
      for (const Share& share : sums[i])
        add_to(sums[static_cast<std::size_t>(tree.nodes[i].parent)], share.column, share.count);
  }
  return sums;
}

// A maximum holds for the whole subtree, so a Cohort limits every flavor, a queue those it lists.
bool may_use(const Work& work, const EntitlementNode& node, std::uint16_t flavor) {
  if (!node.leaf) return true;
  const std::vector<std::uint16_t>& flavors = work.flavors_of(node.tenant);
  return std::find(flavors.begin(), flavors.end(), flavor) != flavors.end();
}

class MaximumSetter {
 public:
  MaximumSetter(Work& work, Translation& out) : work_(work), out_(out) {
    for (const Entitlements& tree : out.cells) nominals_.push_back(subtree_nominals(tree));
  }
  void node(std::size_t index);

 private:
  void column(std::size_t index, std::uint32_t column, std::int64_t maximum);

  Work& work_;
  Translation& out_;
  std::vector<std::vector<quota::Shares>> nominals_;  // by cell, then node
};

// borrowingLimit = maximum - nominal of the subtree, per cell.
void MaximumSetter::column(std::size_t index, std::uint32_t column, std::int64_t maximum) {
  const TenantIndex tenant = out_.cells[0].nodes[index].tenant;
  const std::vector<std::int64_t> parts = divide(maximum, percentages(work_, tenant));
  base::int128 guaranteed = 0;
  for (std::size_t c = 0; c < out_.cells.size(); ++c) {
    const std::int64_t nominal = quota::count_of(nominals_[c][index], column);
    guaranteed += nominal;
    add_to(out_.cells[c].nodes[index].borrowing, column, std::max<std::int64_t>(0, parts[c] - nominal));
  }
  if (guaranteed <= maximum) return;
  const base::Unit unit = work_.columns[column].unit;
  work_.report(
      "T-MAX-BELOW-NOMINAL",
      fmt::format("the maximum {} of {} is below the {} guaranteed in its subtree",
                  base::Quantity::of(maximum, unit).to_string(), work_.columns[column].resource,
                  base::Quantity::of(static_cast<std::int64_t>(std::min<base::int128>(guaranteed, INT64_MAX)), unit)
                      .to_string()),
      "raise the maximum or lower the guarantees", tenant, work_.model.tenants[tenant].limit_place);
}

void MaximumSetter::node(std::size_t index) {
  const EntitlementNode& node = out_.cells[0].nodes[index];
  for (const model::Amount& maximum : work_.model.tenants[node.tenant].maximum) {
    if (work_.resource_slot[maximum.resource] < 0) continue;
    for (const std::uint16_t flavor : work_.used_flavors)
      if (may_use(work_, node, flavor)) column(index, work_.column(flavor, maximum.resource), maximum.count);
  }
}

// Whether the leaf may borrow anything, or has anything, in this cell.
bool reaches_something(const Work& work, const Entitlements& tree, const EntitlementNode& leaf) {
  const auto listed = [&](const Share& share) {
    return share.count > 0 && share.column != work.limit_column &&
           std::binary_search(leaf.columns.begin(), leaf.columns.end(), share.column);
  };
  for (const EntitlementNode* at = &leaf;; at = &tree.nodes[static_cast<std::size_t>(at->parent)]) {
    if (std::any_of(at->total.begin(), at->total.end(), listed)) return true;
    if (at->parent < 0) return false;
  }
}

}  // namespace

std::optional<std::uint32_t> pool_column(const Work& work, const model::SharedPool& pool, std::uint16_t resource) {
  const int flavor = mapping::flavor_of_pool(work.mapping, pool.resource_pool);
  if (flavor < 0 || work.resource_slot[resource] < 0 || work.mapping.shared_pools == mapping::SharedPools::none)
    return std::nullopt;
  if (!pool.cell.empty() && !has_cell(work, pool.cell)) return std::nullopt;
  return work.column(static_cast<std::uint16_t>(flavor), resource);
}

void add_pools(Work& work, Translation& out) {
  ask_about_pools(work);
  check_reservation_pools(work);
  if (work.mapping.shared_pools == mapping::SharedPools::none) return;
  for (const model::SharedPool& pool : work.model.pools) add_pool(work, out, pool);
}

void add_maxima(Work& work, Translation& out) {
  const bool any = std::any_of(work.model.tenants.begin(), work.model.tenants.end(),
                               [](const model::Tenant& tenant) { return !tenant.maximum.empty(); });
  if (!any) return;
  MaximumSetter setter(work, out);
  for (std::size_t n = 1; n < out.cells[0].nodes.size(); ++n) setter.node(n);
}

// What a leaf can reach in the end state under parity: its own, its ancestors', the pool. Lent reservations of
// others may add to it, so where anything is lent nobody is said to have nothing.
void check_reach(Work& work, const Translation& out) {
  if (work.mapping.preset == mapping::Preset::lend || work.model.system != "cmb") return;
  for (std::size_t n = 1; n < out.cells[0].nodes.size(); ++n) {
    const EntitlementNode& node = out.cells[0].nodes[n];
    if (!node.leaf) continue;
    const bool reached = std::any_of(out.cells.begin(), out.cells.end(), [&](const Entitlements& tree) {
      return reaches_something(work, tree, tree.nodes[n]);
    });
    if (!reached)
      work.report("T-NOTHING-REACHABLE",
                  "the tenant reserves nothing and there is nothing above it that it could borrow",
                  "its jobs would wait for ever; give it a reservation or a shared pool, or list the pool's flavor "
                  "in its rule",
                  node.tenant, work.model.tenants[node.tenant].place);
  }
}

}  // namespace cmb2kueue::translate
