// The ids under which translation reports.
#include <algorithm>

#include "work.h"

namespace cmb2kueue::translate {

using base::Severity;

const std::vector<TranslateRule>& translate_rules() {
  // clang-format off
  static const std::vector<TranslateRule> table = {
      {"T-ACCEPT-KIND", Severity::error,
       "An acceptance file starts with apiVersion cmb2kueue.io/v1alpha1 and kind Acceptances."},
      {"T-ACCEPT-CODE", Severity::error, "An acceptance names a code the catalogue does not have."},
      {"T-ACCEPT-DATE", Severity::error, "The day an acceptance ends is not a date."},
      {"T-ACCEPT-DUPLICATE", Severity::error, "Something stands twice in an acceptance file."},
      {"T-ACCEPT-ENUM", Severity::error, "A word that is not among those allowed in an acceptance file."},
      {"T-ACCEPT-REQUIRED", Severity::error, "A key of an acceptance is missing or empty."},
      {"T-ACCEPT-TYPE", Severity::error, "A value of the wrong type in an acceptance file."},
      {"T-ACCEPT-UNKNOWN-FIELD", Severity::error, "A key an acceptance does not have."},
      {"T-ANNOTATION-SIZE", Severity::warning, "More text about a tenant than annotations can hold; it is cut."},
      {"T-CELL-NO-KUEUE", Severity::warning, "A cell of the export has no Kueue."},
      {"T-CELL-PERCENT", Severity::error,
       "A tenant's percentages over cells do not sum to 100 or name unknown cells."},
      {"T-CELL-ROUNDED", Severity::note, "A cell's share is rounded to whole units."},
      {"T-FIFO-HOLDS", Severity::warning, "StrictFIFO without reclaim lets a waiting head hold shared capacity."},
      {"T-IDENTITY-TOO-LONG", Severity::error, "Id and name of a tenant do not fit into annotations."},
      {"T-LIMIT-CLOSED-IN-CELL", Severity::warning, "A concurrency limit leaves nothing for one cell."},
      {"T-LIMIT-TAKEN", Severity::error,
       "The resource pods or the flavor of concurrency limits is used for capacity too."},
      {"T-MAX-BELOW-NOMINAL", Severity::error, "A hard maximum below what is guaranteed in the subtree."},
      {"T-NAME-CLASH", Severity::error, "Two tenants would have the same object name."},
      {"T-NAME-UNKNOWN", Severity::warning, "A name is pinned for a tenant that is not in the export."},
      {"T-NAMESPACES-MANY", Severity::warning, "More than 10,000 namespaces."},
      {"T-NO-NAMESPACE", Severity::error, "The mapping gives a leaf no namespace."},
      {"T-NO-RULE", Severity::error, "No rule of the mapping matches a tenant."},
      {"T-NOTHING-REACHABLE", Severity::warning,
       "A leaf can reach no capacity at all: its jobs would wait for ever."},
      {"T-PARTITION", Severity::error, "A part of the partition that does not fit the tree."},
      {"T-POOL-CELL", Severity::error, "A shared pool is in a cell that the export does not have."},
      {"T-POOL-FLAVOR", Severity::error, "No flavor of the mapping claims a shared pool."},
      {"T-POOL-MEMBERS", Severity::warning,
       "A shared pool that not everybody may use; in Kueue everybody can borrow it."},
      {"T-PRIORITY-MISSING", Severity::warning, "A priority class of CMB that the mapping does not have."},
      {"T-PRIORITY-REVERSED", Severity::error, "The mapping orders priority classes otherwise than CMB does."},
      {"T-PRIORITY-SHIFTED", Severity::warning,
       "Priority values that overlap or do not fit 32 bits; order is kept, values are others."},
      {"T-RESERVATION-OVERCOMMIT", Severity::error,
       "What is reserved below a tenant is more than its own reservation."},
      {"T-RESERVATION-POOL", Severity::warning,
       "A reservation is held in a resource pool that no flavor of the mapping claims."},
      {"T-RESOURCE-TWICE", Severity::error, "Two resources of the export would be the same one for pods."},
      {"T-RESOURCE-UNMAPPED", Severity::error, "The mapping says nothing about a resource that is in use."},
      {"T-SEMANTICS-UNSET", Severity::warning,
       "Whether reservations contain what is below them is not decided (an error for acting)."},
      {"T-SHARED-POOLS-UNSET", Severity::warning,
       "Whether the export's shared pools are all there are is not decided (an error for acting)."},
      {"T-SPLIT-UNSET", Severity::warning,
       "How shared capacity is divided while tenants move is not decided (an error for acting)."},
      {"T-TENANT-REMOVED", Severity::note, "A tenant that is removed at the source is left out."},
      {"T-TOO-LARGE", Severity::error, "All of a flavor's resource together is more than Kueue can count."},
      {"T-WEIGHT-DEFAULT", Severity::note, "A weight that is 0 or unset counts as 1."},
  };
  // clang-format on
  return table;
}

namespace {

Severity severity_of(std::string_view id) {
  const std::vector<TranslateRule>& all = translate_rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const TranslateRule& rule) { return rule.id == id; });
  return found == all.end() ? Severity::error : found->severity;
}

}  // namespace

void Work::report(std::string_view rule, std::string message, std::string advice, model::TenantIndex tenant,
                  base::Place place) {
  const std::string subject = tenant == model::no_tenant ? std::string() : model.tenants[tenant].path;
  findings.add({std::string(rule), severity_of(rule), std::move(message), std::move(advice), subject, "", place});
}

void Work::open_question(std::string_view rule, std::string message, std::string advice) {
  const Severity severity = purpose == Purpose::act ? Severity::error : Severity::warning;
  findings.add({std::string(rule), severity, std::move(message), std::move(advice), "", "", {}});
}

}  // namespace cmb2kueue::translate
