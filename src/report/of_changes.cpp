// Blocks about differences.
#include <fmt/format.h>

#include "cmb2kueue/report/documents.h"

namespace cmb2kueue::report {

namespace {

constexpr std::size_t many_rows = 60;

std::string moved(const std::string (&pair)[2], const std::string& absent) {
  const std::string before = pair[0].empty() ? absent : pair[0], after = pair[1].empty() ? absent : pair[1];
  return before == after ? before : before + " -> " + after;
}

}  // namespace

Table change_table(const diff::ChangeSet& changes) {
  Table table{"objects", "Objects", {{"action", "action"}, {"object", "object"}, {"fields", "fields", true}},
              {},        many_rows, ""};
  for (const diff::Change& change : changes.changes)
    table.rows.push_back({change.cosmetic() ? "cosmetic" : to_string(change.action), to_string(change.key),
                          std::to_string(change.fields.size())});
  table.note = fmt::format("{} created, {} changed, {} removed, {} cosmetic, {} the same", changes.creates,
                           changes.updates, changes.removes, changes.cosmetic, changes.same);
  return table;
}

Table field_table(const diff::ChangeSet& changes, bool cosmetic) {
  Table table{
      cosmetic ? "cosmetic" : "fields", cosmetic ? "Cosmetic changes" : "Changed fields", {}, {}, many_rows, ""};
  table.columns = {{"object", "object"}, {"field", "field"}, {"before", "before"}, {"after", "after"}};
  for (const diff::Change& change : changes.changes) {
    if (change.action != diff::Action::update) continue;
    for (const diff::FieldChange& field : change.fields)
      if (field.cosmetic == cosmetic)
        table.rows.push_back({to_string(change.key), field.path, field.before, field.after});
  }
  return table;
}

Table effective_table(const std::vector<diff::EffectiveRow>& rows) {
  Table table{"ceilings", "What moves for whom", {}, {}, many_rows, ""};
  table.columns = {{"object", "object"},         {"tenant", "tenant"},   {"flavor", "flavor"},
                   {"resource", "resource"},     {"nominal", "nominal"}, {"borrowing", "borrowing limit"},
                   {"lending", "lending limit"}, {"weight", "weight"},   {"ceiling", "ceiling"}};
  for (const diff::EffectiveRow& row : rows)
    table.rows.push_back({to_string(row.key), row.tenant, row.flavor, row.resource, moved(row.nominal, "-"),
                          moved(row.borrowing, "unlimited"), moved(row.lending, "all"), moved(row.weight, "-"),
                          moved(row.ceiling, "-")});
  return table;
}

}  // namespace cmb2kueue::report
