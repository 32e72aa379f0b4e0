// status, verify, history and unlock: looking at a target, and at who holds it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/report/documents.h"
#include "commands.h"
#include "pipeline.h"
#include "runs.h"
#include "selectors.h"

namespace cmb2kueue::cli {

namespace {

base::Result<std::vector<OpenTarget>> every_cell(Session& session) {
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return cells.status();
  return open_targets(session, cells.value());
}

// Cells mostly say the same; each line is told once.
void add_next(const cutover::State& state, const std::string& target, std::vector<std::string>& all) {
  std::vector<std::string> lines;
  for (const auto& [hash, tenant] : state.enrolled) {
    const std::string name = base::quoted(tenant.display, 200);
    if (tenant.state == cutover::TenantState::open)
      lines.push_back(
          fmt::format("switch {} at CMB, then: cutover {} --switched --reason '...' --target {} (with the same "
                      "-e and -m, or --plan)",
                      name, name, target));
    else if (tenant.state == cutover::TenantState::moved)
      lines.push_back(fmt::format("after a good while: complete {} --target {}", name, target));
    else if (tenant.state == cutover::TenantState::switched || tenant.state == cutover::TenantState::ramping)
      lines.push_back(fmt::format("take its capacity further: ramp {} --hooks FILE --target {}", name, target));
    else if (tenant.state == cutover::TenantState::draining)
      lines.push_back(fmt::format("finish the rollback when its work in Kueue has ended: rollback {} --target {}{}",
                                  name, target, state.inputs.partitioned ? "" : " --hooks FILE"));
    else if (tenant.state < cutover::TenantState::open)
      lines.push_back(
          fmt::format("finish or undo the run: the same cutover again, or abort {} --target {}", name, target));
  }
  for (std::string& line : lines)
    if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(std::move(line));
}

base::Status add_lock(const cutover::Context& context, report::Table& locks) {
  const base::Result<std::optional<cutover::LockInfo>> info = cutover::lock_info(context);
  if (!info.ok()) return info.status();
  const char* words[] = {"alive", "dead", "unknown"};
  if (info.value().has_value())
    locks.rows.push_back({context.cell, info.value()->holder, info.value()->run, info.value()->since,
                          words[static_cast<int>(info.value()->liveness)]});
  return {};
}

base::Status add_drift(const cutover::Context& context, const cutover::State& state, report::Table& table) {
  const base::Result<std::vector<cutover::Drift>> drift = cutover::find_drift(context, state);
  if (!drift.ok()) return drift.status();
  for (const cutover::Drift& one : drift.value())
    table.rows.push_back({context.cell, to_string(one.key), one.field, one.promised, one.live,
                          fmt::format("{}", fmt::join(one.managers, ", "))});
  return {};
}

report::Facts counts_of(const std::map<std::string, std::uint64_t>& counts) {
  report::Facts facts{"states", "Tenants per state", {}};
  for (const auto& [state, count] : counts) facts.facts.push_back({state, state, std::to_string(count), true});
  if (counts.empty()) facts.facts.push_back({"Enrolled", "enrolled", "0", true});
  return facts;
}

// Tenants that are enrolled, and of those that were once what the journals say.
std::vector<Nameable> nameable(const std::vector<cutover::State>& states,
                               const std::vector<cutover::HistoryEntry>& past) {
  std::vector<Nameable> all;
  for (const cutover::State& state : states)
    for (const auto& [hash, tenant] : state.enrolled)
      all.push_back({hash, tenant.id, tenant.object, tenant.display});
  for (const cutover::HistoryEntry& one : past)
    if (!one.tenant.empty()) all.push_back({one.tenant, "", "", one.tenant});
  return all;
}

// Keeps the enrolled tenants that are named, all where nobody is.
base::Status keep_named(const Session& session, std::vector<cutover::State>& states) {
  if (session.arguments.positional.empty()) return {};
  const base::Result<std::vector<std::string>> chosen =
      select(nameable(states, {}), session.arguments.positional, "is not the name of an enrolled tenant",
             "status without a name lists everybody; history shows who was enrolled");
  if (!chosen.ok()) return chosen.status();
  for (cutover::State& state : states)
    std::erase_if(state.enrolled,
                  [&](const auto& one) { return !std::binary_search(chosen->begin(), chosen->end(), one.first); });
  return {};
}

}  // namespace

int cmd_status(Session& session) {
  base::Result<std::vector<OpenTarget>> targets = every_cell(session);
  if (!targets.ok()) return session.fail(targets.status());
  std::vector<cutover::State> states;
  report::Table locks{
      "locks",
      "Locks",
      {{"cell", "cell"}, {"holder", "holder"}, {"run", "run"}, {"since", "since"}, {"liveness", "liveness"}},
      {},
      0,
      ""};
  report::Table drift{"drift",
                      "Not as promised",
                      {{"cell", "cell"},
                       {"object", "object"},
                       {"field", "field"},
                       {"promised", "promised"},
                       {"live", "live"},
                       {"managers", "last written by"}},
                      {},
                      0,
                      ""};
  for (OpenTarget& target : targets.value()) {
    const cutover::Context context = context_for(session, target);
    base::Result<cutover::State> state = cutover::load_state(context);
    if (!state.ok()) return session.fail(state.status());
    states.push_back(std::move(state).value());
    base::Status looked = add_lock(context, locks);
    if (looked.ok()) looked = add_drift(context, states.back(), drift);
    if (!looked.ok()) return session.fail(looked);
  }
  const base::Status kept = keep_named(session, states);
  if (!kept.ok()) return session.fail(kept);
  std::map<std::string, std::uint64_t> counts;
  std::vector<std::string> next;
  std::vector<report::CellTable> enrolled, capacity;
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (const auto& [hash, tenant] : states[i].enrolled) ++counts[to_string(tenant.state)];
    enrolled.push_back({states[i].cell, report::state_table(states[i])});
    capacity.push_back({states[i].cell, report::capacity_table(states[i])});
    add_next(states[i], targets.value()[i].address.text, next);
  }
  report::Report report{"StatusReport", "Status", {}};
  report.blocks.emplace_back(counts_of(counts));
  if (!locks.rows.empty()) report.blocks.emplace_back(std::move(locks));
  if (!drift.rows.empty()) report.blocks.emplace_back(std::move(drift));
  report.blocks.emplace_back(report::over_cells(std::move(enrolled)));
  if (session.arguments.has("--capacity")) report.blocks.emplace_back(report::over_cells(std::move(capacity)));
  report.blocks.emplace_back(report::Next{"next", next});
  return session.finish(std::move(report));
}

namespace {

// A cell's row of the verification; what could not be looked at is a Status, and nothing is claimed about it.
base::Status verify_cell(Session& session, OpenTarget& target, report::Table& table, bool& differs) {
  const cutover::Context context = context_for(session, target);
  const std::uint64_t before = session.findings.count(base::Severity::error);
  const base::Result<cutover::State> state = cutover::load_state(context);
  if (!state.ok()) return state.status();
  const base::Status status = cutover::verify(context, session.files, session.findings);
  if (!status.ok()) return status;
  const std::uint64_t errors = session.findings.count(base::Severity::error) - before;
  differs |= errors > 0;
  table.rows.push_back({target.cell, std::to_string(cutover::expected_objects(state.value()).size()),
                        errors == 0 ? "as promised" : base::counted(errors, "difference")});
  return {};
}

}  // namespace

int cmd_verify(Session& session) {
  base::Result<std::vector<OpenTarget>> targets = every_cell(session);
  if (!targets.ok()) return session.fail(targets.status());
  report::Report report{"VerifyReport", "Verification", {}};
  report::Table table{
      "cells", "Cells", {{"cell", "cell"}, {"objects", "promised objects", true}, {"verdict", "verdict"}},
      {},      0,       ""};
  bool differs = false;
  int failed = 0;
  for (OpenTarget& target : targets.value()) {
    const base::Status status = verify_cell(session, target, table, differs);
    if (status.ok()) continue;
    table.rows.push_back({target.cell, "", "not verified: " + status.message()});
    session.console.talk(
        report::describe(target.cell.empty() ? status : status.prefixed("cell " + target.cell), session.files));
    failed = exit_code(status.kind());
  }
  report.blocks.emplace_back(std::move(table));
  const int code = session.finish(std::move(report), differs ? exit_code(base::ErrorKind::mismatch) : failed);
  return code;
}

int cmd_history(Session& session) {
  const std::string since = session.arguments.value("--since");
  if (!since.empty() && base::parse_rfc3339(since) < 0)
    return session.fail(base::Status(base::ErrorKind::usage, base::quoted(since) + " is not a moment in time",
                                     "write it as 2026-03-01T00:00:00Z"));
  base::Result<std::vector<OpenTarget>> targets = every_cell(session);
  if (!targets.ok()) return session.fail(targets.status());
  std::vector<cutover::HistoryEntry> all;
  for (OpenTarget& target : targets.value()) {
    base::Result<std::vector<cutover::HistoryEntry>> entries = cutover::history(context_for(session, target));
    if (!entries.ok()) return session.fail(entries.status());
    for (cutover::HistoryEntry& one : entries.value())
      if (since.empty() || base::parse_rfc3339(one.time) >= base::parse_rfc3339(since))
        all.push_back(std::move(one));
  }
  std::stable_sort(all.begin(), all.end(), [](const cutover::HistoryEntry& a, const cutover::HistoryEntry& b) {
    return a.time != b.time ? a.time < b.time : a.seq < b.seq;
  });
  if (!session.arguments.positional.empty()) {
    const base::Result<std::vector<std::string>> chosen =
        select(nameable({}, all), session.arguments.positional,
               "is not the name of a tenant that was ever moved here", "history without a name lists every record");
    if (!chosen.ok()) return session.fail(chosen.status());
    std::erase_if(all, [&](const cutover::HistoryEntry& one) {
      return !std::binary_search(chosen->begin(), chosen->end(), one.tenant);
    });
  }
  report::Report report{"HistoryReport", "", {}};
  report.blocks.emplace_back(report::history_table(all));
  return session.finish(std::move(report));
}

int cmd_unlock(Session& session) {
  const std::string holder = session.arguments.value("--holder");
  if (holder.empty())
    return session.fail(
        base::Status(base::ErrorKind::usage, "unlock needs --holder ID", "status prints who holds the lock"));
  base::Result<std::vector<OpenTarget>> targets = every_cell(session);
  if (!targets.ok()) return session.fail(targets.status());
  RunCollector collector(session, "UnlockReport");
  for (OpenTarget& target : targets.value())
    collector.add(target.cell, "", cutover::unlock(context_for(session, target), holder));
  return collector.finish();
}

}  // namespace cmb2kueue::cli
