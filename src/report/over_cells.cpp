// One table out of the tables of several cells: a block's id stands once in a document.
#include <algorithm>

#include "cmb2kueue/report/documents.h"

namespace cmb2kueue::report {

namespace {

void add_cell(Table& table, const std::string& cell) {
  table.columns.insert(table.columns.begin(), {"cell", "cell"});
  for (std::vector<std::string>& row : table.rows) row.insert(row.begin(), cell);
}

bool says_cell(const Table& table) {
  return !table.columns.empty() && table.columns.front().id == "cell";
}

std::string notes_of(const std::vector<CellTable>& tables) {
  const std::string& first = tables.front().table.note;
  if (std::all_of(tables.begin(), tables.end(), [&](const CellTable& one) { return one.table.note == first; }))
    return first;
  std::string notes;
  for (const CellTable& one : tables)
    if (!one.table.note.empty()) notes += (notes.empty() ? "" : "; ") + one.cell + ": " + one.table.note;
  return notes;
}

}  // namespace

Table over_cells(std::vector<CellTable> tables) {
  if (tables.empty()) return {};
  Table all = tables.front().table;
  if (tables.size() == 1) return all;
  all.note = notes_of(tables);
  all.rows.clear();
  const bool told = says_cell(all);
  if (!told) add_cell(all, "");
  for (CellTable& one : tables) {
    if (!told) add_cell(one.table, one.cell);
    std::move(one.table.rows.begin(), one.table.rows.end(), std::back_inserter(all.rows));
  }
  return all;
}

}  // namespace cmb2kueue::report
