// The table of schema rules and of API versions. Source of the rules: Kueue v0.17.0 and v0.19.2,
// config/components/crd/bases/kueue.x-k8s.io_*.yaml and apis/kueue/v1beta1/*_conversion.go.
#include "schema_rules.h"

#include <algorithm>

namespace cmb2kueue::kueue {

using base::Severity;

const std::vector<SchemaRule>& schema_rules() {
  static const std::vector<SchemaRule> table = {
      {"KS-COUNT", Severity::error, "A list has fewer or more entries than the schema allows."},
      {"KS-DEPRECATED", Severity::note, "A v1beta1 spelling that v1beta2 replaced; it is read as its successor."},
      {"KS-DUPLICATE", Severity::error, "An entry of a keyed list stands twice."},
      {"KS-ENUM", Severity::error, "A word that is not among those the schema allows."},
      {"KS-KIND", Severity::error, "A document without apiVersion, kind or name."},
      {"KS-LOST-EDGE", Severity::error,
       "A cohort or parent is spelt as another API version spells it; the tree edge would be lost."},
      {"KS-NAME", Severity::error, "A name or reference that no object can have."},
      {"KS-NO-NAMESPACE", Severity::note, "A namespace on an object that belongs to none; the server drops it."},
      {"KS-NOT-CARRIED", Severity::note, "A field of the schema that is neither judged nor compared."},
      {"KS-NOT-JUDGED", Severity::note, "A kind this tool has no rules for; it was not checked."},
      {"KS-OLD-VERSION", Severity::note, "A document of v1beta1, which Kueue still serves and converts."},
      {"KS-QUANTITY", Severity::error, "Text that is not a quantity."},
      {"KS-QUANTITY-FLOAT", Severity::error, "An unquoted floating-point number where the API wants a quantity."},
      {"KS-QUANTITY-ROUNDED", Severity::warning, "A quantity finer than 1n, which the server rounds up."},
      {"KS-RANGE", Severity::error, "An integer outside its range."},
      {"KS-REQUIRED", Severity::error, "A required field is missing."},
      {"KS-TYPE", Severity::error, "A value of another type than the schema wants."},
      {"KS-UNKNOWN-FIELD", Severity::error, "A field the schema does not have."},
      {"KS-VERSION", Severity::error, "An API version of Kueue that is not served any more, or never was."},
  };
  return table;
}

Severity severity_of_schema_rule(std::string_view id) {
  const std::vector<SchemaRule>& all = schema_rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SchemaRule& rule) { return rule.id == id; });
  return found == all.end() ? Severity::error : found->severity;
}

const std::vector<Version>& versions() {
  static const std::vector<Version> table = {
      {"kueue.x-k8s.io/v1beta2", true, "served and stored since Kueue 0.16; written and read"},
      {"kueue.x-k8s.io/v1beta1", false, "deprecated and still served by Kueue 0.19.2; read and converted"},
  };
  return table;
}

}  // namespace cmb2kueue::kueue
