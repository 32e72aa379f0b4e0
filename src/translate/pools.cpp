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
  const std::vector<std::uint32_t> percent = percentages(work, no_tenant);
  for (const model::Amount& amount : pool.capacity) {
    if (work.resource_slot[amount.resource] < 0) continue;
    const std::uint32_t column = work.column(static_cast<std::uint16_t>(flavor), amount.resource);
    const std::vector<std::int64_t> parts = divide(amount.count, percent);
    for (std::size_t c = 0; c < out.cells.size(); ++c) {
      if (!pool.cell.empty() && out.cells[c].cell != pool.cell) continue;
      add_to(out.cells[c].nodes[0].total, column, pool.cell.empty() ? parts[c] : amount.count);
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

void limit_node(Work& work, EntitlementNode& node, const quota::Shares& nominal) {
  const model::Tenant& tenant = work.model.tenants[node.tenant];
  for (const model::Amount& maximum : tenant.maximum) {
    if (work.resource_slot[maximum.resource] < 0) continue;
    const mapping::Decision decision = mapping::decide(work.mapping, tenant);
    for (const std::uint16_t flavor : decision.flavors) {
      const std::uint32_t column = work.column(flavor, maximum.resource);
      const std::int64_t own = quota::count_of(nominal, column);
      if (own > maximum.count)
        work.report("T-MAX-BELOW-NOMINAL",
                    fmt::format("the maximum {} of {} is below the {} guaranteed in its subtree", maximum.count,
                                work.targets[maximum.resource], own),
                    "raise the maximum or lower the guarantees", node.tenant, tenant.limit_place);
      add_to(node.borrowing, column, std::max<std::int64_t>(0, maximum.count - own));
    }
  }
}

}  // namespace

void add_pools(Work& work, Translation& out) {
  ask_about_pools(work);
  if (work.mapping.shared_pools == mapping::SharedPools::none) return;
  for (const model::SharedPool& pool : work.model.pools) add_pool(work, out, pool);
}

void add_maxima(Work& work, Translation& out) {
  const bool any = std::any_of(work.model.tenants.begin(), work.model.tenants.end(),
                               [](const model::Tenant& tenant) { return !tenant.maximum.empty(); });
  if (!any) return;
  for (Entitlements& tree : out.cells) {
    const std::vector<quota::Shares> nominals = subtree_nominals(tree);
    for (std::size_t n = 1; n < tree.nodes.size(); ++n) limit_node(work, tree.nodes[n], nominals[n]);
  }
}

// What a leaf can reach in the end state under parity: its own, its ancestors', the pool. Lent reservations of
// others may add to it, so where anything is lent nobody is said to have nothing.
void check_reach(Work& work, const Translation& out) {
  if (work.mapping.preset == mapping::Preset::lend || work.model.system != "cmb") return;
  const Entitlements& tree = out.cells[0];
  std::vector<bool> anything(tree.nodes.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const EntitlementNode& node = tree.nodes[n];
    anything[n] = (node.parent >= 0 && anything[static_cast<std::size_t>(node.parent)]) ||
                  std::any_of(node.total.begin(), node.total.end(), [&](const Share& share) {
                    return share.count > 0 && share.column != work.limit_column;
                  });
    if (node.leaf && !anything[n])
      work.report("T-NOTHING-REACHABLE", "the tenant reserves nothing and there is nothing above it to borrow",
                  "its jobs would wait for ever; give it a reservation or a shared pool", node.tenant,
                  work.model.tenants[node.tenant].place);
  }
}

}  // namespace cmb2kueue::translate
