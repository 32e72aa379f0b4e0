// What each tenant has to itself: its reservation, less what is reserved below it where reservations are inclusive.
// One walk from the last tenant to the first, so nothing is added up twice.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using model::TenantIndex;
using quota::Share;
using quota::Shares;

// A tenant that reserves 0 of a pair makes no claim on it. Of a flavor that nobody uses there is no column.
quota::Shares reserved_of(const Work& work, TenantIndex tenant) {
  Shares shares;
  const model::Tenant& one = work.model.tenants[tenant];
  const std::vector<std::uint16_t>& flavors = work.flavors_of(tenant);
  if (!one.reservation || work.tenants[tenant].removed || flavors.empty() || work.flavor_slot[flavors[0]] < 0)
    return shares;
  for (const model::Amount& amount : one.reservation->total)
    if (work.resource_slot[amount.resource] >= 0 && amount.count > 0)
      shares.push_back({work.column(flavors[0], amount.resource), amount.count});
  std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.column < b.column; });
  return shares;
}

std::string amount_text(const Work& work, std::uint32_t column, std::int64_t count) {
  return base::Quantity::of(count, work.columns[column].unit).to_string();
}

// The tenants below that reserve the pair and have nobody between who does, for the message.
std::string nearest_below(const Work& work, TenantIndex top, std::uint32_t column) {
  std::string names;
  std::size_t listed = 0;
  const TenantIndex end = model::subtree_end(work.model, top);
  for (TenantIndex i = top + 1; i < end;) {
    const std::int64_t count = quota::count_of(work.tenants[i].reserved, column);
    if (count == 0) {
      ++i;
      continue;
    }
    if (++listed <= 5)
      names += (names.empty() ? "" : ", ") + work.model.tenants[i].path + " " + amount_text(work, column, count);
    i = model::subtree_end(work.model, i);
  }
  if (listed > 5) names += fmt::format(" and {} more", listed - 5);
  return names;
}

void report_overcommit(Work& work, TenantIndex tenant, std::uint32_t column, std::int64_t own, std::int64_t below) {
  const quota::Column& pair = work.columns[column];
  work.report("T-RESERVATION-OVERCOMMIT",
              fmt::format("{} of {}/{} are reserved below it, {} more than its own {}: {}",
                          amount_text(work, column, below), pair.flavor, pair.resource,
                          amount_text(work, column, below - own), amount_text(work, column, own),
                          nearest_below(work, tenant, column)),
              "raise the tenant's reservation, lower one below it, or say reservationSemantics: additive", tenant,
              work.model.tenants[tenant].reservation_place);
}

void subtract_below(Work& work) {
  std::vector<Shares> below(work.tenants.size());
  for (TenantIndex i = static_cast<TenantIndex>(work.tenants.size()); i-- > 0;) {
    TenantWork& one = work.tenants[i];
    Shares up = std::move(below[i]);
    one.own = one.reserved;
    for (Share& share : one.own) {
      const std::int64_t taken = quota::count_of(up, share.column);
      if (taken > share.count) report_overcommit(work, i, share.column, share.count, taken);
      work.contradicted |= taken > share.count;
      share.count = std::max<std::int64_t>(0, share.count - taken);
    }
    const TenantIndex parent = work.model.tenants[i].parent;
    if (parent == no_tenant) continue;
    for (const Share& share : one.reserved) add_to(below[parent], share.column, share.count);
    for (const Share& share : up)
      if (std::none_of(one.reserved.begin(), one.reserved.end(),
                       [&](const Share& own) { return own.column == share.column; }))
        add_to(below[parent], share.column, share.count);
  }
}

}  // namespace

void add_to(Shares& shares, std::uint32_t column, std::int64_t count) {
  const auto at = std::lower_bound(shares.begin(), shares.end(), column,
                                   [](const Share& share, std::uint32_t wanted) { return share.column < wanted; });
  if (at != shares.end() && at->column == column)
    at->count = base::checked_add(at->count, count).value_or(INT64_MAX);
  else
    shares.insert(at, {column, count});
}

// A Cohort without a reservation of its own must not hold back what its children lend.
void settle_lending(Work& work) {
  for (TenantIndex i = static_cast<TenantIndex>(work.tenants.size()); i-- > 0;) {
    const model::Tenant& tenant = work.model.tenants[i];
    TenantWork& one = work.tenants[i];
    if (tenant.reservation && !one.reserved.empty()) one.lends = tenant.reservation->lendable;
    if (one.lends && tenant.parent != no_tenant && work.tenants[tenant.parent].reserved.empty())
      work.tenants[tenant.parent].lends = true;
  }
}

void settle_reservations(Work& work) {
  work.inclusive = work.mapping.semantics != mapping::ReservationSemantics::additive;
  if (work.mapping.semantics == mapping::ReservationSemantics::unset && work.model.system == "cmb")
    work.open_question(
        "T-SEMANTICS-UNSET",
        "the mapping does not say whether a reservation contains what is reserved below it; it is read as "
        "inclusive",
        "say reservationSemantics: inclusive or additive; the wrong one counts capacity twice or loses it");
  for (TenantIndex i = 0; i < work.tenants.size(); ++i) work.tenants[i].reserved = reserved_of(work, i);
  if (work.inclusive)
    subtract_below(work);
  else
    for (TenantWork& one : work.tenants) one.own = one.reserved;
}

}  // namespace cmb2kueue::translate
