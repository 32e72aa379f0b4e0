// The proof that nothing was created or lost: what the export promises equals what all cells hold, in integers.
#include <fmt/format.h>

#include <algorithm>

#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using model::TenantIndex;
using quota::Share;

// Outermost reservations where they contain what is below them, all of them where they do not; less what tenants
// that stay behind keep.
void add_promises(const Work& work, std::vector<Conservation>& rows) {
  std::vector<quota::Shares> claimed(work.tenants.size());  // covered by a reservation above, per column
  for (TenantIndex i = 0; i < work.tenants.size(); ++i) {
    const TenantWork& one = work.tenants[i];
    const TenantIndex parent = work.model.tenants[i].parent;
    if (work.inclusive && parent != no_tenant) {
      claimed[i] = claimed[parent];
      for (const Share& share : work.tenants[parent].reserved)
        if (quota::count_of(claimed[i], share.column) == 0) add_to(claimed[i], share.column, 1);
    }
    for (const Share& share : one.reserved)
      if (quota::count_of(claimed[i], share.column) == 0) rows[share.column].reserved += share.count;
    if (one.skipped)
      for (const Share& share : one.own) rows[share.column].reserved -= share.count;
  }
}

void add_pool_promises(const Work& work, std::vector<Conservation>& rows) {
  if (work.mapping.shared_pools == mapping::SharedPools::none) return;
  for (const model::SharedPool& pool : work.model.pools) {
    const int flavor = mapping::flavor_of_pool(work.mapping, pool.resource_pool);
    if (flavor < 0) continue;
    for (const model::Amount& amount : pool.capacity)
      if (work.resource_slot[amount.resource] >= 0)
        rows[work.column(static_cast<std::uint16_t>(flavor), amount.resource)].shared += amount.count;
  }
}

}  // namespace

base::Status prove_conservation(const Work& work, Translation& out) {
  std::vector<Conservation> rows;
  for (const quota::Column& column : work.columns) {
    Conservation row;
    row.flavor = column.flavor;
    row.resource = column.resource;
    row.unit = column.unit;
    row.per_cell.resize(out.cells.size());
    rows.push_back(std::move(row));
  }
  add_promises(work, rows);
  add_pool_promises(work, rows);
  for (std::size_t c = 0; c < out.cells.size(); ++c)
    for (const quota::EntitlementNode& node : out.cells[c].nodes)
      for (const Share& share : node.total) {
        rows[share.column].nominal += share.count;
        rows[share.column].per_cell[c] += share.count;
      }
  if (work.limit_column < work.columns.size()) rows.pop_back();  // limits are not capacity
  const bool overcommitted = work.findings.count(base::Severity::error) > 0;
  for (const Conservation& row : rows)
    if (!row.equal() && !overcommitted)
      return base::Status(base::ErrorKind::internal,
                          fmt::format("the objects hold {} of {}/{}, the export promises {}", row.nominal,
                                      row.flavor, row.resource, row.reserved + row.shared),
                          "this is a defect in cmb2kueue; nothing was written");
  out.conservation = std::move(rows);
  return {};
}

}  // namespace cmb2kueue::translate
