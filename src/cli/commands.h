// The body of every verb: a contents page of named stages each, in a file cmd_<verb>.cpp. All return the exit code.
#pragma once
#include "session.h"

namespace cmb2kueue::cli {

int cmd_audit(Session& session);
int cmd_translate(Session& session);
int cmd_validate(Session& session);
int cmd_diff(Session& session);
int cmd_plan(Session& session);
int cmd_cutover(Session& session);
int cmd_ramp(Session& session);
int cmd_rollback(Session& session);
int cmd_complete(Session& session);
int cmd_status(Session& session);
int cmd_verify(Session& session);
int cmd_history(Session& session);
int cmd_abort(Session& session);
int cmd_unlock(Session& session);
int cmd_doctor(Session& session);
int cmd_explain(Session& session);
int cmd_completion(Session& session);
int cmd_version(Session& session);

}  // namespace cmb2kueue::cli
