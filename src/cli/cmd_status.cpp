// status, verify, history and unlock: looking at a target, and at who holds it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/report/documents.h"
#include "commands.h"
#include "pipeline.h"
#include "runs.h"

namespace cmb2kueue::cli {

namespace {

base::Result<std::vector<OpenTarget>> every_cell(Session& session) {
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return cells.status();
  return open_targets(session, cells.value());
}

void add_next(const cutover::State& state, const std::string& target, std::vector<std::string>& lines) {
  for (const auto& [hash, tenant] : state.enrolled) {
    const std::string name = base::quoted(tenant.display, 200);
    if (tenant.state == cutover::TenantState::open)
      lines.push_back(
          fmt::format("switch {} at CMB, then: cutover {} --switched --reason '...' --target {} (with the same "
                      "-e and -m, or --plan)",
                      name, name, target));
    else if (tenant.state == cutover::TenantState::moved)
      lines.push_back(fmt::format("after a good while: complete {} --target {}", name, target));
    else if (tenant.state == cutover::TenantState::draining)
      lines.push_back(fmt::format("finish the rollback: rollback {} --switched-back --target {}", name, target));
    else if (tenant.state < cutover::TenantState::open)
      lines.push_back(
          fmt::format("finish or undo the run: the same cutover again, or abort {} --target {}", name, target));
  }
}

base::Status add_lock(const cutover::Context& context, report::Report& report) {
  const base::Result<std::optional<cutover::LockInfo>> info = cutover::lock_info(context);
  if (!info.ok()) return info.status();
  report::Facts facts{"lock", "Lock", {}};
  const bool held = info.value().has_value();
  const char* words[] = {"alive", "dead", "unknown"};
  facts.facts = {{"holder", "holder", held ? info.value()->holder : ""},
                 {"run", "run", held ? info.value()->run : ""},
                 {"since", "since", held ? info.value()->since : ""},
                 {"liveness", "liveness", held ? words[static_cast<int>(info.value()->liveness)] : ""}};
  if (held) report.blocks.emplace_back(std::move(facts));
  return {};
}

report::Facts counts_of(const std::map<std::string, std::uint64_t>& counts) {
  report::Facts facts{"states", "Tenants per state", {}};
  for (const auto& [state, count] : counts) facts.facts.push_back({state, state, std::to_string(count), true});
  if (counts.empty()) facts.facts.push_back({"Enrolled", "enrolled", "0", true});
  return facts;
}

void keep_named_rows(const Session& session, report::Table& table) {
  const std::vector<std::string>& names = session.arguments.positional;
  if (names.empty()) return;
  std::erase_if(table.rows, [&](const std::vector<std::string>& row) {
    return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::find(row.begin(), row.end(), name) != row.end();
    });
  });
}

}  // namespace

int cmd_status(Session& session) {
  base::Result<std::vector<OpenTarget>> targets = every_cell(session);
  if (!targets.ok()) return session.fail(targets.status());
  report::Report report{"StatusReport", "Status", {}};
  std::map<std::string, std::uint64_t> counts;
  std::vector<std::string> next;
  std::vector<report::Table> tables;
  for (OpenTarget& target : targets.value()) {
    const cutover::Context context = context_for(session, target);
    const base::Result<cutover::State> state = cutover::load_state(context);
    if (!state.ok()) return session.fail(state.status());
    for (const auto& [hash, tenant] : state->enrolled) ++counts[to_string(tenant.state)];
    tables.push_back(report::state_table(state.value()));
    if (session.arguments.has("--capacity")) tables.push_back(report::capacity_table(state.value()));
    add_next(state.value(), target.address.text, next);
    const base::Status locked = add_lock(context, report);
    if (!locked.ok()) return session.fail(locked);
  }
  report.blocks.insert(report.blocks.begin(), counts_of(counts));
  for (report::Table& table : tables) {
    keep_named_rows(session, table);
    report.blocks.emplace_back(std::move(table));
  }
  report.blocks.emplace_back(report::Next{"next", next});
  return session.finish(std::move(report));
}

int cmd_verify(Session& session) {
  base::Result<std::vector<OpenTarget>> targets = every_cell(session);
  if (!targets.ok()) return session.fail(targets.status());
  report::Report report{"VerifyReport", "Verification", {}};
  report::Table table{
      "cells", "Cells", {{"cell", "cell"}, {"objects", "promised objects", true}, {"verdict", "verdict"}},
      {},      0,       ""};
  bool differs = false;
  for (OpenTarget& target : targets.value()) {
    const cutover::Context context = context_for(session, target);
    const std::uint64_t before = session.findings.count(base::Severity::error);
    const base::Result<cutover::State> state = cutover::load_state(context);
    if (!state.ok()) return session.fail(state.status());
    const base::Status status = cutover::verify(context, session.files, session.findings);
    if (!status.ok()) return session.fail(status);
    const std::uint64_t errors = session.findings.count(base::Severity::error) - before;
    differs |= errors > 0;
    table.rows.push_back({target.cell, std::to_string(cutover::expected_objects(state.value()).size()),
                          errors == 0 ? "as promised" : base::counted(errors, "difference")});
  }
  report.blocks.emplace_back(std::move(table));
  return session.finish(std::move(report), differs ? exit_code(base::ErrorKind::mismatch) : 0);
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
  report::Report report{"HistoryReport", "", {}};
  report::Table table = report::history_table(all);
  keep_named_rows(session, table);
  report.blocks.emplace_back(std::move(table));
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
