// The table of importer checks: every id has a sample that trips it (samples/bad).
#include <algorithm>

#include "cmb2kueue/source/source.h"
#include "draft.h"

namespace cmb2kueue::source {

using base::Severity;

const std::vector<ImportRule>& import_rules() {
  static const std::vector<ImportRule> table = {
      {"E-NOT-EXPORT", Severity::error, "The document is not a tenant export of a known version."},
      {"E-EXPORT-ID", Severity::error, "The export has no exportId, or a job file has another one."},
      {"E-FIELD-TYPE", Severity::error, "A field has a value of the wrong type."},
      {"E-FIELD-MISSING", Severity::error, "A required field is missing or empty."},
      {"E-FIELD-RANGE", Severity::error, "A number is negative or too large for its field."},
      {"E-ENUM", Severity::error, "A word or number that the enumeration does not have."},
      {"E-UNKNOWN-FIELD", Severity::error, "A field nobody knows, under --strict."},
      {"N-UNKNOWN-FIELD", Severity::note, "A field nobody knows; it was kept out of the translation."},
      {"N-DEPRECATED-ATTRIBUTES", Severity::note, "The deprecated attributes of tenantDefinition are ignored."},
      {"E-DUPLICATE-ID", Severity::error, "Two tenants have the same id."},
      {"N-DUPLICATE-PAGED", Severity::note, "A paged export holds a tenant twice; the newest status counts."},
      {"E-DUPLICATE-PATH", Severity::error, "Two tenants have the same path."},
      {"E-PARENT-MISSING", Severity::error, "A tenant's parent is not in the export."},
      {"E-PARENT-LEAF", Severity::error, "A tenant's parent is a leaf."},
      {"E-LEAF-WITH-CHILDREN", Severity::error, "A leaf tenant has children."},
      {"E-CYCLE", Severity::error, "Tenants are their own ancestors."},
      {"E-DEPTH", Severity::error, "The tree is deeper than 100 levels."},
      {"E-PATH-LONG", Severity::error, "A tenant's path is longer than 4096 bytes."},
      {"W-PATH-DISAGREES", Severity::warning, "The exported path is not what the parents' names give."},
      {"W-RESERVATION-ZERO", Severity::warning, "A reservation with a zero dimension or a zero count."},
      {"N-GPU-FIELD", Severity::note,
       "A reservation counts GPUs, which the published CMB interface does not know."},
      {"E-RESERVATION-OVERFLOW", Severity::error, "A reservation's shape times its count does not fit 64 bits."},
      {"E-TWO-APPLIED", Severity::error, "A tenant has two capacity requests in state Applied."},
      {"W-APPLIED-STATE", Severity::warning, "The applied capacity of a tenant is not in state Applied."},
      {"W-REQUEST-PENDING", Severity::warning, "A capacity change is under review while tenants move."},
      {"N-WEIGHT-ZERO", Severity::note, "A weight of 0, which the format cannot tell from unset."},
      {"W-LIMIT-BELOW-CHILD", Severity::warning, "A concurrencyLimit is smaller than one below it."},
      {"W-STATUS-ORDER", Severity::warning, "A state history is not in order of time."},
      {"W-STATUS-EMPTY", Severity::warning, "A tenant or job has no state at all."},
      {"N-NO-CONTACT", Severity::note, "A tenant has no e-mail address, though CMB asks for one."},
      {"E-TIMESTAMP-SECONDS", Severity::error, "A timestamp looks like seconds where milliseconds are exported."},
      {"W-REMOVING-ENROLLED", Severity::warning, "A tenant that is being removed is marked for enrolment."},
      {"W-GROUP-TOTALS", Severity::warning, "Tenants reserve other totals than their capacity group holds."},
      {"E-CELL-PERCENT", Severity::error, "Percentages over cells do not sum to 100."},
      {"E-DUPLICATE-NAME", Severity::error,
       "A cell, pool, capacity group, or a tenant's binding or enrollment stands twice."},
      {"E-UNKNOWN-CELL", Severity::error, "A pool, group or binding names a cell that does not exist."},
      {"E-UNKNOWN-TENANT", Severity::error, "A pool, binding or enrollment names a tenant that does not exist."},
      {"W-UNKNOWN-GROUP", Severity::warning, "A binding names a capacity group that is not in the export."},
      {"W-BINDING-CELLS", Severity::warning,
       "A binding leaves out a cell in which its capacity group holds capacity."},
      {"W-POOL-NOBODY", Severity::warning, "A shared pool has no members."},
      {"E-JSON-LINE", Severity::error, "A line of a job file does not parse."},
      {"E-JOB-TENANT-MISSING", Severity::error, "A job's tenant is not in the export."},
      {"E-JOB-TENANT-INTERNAL", Severity::error, "A job belongs to an internal tenant."},
      {"E-JOB-TENANT-REMOVED", Severity::error, "A job belongs to a removed tenant."},
      {"W-JOB-SIZE", Severity::warning, "A batch job's size is not 1."},
      {"W-JOB-RUNTIME-ZERO", Severity::warning, "A job's runtime limit is 0."},
      {"E-JOB-TAG-AND-DIGEST", Severity::error, "An image has both a tag and a digest."},
      {"E-ACCUMULATOR-SUM", Severity::error, "An accumulator's target is not the sum of its counts."},
      {"W-TASK-JOB-MISSING", Severity::warning, "A task's job is not in the file."},
      {"E-QUANTITY", Severity::error, "Text that is not a quantity."},
      {"W-PARTITION", Severity::warning, "A YuniKorn partition other than default, which Kubernetes never uses."},
      {"E-QUEUE-NAME", Severity::error, "A queue name YuniKorn would refuse."},
      {"E-GUARANTEED-SUM", Severity::error, "Children are guaranteed more than their parent or its maximum."},
      {"E-GUARANTEED-ABOVE-MAX", Severity::error, "A queue is guaranteed more than its maximum."},
      {"E-ROOT-QUOTA", Severity::error, "The root queue has resources of its own, which YuniKorn refuses."},
      {"W-MAXAPPLICATIONS", Severity::warning,
       "A queue's limit of applications is missing or above its parent's, which YuniKorn refuses."},
      {"N-SETTING", Severity::note, "A setting beside queues.yaml, which is not read."},
      {"W-MAX-ABOVE-PARENT", Severity::warning, "A queue's maximum above its parent's has no effect."},
      {"W-DYNAMIC-QUEUES", Severity::warning,
       "Queues that placement rules or templates create are not in the file."},
      {"N-BARE-NUMBER", Severity::note, "A bare number that may not mean what its author thought."},
  };
  return table;
}

void report(base::Findings& findings, std::string_view rule, std::string message, std::string advice,
            std::string subject, std::string field, base::Place place) {
  const std::vector<ImportRule>& all = import_rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ImportRule& row) { return row.id == rule; });
  findings.add({std::string(rule), found == all.end() ? Severity::error : found->severity, std::move(message),
                std::move(advice), std::move(subject), std::move(field), place});
}

}  // namespace cmb2kueue::source
