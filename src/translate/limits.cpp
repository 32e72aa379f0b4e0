// Concurrency limits on the resource `pods`, and weights. Quotas add up in Kueue, so a limit inside a limit is a
// borrowing limit, not a quota of its own.
#include "work.h"

namespace cmb2kueue::translate {

using model::no_tenant;
using model::TenantIndex;
using quota::LimitRole;

void settle_limits(Work& work) {
  for (TenantIndex i = 0; i < work.tenants.size(); ++i) {
    const model::Tenant& tenant = work.model.tenants[i];
    TenantWork& one = work.tenants[i];
    const bool above = tenant.parent != no_tenant && work.tenants[tenant.parent].under_limit;
    one.under_limit = above || tenant.concurrency_limit > 0;
    if (tenant.concurrency_limit == 0) continue;
    if (above)
      one.limit_role = LimitRole::inner;
    else
      one.limit_role = tenant.type == model::TenantType::leaf ? LimitRole::own_leaf : LimitRole::outermost;
  }
}

void settle_weights(Work& work) {
  constexpr const char* default_advice =
      "say weightZero: starve in the mapping if 0 was meant: in Kueue it is always last in line";
  for (TenantIndex i = 0; i < work.tenants.size(); ++i) {
    const model::Tenant& tenant = work.model.tenants[i];
    const bool given = tenant.weight && *tenant.weight > 0;
    const bool starve = tenant.weight && !given && work.mapping.zero_weight == mapping::ZeroWeight::starve;
    work.tenants[i].weight = given ? *tenant.weight : (starve ? 0 : 1);
    if (given || starve || work.tenants[i].skipped) continue;
    if (tenant.weight)
      work.report("T-WEIGHT-DEFAULT", "the weight 0 counts as 1", default_advice, i, tenant.weight_place);
    else if (work.model.system == "cmb")  // other systems know no weights
      work.report("T-WEIGHT-DEFAULT", "the weight is not set and counts as 1", "", i, tenant.place);
  }
}

}  // namespace cmb2kueue::translate
