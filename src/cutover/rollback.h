// Undoing, shared by rollback, abort and a cutover that failed.
#pragma once
#include <string>

#include "cmb2kueue/cutover/cutover.h"
#include "run.h"

namespace cmb2kueue::cutover {

// Undoes a tenant within a run that holds the lock, walking the table of steps upwards. not_found when it is not
// enrolled, usage when its work goes to Kueue and nobody switches it back. Success with the tenant still enrolled:
// intake is restored, the rest waits for work to end (Outcome::next says so).
base::Status undo_tenant(Run& run, const std::string& tenant_hash, const RollbackOptions& options);

}  // namespace cmb2kueue::cutover
