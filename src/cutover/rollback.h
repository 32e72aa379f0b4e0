// Undoing, shared by rollback, abort and a cutover that failed.
#pragma once
#include <string>

#include "cmb2kueue/cutover/cutover.h"
#include "run.h"

namespace cmb2kueue::cutover {

// Undoes a tenant within a run that holds the lock, walking the table of steps upwards. not_found when it is not
// enrolled, usage when its work goes to Kueue and `switched_back` is not said.
base::Status undo_tenant(Run& run, const std::string& tenant_hash, bool switched_back);

}  // namespace cmb2kueue::cutover
