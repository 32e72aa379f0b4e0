// The next stage of a tenant's ramp: the steps of its cutover from where they rest, by the plan it was moved with.
#include <fmt/format.h>

#include "asking.h"
#include "cmb2kueue/base/text.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

base::Status may_ramp(const Context& context, const Enrolled& tenant) {
  const std::string stands = fmt::format("{} is {}", tenant.display, to_string(tenant.state));
  if (tenant.state < TenantState::switched)
    return base::Status(base::ErrorKind::usage, stands + ": its work does not go to Kueue yet",
                        "finish its cutover first: the same cutover command again");
  if (tenant.state == TenantState::draining)
    return base::Status(base::ErrorKind::usage, stands + ": it is on its way back",
                        "finish its rollback, then move it again");
  if (tenant.state <= TenantState::ramping && !offers(context, hooks::Hook::cede))
    return base::Status(base::ErrorKind::usage, stands + ": capacity moves with CMB's help alone",
                        "give --hooks FILE with the hooks cede, restore and usage");
  return {};
}

base::Result<Outcome> go_on(const Context& context, const Plan& plan, const std::string& hash) {
  CutoverOptions options;
  options.rollback_on_failure = false;  // a stage that cannot be taken now is no reason to bring work back
  for (const PlanCell& cell : plan.cells)
    for (const PlannedTenant& tenant : cell.tenants)
      if (cell.cell == context.cell && tenant.hash == hash) return cut_over(context, plan, cell, tenant, options);
  return base::Status(base::ErrorKind::internal, "the plan that was kept does not have the tenant",
                      "roll the tenant back and move it again");
}

}  // namespace

base::Result<Outcome> ramp(const Context& context, const std::string& tenant_hash) {
  const base::Result<State> state = load_state(context);
  if (!state.ok()) return state.status();
  const Enrolled* tenant = enrolled_of(state.value(), tenant_hash);
  if (tenant == nullptr)
    return base::Status(base::ErrorKind::not_found,
                        fmt::format("no tenant with the hash {} is enrolled here", base::quoted(tenant_hash)),
                        "cmb2kueue status lists who is");
  const base::Status allowed = may_ramp(context, *tenant);
  if (!allowed.ok()) return allowed;
  if (tenant->state >= TenantState::moved) {
    Outcome outcome;
    outcome.state = tenant->state;
    outcome.events.push_back(
        {context.cell, tenant->display, "ramp", "skipped", "the tenant has all of its capacity"});
    return outcome;
  }
  const base::Result<std::optional<Plan>> plan = kept_plan(context, tenant_hash);
  if (!plan.ok()) return plan.status();
  if (!plan.value().has_value())
    return base::Status(base::ErrorKind::internal, "the plan the tenant was moved by was not kept",
                        "the same cutover command, with its plan, goes on");
  return go_on(context, *plan.value(), tenant_hash);
}

}  // namespace cmb2kueue::cutover
