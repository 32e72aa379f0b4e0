// Several tenants, several cells, one report.
#include "runs.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/report/documents.h"

namespace cmb2kueue::cli {

base::Status check_run_options(const Session& session) {
  const std::string mode = session.arguments.value("--dry-run", "none");
  if (mode != "none" && mode != "client")
    return base::Status(
        base::ErrorKind::usage,
        "--dry-run takes none or client, not " + base::quoted(mode) + base::did_you_mean(mode, {"none", "client"}),
        mode == "server" ? "a folder has no server to ask" : "");
  return {};
}

void RunCollector::add(const std::string& cell, const std::string& tenant,
                       const base::Result<cutover::Outcome>& outcome) {
  if (results_.columns.empty())
    results_.columns = {{"cell", "cell"}, {"tenant", "tenant"}, {"state", "state"}, {"message", "message"}};
  if (outcome.ok()) {
    const bool differs = !outcome->differs.empty();
    if (differs) codes_.push_back(exit_code(base::ErrorKind::mismatch));
    results_.rows.push_back({cell, tenant, to_string(outcome->state), differs ? outcome->differs.front() : ""});
    events_.insert(events_.end(), outcome->events.begin(), outcome->events.end());
    for (const std::string& line : outcome->next)
      if (std::find(next_.begin(), next_.end(), line) == next_.end()) next_.push_back(line);
    return;
  }
  results_.rows.push_back({cell, tenant, "Failed", outcome.status().message()});
  codes_.push_back(exit_code(outcome.status().kind()));
  std::string line = report::describe(outcome.status(), session_.files);
  line.pop_back();
  session_.console.talk(line);
}

int RunCollector::finish() {
  report::Report report{kind_, "", {}};
  if (!events_.empty()) report.blocks.emplace_back(report::event_table(events_));
  report.blocks.emplace_back(std::move(results_));
  report.blocks.emplace_back(report::Next{"next", next_});
  int code = 0;
  for (const int wanted : {3, 6, 5, 4, 8, 7, 2})
    if (std::find(codes_.begin(), codes_.end(), wanted) != codes_.end() && (wanted != 2 || code == 0))
      code = wanted;
  return session_.finish(std::move(report), code);
}

namespace {

bool names(const cutover::Enrolled& tenant, const std::string& selector) {
  return tenant.id == selector || tenant.display == selector || tenant.object == selector ||
         tenant.hash == selector;
}

bool below(const cutover::Enrolled& tenant, const std::string& selector) {
  return selector.starts_with("/") && tenant.display.starts_with(selector + "/");
}

}  // namespace

base::Result<std::vector<std::string>> chosen_tenants(const Session& session, const cutover::State& state) {
  std::vector<std::string> hashes, candidates;
  const std::string run = session.arguments.value("--run");
  for (const auto& [hash, tenant] : state.enrolled) {
    candidates.push_back(tenant.display);
    if (session.arguments.has("--all") || (!run.empty() && tenant.run == run)) hashes.push_back(hash);
  }
  for (const std::string& selector : session.arguments.positional) {
    const std::size_t before = hashes.size();
    for (const auto& [hash, tenant] : state.enrolled)
      if (names(tenant, selector) || below(tenant, selector)) hashes.push_back(hash);
    if (hashes.size() == before)
      return base::Status(
          base::ErrorKind::not_found,
          "no enrolled tenant is called " + base::quoted(selector) + base::did_you_mean(selector, candidates),
          "cmb2kueue status lists who is enrolled");
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

int for_each_enrolled(
    Session& session, const std::string& kind,
    const std::function<base::Result<cutover::Outcome>(const cutover::Context&, const std::string&)>& act) {
  const base::Status options = check_run_options(session);
  if (!options.ok()) return session.fail(options);
  const bool anybody =
      !session.arguments.positional.empty() || session.arguments.has("--all") || session.arguments.has("--run");
  if (!anybody)
    return session.fail(base::Status(base::ErrorKind::usage, "no tenant was named", "name tenants, or see --help"));
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return session.fail(cells.status());
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cells.value());
  if (!targets.ok()) return session.fail(targets.status());
  RunCollector collector(session, kind);
  for (OpenTarget& target : targets.value()) {
    const cutover::Context context = context_for(session, target);
    const base::Result<cutover::State> state = cutover::load_state(context);
    if (!state.ok()) return session.fail(state.status());
    const base::Result<std::vector<std::string>> chosen = chosen_tenants(session, state.value());
    if (!chosen.ok()) return session.fail(chosen.status());
    for (const std::string& hash : chosen.value())
      collector.add(target.cell, state->enrolled.at(hash).display, act(context, hash));
  }
  return collector.finish();
}

}  // namespace cmb2kueue::cli
