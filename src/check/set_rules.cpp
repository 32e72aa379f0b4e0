// The table of rules over a whole set, in the order they run.
#include "set_rules.h"

namespace cmb2kueue::check {

const std::vector<SetRule>& set_rules() {
  static const std::vector<SetRule> table = {
      {"KQ-FLAVOR-MISSING", flavors_exist},
      {"KQ-COHORT-MISSING", cohorts_exist},
      {"KQ-QUEUE-MISSING", cluster_queues_exist},
      {"KQ-CHECK-MISSING", admission_checks_exist},
      {"KQ-TOPOLOGY-MISSING", topologies_exist},
      {"KQ-QUEUE-NAMESPACE", local_queues_are_selected},
      {"KQ-SELECTS-NOTHING", selectors_select},
      {"KQ-COHORT-UNUSED", cohorts_have_members},
      {"KQ-CYCLE", cohorts_form_no_circle},
      {"KQ-OVERFLOW", sums_can_be_counted},
      {"KQ-CEILING-ZERO", borrowers_find_something},
      {"KQ-NOT-SHARED", members_share},
      {"KQ-TOPOLOGY-MIXED", topologies_are_not_mixed},
      {"KQ-UNIT-MIXED", units_are_not_mixed},
  };
  return table;
}

}  // namespace cmb2kueue::check
