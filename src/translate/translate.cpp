// The passes in order, one line each.
#include "cmb2kueue/translate/translate.h"

#include "work.h"

namespace cmb2kueue::translate {

base::Result<Translation> translate(const model::Model& model, const mapping::Mapping& mapping, Purpose purpose,
                                    base::Findings& findings) {
  Work work(model, mapping, purpose, findings);
  Translation out;
  choose_columns(work);
  settle_percentages(work);
  settle_reservations(work);
  settle_lending(work);
  settle_limits(work);
  settle_weights(work);
  split_over_cells(work, out);
  add_pools(work, out);
  add_maxima(work, out);
  check_names(work, out);
  check_reach(work, out);
  check_policies(work, out);
  for (const quota::Entitlements& tree : out.cells) static_cast<void>(fixed_parts(mapping, tree, findings));
  check_priorities(work);
  check_annotations(work);
  const base::Status conserved = prove_conservation(work, out);
  if (!conserved.ok()) return conserved;
  out.ledger = make_ledger(work);
  for (const TenantWork& tenant : work.tenants) out.skipped += tenant.skipped ? 1 : 0;
  return out;
}

}  // namespace cmb2kueue::translate
