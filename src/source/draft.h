// What a reader hands over before anything is linked: tenants in the order of the file, parents by id. Linking,
// order and the checks over the whole tree are the same for every format.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/model/tenant_model.h"

namespace cmb2kueue::source {

struct DraftTenant {
  model::Tenant tenant;
  std::string parent_id;
  std::string given_path;  // as exported; "" when absent
  base::Place path_place;
  std::int64_t newest_status = 0;  // timestamp, decides between duplicates of a paged export
  std::uint64_t content = 0;       // fingerprint, decides where the timestamps are the same
  bool has_status = false;
};

struct Draft {
  std::vector<DraftTenant> tenants;
  std::vector<model::FieldFact> facts;  // tenant: index into `tenants`
  bool paged = false;                   // duplicates are expected, the newest wins
};

// Fills model.tenants (depth first, siblings by name and id) and model.facts. Reports duplicates, missing parents,
// parents that are leaves, cycles, depth, and paths that disagree; what is reported is left out or hung under
// nobody. Returns where each tenant of the draft went (no_tenant: left out).
std::vector<model::TenantIndex> link(Draft draft, model::Model& model, base::Findings& findings);

// Adds a finding of a rule in import_rules(); its severity comes from there.
void report(base::Findings& findings, std::string_view rule, std::string message, std::string advice,
            std::string subject, std::string field, base::Place place);

// Puts fields and facts in one order whatever the order of the file.
void order_facts(model::Model& model);

// Fingerprint of everything but places.
std::uint64_t fingerprint(const model::Model& model);

}  // namespace cmb2kueue::source
