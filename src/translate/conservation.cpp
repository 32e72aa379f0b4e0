// The proof that nothing was created or lost: what the export promises equals what all cells hold, in integers.
#include <fmt/format.h>

#include <algorithm>

#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using model::TenantIndex;
using quota::Share;

class Prover {
 public:
  Prover(Work& work, Translation& out) : work_(work), out_(out) {}
  void add_reservations();
  void add_pools();
  void add_nominals();
  void check_sizes();
  base::Status verdict();

 private:
  void add(std::uint32_t column, std::int64_t& sum, std::int64_t count);
  Conservation& row(std::uint32_t column) { return out_.conservation[column]; }

  Work& work_;
  Translation& out_;
  std::vector<bool> too_large_ = std::vector<bool>(out_.conservation.size());
};

void Prover::add(std::uint32_t column, std::int64_t& sum, std::int64_t count) {
  const std::optional<std::int64_t> more = base::checked_add(sum, count);
  if (!more) too_large_[column] = true;
  sum = more.value_or(INT64_MAX);
}

// Outermost reservations where they contain what is below them, all of them where they do not; less what tenants
// that stay behind keep to themselves. A column is covered below a tenant that reserves of it; tenants come depth
// first, so the end of its subtree is the end of the cover.
void Prover::add_reservations() {
  std::vector<TenantIndex> covered_until(out_.conservation.size(), 0);
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
    const TenantWork& one = work_.tenants[i];
    for (const Share& share : one.reserved) {
      if (i < covered_until[share.column]) continue;
      add(share.column, row(share.column).reserved, share.count);
      if (work_.inclusive) covered_until[share.column] = model::subtree_end(work_.model, i);
    }
    if (one.skipped)
      for (const Share& share : one.own) add(share.column, row(share.column).reserved, -share.count);
  }
}

void Prover::add_pools() {
  for (const model::SharedPool& pool : work_.model.pools)
    for (const model::Amount& amount : pool.capacity) {
      const std::optional<std::uint32_t> column = pool_column(work_, pool, amount.resource);
      if (column) add(*column, row(*column).shared, amount.count);
    }
}

void Prover::add_nominals() {
  for (std::size_t c = 0; c < out_.cells.size(); ++c)
    for (const quota::EntitlementNode& node : out_.cells[c].nodes)
      for (const Share& share : node.total) {
        if (share.column == work_.limit_column) continue;  // limits are not capacity
        add(share.column, row(share.column).nominal, share.count);
        add(share.column, row(share.column).per_cell[c], share.count);
      }
}

// Kueue counts in 64 bits too, memory in bytes: a sum it cannot hold is refused here, not discovered there.
void Prover::check_sizes() {
  for (std::uint32_t c = 0; c < out_.conservation.size(); ++c) {
    const Conservation& one = row(c);
    const std::optional<std::int64_t> promised = base::checked_add(one.reserved, one.shared);
    if (!too_large_[c] && promised && base::Quantity::of(*promised, one.unit).kueue_units(one.resource)) continue;
    work_.contradicted = true;
    work_.report("T-TOO-LARGE",
                 fmt::format("all of {}/{} together is more than Kueue can count", one.flavor, one.resource),
                 "no machine room holds that; look for a reservation or pool in the wrong unit", no_tenant, {});
  }
}

base::Status Prover::verdict() {
  if (work_.contradicted) return {};  // an error has said so
  for (const Conservation& one : out_.conservation)
    if (!one.equal())
      return base::Status(base::ErrorKind::internal,
                          fmt::format("the objects hold {} of {}/{}, the export promises {}", one.nominal,
                                      one.flavor, one.resource, one.reserved + one.shared),
                          "this is a defect in cmb2kueue; nothing was written");
  return {};
}

}  // namespace

base::Status prove_conservation(Work& work, Translation& out) {
  for (const quota::Column& column : work.columns) {
    if (column.limit) continue;
    Conservation row;
    row.flavor = column.flavor;
    row.resource = column.resource;
    row.unit = column.unit;
    row.per_cell.resize(out.cells.size());
    out.conservation.push_back(std::move(row));
  }
  Prover prover(work, out);
  prover.add_reservations();
  prover.add_pools();
  prover.add_nominals();
  prover.check_sizes();
  return prover.verdict();
}

}  // namespace cmb2kueue::translate
