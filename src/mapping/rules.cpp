// The ids under which loading a mapping reports.
#include <algorithm>

#include "load_parts.h"

namespace cmb2kueue::mapping {

using base::Severity;

const std::vector<MappingRule>& mapping_rules() {
  static const std::vector<MappingRule> table = {
      {"M-COUNT", Severity::error, "A list of the mapping is too short or too long."},
      {"M-DEAD-RULE", Severity::warning, "A rule behind one that matches every tenant never decides."},
      {"M-DATE", Severity::error, "A day that is not written as 2026-03-01."},
      {"M-DUPLICATE", Severity::error, "A name, pool or resource stands twice where it may stand once."},
      {"M-ENUM", Severity::error, "A word that is not among those allowed."},
      {"M-KIND", Severity::error, "A mapping starts with apiVersion cmb2kueue.io/v1alpha1 and kind Mapping."},
      {"M-NAME", Severity::error, "A flavor, namespace or pinned name that no object can have."},
      {"M-NO-RULES", Severity::error, "A mapping without flavors or without rules decides nothing."},
      {"M-PERCENT", Severity::error, "Percentages that do not make sense or do not sum to 100."},
      {"M-QUANTITY", Severity::error, "Text that is not a quantity."},
      {"M-QUANTITY-FLOAT", Severity::error, "An unquoted floating-point number where a quantity belongs."},
      {"M-QUANTITY-ROUNDED", Severity::warning, "A quantity finer than 1n."},
      {"M-RAMP", Severity::error, "The steps of a ramp rise and end at 100."},
      {"M-RANGE", Severity::error, "A number outside its range."},
      {"M-REFERENCE", Severity::error, "A rule names a flavor the mapping does not define."},
      {"M-REQUIRED", Severity::error, "A required key is missing."},
      {"M-SKIP-REASON", Severity::error, "A rule that skips tenants gives a reason, and no flavors."},
      {"M-TAINT", Severity::error, "A taint or toleration Kubernetes would refuse."},
      {"M-TYPE", Severity::error, "A value of the wrong type."},
      {"M-UNKNOWN-FIELD", Severity::error, "A key a mapping does not have."},
      {"M-BUCKETS", Severity::error, "Priority buckets rise and start at 0, classes rise by their base."},
  };
  return table;
}

Severity severity_of_mapping_rule(std::string_view id) {
  const std::vector<MappingRule>& all = mapping_rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const MappingRule& rule) { return rule.id == id; });
  return found == all.end() ? Severity::error : found->severity;
}

}  // namespace cmb2kueue::mapping
