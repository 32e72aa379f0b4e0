// Blocks about runs, state, capacity and history.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/report/documents.h"

namespace cmb2kueue::report {

namespace {

using base::Quantity;

constexpr std::size_t many_rows = 60;

std::string text(std::int64_t count, const quota::Column& column) {
  return Quantity::of(count, column.unit).to_string();
}

}  // namespace

Table event_table(const std::vector<cutover::Event>& events) {
  Table table{"steps", "Steps", {}, {}, 0, ""};
  table.columns = {{"cell", "cell"}, {"tenant", "tenant"}, {"step", "step"}, {"phase", "phase"}, {"what", "what"}};
  for (const cutover::Event& event : events)
    table.rows.push_back({event.cell, event.tenant, event.step, event.phase, event.what});
  return table;
}

Table state_table(const cutover::State& state) {
  Table table{"enrolled", "Enrolled tenants", {}, {}, many_rows, ""};
  table.columns = {{"cell", "cell"}, {"tenant", "tenant"}, {"id", "id"},  {"state", "state"},
                   {"step", "step"}, {"object", "queue"},  {"run", "run"}};
  for (const auto& [hash, tenant] : state.enrolled)
    table.rows.push_back(
        {state.cell, tenant.display, tenant.id, to_string(tenant.state), tenant.step, tenant.object, tenant.run});
  return table;
}

Table capacity_table(const cutover::State& state) {
  Table table{"capacity", "Capacity", {}, {}, many_rows, ""};
  table.columns = {{"cell", "cell"},         {"node", "node"},   {"flavor", "flavor"},
                   {"resource", "resource"}, {"kueue", "Kueue"}, {"cmb", "CMB"},
                   {"held", "held"},         {"total", "total"}, {"ceiling", "CMB may give out"}};
  for (std::uint32_t n = 0; n < state.tree.nodes.size(); ++n) {
    for (const quota::Share& total : state.tree.nodes[n].total) {
      if (total.count == 0) continue;
      const quota::Column& column = state.tree.columns[total.column];
      const cutover::Allotment allotment = cutover::present_allotment(state, n, total.column);
      table.rows.push_back({state.cell, state.tree.nodes[n].display, column.flavor, column.resource,
                            text(allotment.kueue, column), text(allotment.cmb(), column),
                            text(allotment.held, column), text(allotment.total, column),
                            text(std::min(allotment.ceiling(), allotment.cmb()), column)});
    }
  }
  table.note =
      "Kueue + CMB + held = total, for every node; what CMB has beyond what it may give out still runs there";
  return table;
}

Table history_table(const std::vector<cutover::HistoryEntry>& entries) {
  Table table{"records", "History", {}, {}, 0, ""};
  table.columns = {{"time", "time"},     {"cell", "cell"},     {"seq", "seq", true}, {"verb", "verb"},
                   {"tenant", "tenant"}, {"step", "step"},     {"phase", "phase"},   {"object", "object"},
                   {"who", "who"},       {"reason", "reason"}, {"run", "run"}};
  for (const cutover::HistoryEntry& one : entries)
    table.rows.push_back({one.time, one.cell, std::to_string(one.seq), one.verb, one.tenant, one.step, one.phase,
                          one.object, one.who, one.reason, one.run});
  return table;
}

Table plan_table(const cutover::Plan& plan) {
  Table table{"tenants", "Tenants to move", {}, {}, 0, ""};
  table.columns = {
      {"cell", "cell"}, {"tenant", "tenant"}, {"id", "id"}, {"queue", "queue"}, {"objects", "objects", true}};
  for (const cutover::PlanCell& cell : plan.cells)
    for (const cutover::PlannedTenant& tenant : cell.tenants)
      table.rows.push_back(
          {cell.cell, tenant.display, tenant.id, tenant.object, std::to_string(tenant.objects.size())});
  return table;
}

Table plan_capacity_table(const cutover::PlanCell& cell) {
  Table table{"capacity", "Capacity that becomes Kueue's", {}, {}, many_rows, ""};
  table.columns = {{"cell", "cell"},         {"node", "node"},   {"flavor", "flavor"},
                   {"resource", "resource"}, {"kueue", "Kueue"}, {"total", "total"}};
  for (const quota::FixedPart& part : cell.partition) {
    const quota::Column& column = cell.tree.columns[part.column];
    table.rows.push_back({cell.cell, cell.tree.nodes[part.node].display, column.flavor, column.resource,
                          text(part.kueue, column),
                          text(quota::count_of(cell.tree.nodes[part.node].total, part.column), column)});
  }
  return table;
}

}  // namespace cmb2kueue::report
