// rollback, complete and abort: what is done to tenants that are enrolled.
#include "commands.h"
#include "runs.h"

namespace cmb2kueue::cli {

int cmd_rollback(Session& session) {
  const cutover::RollbackOptions options{session.arguments.has("--switched-back")};
  return for_each_enrolled(session, "RollbackReport",
                           [&](const cutover::Context& context, const std::string& hash) {
                             return cutover::roll_back(context, hash, options);
                           });
}

int cmd_complete(Session& session) {
  return for_each_enrolled(session, "CompleteReport", cutover::complete);
}

int cmd_abort(Session& session) {
  return for_each_enrolled(session, "AbortReport", cutover::abort_run);
}

}  // namespace cmb2kueue::cli
