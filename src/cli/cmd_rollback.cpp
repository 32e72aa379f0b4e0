// rollback, complete, abort and ramp: what is done to tenants that are enrolled.
#include "commands.h"
#include "runs.h"

namespace cmb2kueue::cli {

using cutover::TenantState;

int cmd_rollback(Session& session) {
  const cutover::RollbackOptions options{session.arguments.has("--switched-back"),
                                         session.arguments.has("--drained")};
  EnrolledVerb verb{"RollbackReport", [&](const cutover::Context& context, const std::string& hash) {
                      return cutover::roll_back(context, hash, options);
                    }};
  if (session.arguments.has("--wait"))
    verb.unfinished = [](const cutover::Outcome& outcome) { return outcome.state == TenantState::draining; };
  return for_each_enrolled(session, verb);
}

int cmd_complete(Session& session) {
  return for_each_enrolled(session, {"CompleteReport", cutover::complete});
}

int cmd_abort(Session& session) {
  return for_each_enrolled(session, {"AbortReport", cutover::abort_run});
}

int cmd_ramp(Session& session) {
  const auto ramping = [](TenantState state) {
    return state == TenantState::switched || state == TenantState::ramping;
  };
  EnrolledVerb verb{"RampReport", cutover::ramp,
                    [&](const cutover::Enrolled& tenant) { return ramping(tenant.state); }};
  if (session.arguments.has("--watch"))
    verb.unfinished = [&](const cutover::Outcome& outcome) { return ramping(outcome.state); };
  return for_each_enrolled(session, verb);
}

}  // namespace cmb2kueue::cli
