// What the passes of translate hand on to each other. Each pass fills its part; later ones only read earlier parts.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/translate/translate.h"

namespace cmb2kueue::translate {

// A tenant as the passes see it: the model's plus what was decided about it. Index = tenant index.
struct TenantWork {
  bool skipped = false;  // no node: left out by a rule, below one that is, without a rule, or removed
  bool removed = false;  // removed at the source: reserves nothing any more
  // The first rule that matches; of a tenant that a rule leaves out, the one that would decide otherwise, so that
  // what it keeps is taken from the same flavor.
  const mapping::Rule* rule = nullptr;
  quota::Shares reserved;  // by column, as exported (inclusive where the export is)
  quota::Shares own;       // nominal after subtraction, before cells
  quota::LimitRole limit_role = quota::LimitRole::none;
  bool under_limit = false;  // has the pods column: itself or an ancestor is limited
  std::uint32_t weight = 1;
  bool lends = false;  // the source lends what it, or unreserved above others what they, have reserved
};

struct Work {
  Work(const model::Model& the_model, const mapping::Mapping& the_mapping, Purpose why, base::Findings& into)
      : model(the_model), mapping(the_mapping), purpose(why), findings(into), tenants(the_model.tenants.size()) {}

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
  bool contradicted = false;           // sums cannot be equal, and an error says why
  std::vector<std::uint32_t> percent;  // of every cell where a tenant has no percentages of its own; sums to 100
  std::vector<TenantWork> tenants;
  std::vector<std::vector<std::uint16_t>> rule_flavors;  // per rule of the mapping: indices into its flavors

  const std::vector<std::uint16_t>& flavors_of(model::TenantIndex tenant) const;  // empty without a rule
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
void settle_percentages(Work& work);
void settle_reservations(Work& work);
void settle_lending(Work& work);
void settle_limits(Work& work);
void settle_weights(Work& work);
void split_over_cells(Work& work, Translation& out);
void add_pools(Work& work, Translation& out);
void add_maxima(Work& work, Translation& out);
void check_names(Work& work, const Translation& out);
void check_policies(Work& work, const Translation& out);
void check_priorities(Work& work);
void check_annotations(Work& work);
void check_reach(Work& work, const Translation& out);
base::Status prove_conservation(Work& work, Translation& out);
Ledger make_ledger(Work& work);

// A tenant's percentages over cells, in the order of Model::cells; those of the whole where its own do not sum to
// 100, which split_over_cells reports.
std::vector<std::uint32_t> percentages(const Work& work, model::TenantIndex tenant);
// A count divided by percentages that sum to 100, with the largest remainder; sums exactly. Ties go to the earlier
// cell.
std::vector<std::int64_t> divide(std::int64_t count, const std::vector<std::uint32_t>& percent);
void divide(std::int64_t count, const std::vector<std::uint32_t>& percent, std::vector<std::int64_t>& parts);

// Where a shared pool's capacity goes: the column of one resource, empty where no flavor claims the pool, its cell
// is not there, or the mapping takes none of it.
std::optional<std::uint32_t> pool_column(const Work& work, const model::SharedPool& pool, std::uint16_t resource);

// Merges counts of equal columns; what does not fit 64 bits stays at the largest count and is found by
// prove_conservation.
void add_to(quota::Shares& shares, std::uint32_t column, std::int64_t count);

// The queueing strategy of a tenant under this rule.
const std::string& strategy_of(const mapping::Mapping& mapping, const mapping::Rule* rule);
// Whether a leaf's queue takes back what is lent: always under `lend`; under `parity` where the source itself lends
// the leaf's reservation or one above it. Lending without taking back would lose the reservation.
bool reclaims(const quota::Entitlements& tree, std::uint32_t leaf, mapping::Preset preset);

std::string object_name_of(const model::Tenant& tenant, const std::string& hash, const mapping::Mapping& mapping);

}  // namespace cmb2kueue::translate
