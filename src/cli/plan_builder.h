// From a translation and the targets' states to a plan: the seam between what knows the export and what acts.
#pragma once
#include <vector>

#include "cmb2kueue/cutover/plan.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

// Reads everything a plan or a cutover without one starts from: inputs, translation for acting, acceptances. Errors
// in the inputs, unaccepted losses of a tenant and a missing split are Statuses that say what to do.
struct Prepared {
  Inputs inputs;
  translate::Translation translation;
  std::vector<model::TenantIndex> leaves;
  std::vector<translate::Acceptance> acceptances;
};
base::Result<Prepared> prepare(Session& session, const std::vector<std::string>& selectors);

// Lossy and gap entries of each leaf that nobody accepted, as findings (error, one per code); true when there are
// none.
bool losses_accepted(Session& session, const Prepared& prepared);

base::Result<cutover::Plan> build_plan(Session& session, const Prepared& prepared,
                                       std::vector<OpenTarget>& targets);

}  // namespace cmb2kueue::cli
