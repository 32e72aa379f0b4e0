// What the passes of translate hand on to each other. Each pass fills its part; later ones only read earlier parts.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/translate/translate.h"

namespace cmb2kueue::translate {

// A tenant as the passes see it: the model's plus what was decided about it. Index = tenant index.
struct TenantWork {
  bool skipped = false;
  const mapping::Rule* rule = nullptr;
  quota::Shares reserved;  // by column, as exported (inclusive where the export is)
  quota::Shares own;       // nominal after subtraction, before cells
  quota::LimitRole limit_role = quota::LimitRole::none;
  bool under_limit = false;  // has the pods column: itself or an ancestor is limited
  std::uint32_t weight = 1;
};

struct Work {
  const model::Model& model;
  const mapping::Mapping& mapping;
  Purpose purpose;
  base::Findings& findings;

  std::vector<std::string> targets;    // per model resource: name pods request, "" excluded
  std::vector<int> resource_slot;      // per model resource: position among covered ones, -1 excluded
  std::vector<std::uint16_t> covered;  // model resources that become columns
  std::vector<int> flavor_slot;        // per mapping flavor: position among used ones, -1 unused
  std::vector<std::uint16_t> used_flavors;
  std::vector<quota::Column> columns;
  std::uint32_t limit_column = 0;  // == columns.size() when nobody is limited
  bool inclusive = true;
  std::vector<TenantWork> tenants;

  std::uint32_t column(std::uint16_t flavor, std::uint16_t resource) const {
    return static_cast<std::uint32_t>(flavor_slot[flavor]) * static_cast<std::uint32_t>(covered.size()) +
           static_cast<std::uint32_t>(resource_slot[resource]);
  }
  // Adds a finding of translate_rules(); `tenant` may be no_tenant.
  void report(std::string_view rule, std::string message, std::string advice, model::TenantIndex tenant,
              base::Place place);
  // Open questions: a warning when looking, an error when acting.
  void open_question(std::string_view rule, std::string message, std::string advice);
};

void choose_columns(Work& work);
void settle_reservations(Work& work);
void settle_limits(Work& work);
void settle_weights(Work& work);
void split_over_cells(Work& work, Translation& out);
void add_pools(Work& work, Translation& out);
void add_maxima(Work& work, Translation& out);
void check_names(Work& work, const Translation& out);
void check_reach(Work& work, const Translation& out);
base::Status prove_conservation(const Work& work, Translation& out);
Ledger make_ledger(Work& work);

// Percentages over cells that apply to a tenant (no_tenant: to what belongs to nobody), in the order of
// Model::cells.
std::vector<std::uint32_t> percentages(const Work& work, model::TenantIndex tenant);
// A count divided by percentages with the largest remainder; sums exactly. Ties go to the earlier cell.
std::vector<std::int64_t> divide(std::int64_t count, const std::vector<std::uint32_t>& percent);

// Merges counts of equal columns.
void add_to(quota::Shares& shares, std::uint32_t column, std::int64_t count);

std::string object_name_of(const model::Tenant& tenant, const mapping::Mapping& mapping);

}  // namespace cmb2kueue::translate
