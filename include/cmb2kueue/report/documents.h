// What the verbs know, as blocks of the neutral report. Stable ids: scripts read them.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"
#include "cmb2kueue/cutover/plan.h"
#include "cmb2kueue/cutover/state.h"
#include "cmb2kueue/diff/change_set.h"
#include "cmb2kueue/diff/effective.h"
#include "cmb2kueue/model/tenant_model.h"
#include "cmb2kueue/report/report.h"
#include "cmb2kueue/translate/translate.h"

namespace cmb2kueue::report {

// Id of the export, counts of tenants, cells and pools.
Facts export_facts(const model::Model& model);
// The tenants of a subtree (no_tenant: all) with what they reserve, limits and weights.
Tree tenant_tree(const model::Model& model, model::TenantIndex root);
// Per flavor and resource: promised, held, equal, and each cell's part.
Table conservation_table(const translate::Translation& translation);
// One row per loss, worst class first, with how many it concerns and the first place.
Table ledger_table(const translate::Ledger& ledger, const model::Model& model, const base::SourceFiles& files,
                   model::TenantIndex root);
// Counts per class.
Facts ledger_facts(const translate::Ledger& ledger);

// The same table of several cells as one: rows in the order given, under a column `cell` where there is more than
// one and the rows do not say it yet. A note that differs is told once for each cell.
struct CellTable {
  std::string cell;
  Table table;
};
Table over_cells(std::vector<CellTable> tables);

Table change_table(const diff::ChangeSet& changes);
Table field_table(const diff::ChangeSet& changes, bool cosmetic);
Table effective_table(const std::vector<diff::EffectiveRow>& rows);

Table event_table(const std::vector<cutover::Event>& events);
Table state_table(const cutover::State& state);
Table capacity_table(const cutover::State& state);
Table history_table(const std::vector<cutover::HistoryEntry>& entries);
Table plan_table(const cutover::Plan& plan);
Table plan_capacity_table(const cutover::PlanCell& cell);

}  // namespace cmb2kueue::report
