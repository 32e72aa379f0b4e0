// Undoing, shared by rollback, abort and a cutover that failed.
#pragma once
#include <string>

#include "cmb2kueue/cutover/cutover.h"

namespace cmb2kueue::cutover {

// Undoes a tenant whose work was never switched. not_found when it is not enrolled, usage when it was switched.
base::Result<Outcome> undo_unswitched(const Context& context, const std::string& tenant_hash,
                                      const std::string& verb);

}  // namespace cmb2kueue::cutover
