// Several tenants, several cells, one report.
#include "runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/report/documents.h"
#include "selectors.h"

namespace cmb2kueue::cli {

base::Status check_run_options(const Session& session) {
  const std::string mode = session.arguments.value("--dry-run", "none");
  const std::vector<std::string> words = {"none", "client", "server"};
  if (std::find(words.begin(), words.end(), mode) == words.end())
    return base::Status(base::ErrorKind::usage, "--dry-run takes none, client or server, not " +
                                                    base::quoted(mode) + base::did_you_mean(mode, words));
  for (const std::string& target : session.arguments.list("--target"))
    if (mode == "server" && target.find("kube:") == std::string::npos)
      return base::Status(base::ErrorKind::usage, base::quoted(target) + " has no server to ask",
                          "--dry-run client says what would be done");
  return {};
}

void RunCollector::add(const std::string& cell, const std::string& tenant,
                       const base::Result<cutover::Outcome>& outcome) {
  if (results_.columns.empty())
    results_.columns = {{"cell", "cell"}, {"tenant", "tenant"}, {"state", "state"}, {"message", "message"}};
  if (told_.empty() || told_.back().first != tenant) {
    const auto known =
        std::find_if(told_.begin(), told_.end(), [&](const auto& one) { return one.first == tenant; });
    if (known == told_.end())
      told_.emplace_back(tenant, Told());
    else
      std::rotate(known, known + 1, told_.end());
  }
  Told& told = told_.back().second;
  if (outcome.ok()) {
    const bool differs = !outcome->differs.empty();
    if (differs) codes_.push_back(exit_code(base::ErrorKind::mismatch));
    results_.rows.push_back({cell, tenant, to_string(outcome->state), differs ? outcome->differs.front() : ""});
    events_.insert(events_.end(), outcome->events.begin(), outcome->events.end());
    for (const std::string& line : outcome->next)
      if (std::find(told.next.begin(), told.next.end(), line) == told.next.end()) told.next.push_back(line);
    return;
  }
  told.failed = true;
  told.cells.push_back(cell);
  results_.rows.push_back({cell, tenant, "Failed", outcome.status().message()});
  codes_.push_back(exit_code(outcome.status().kind()));
  std::string line =
      report::describe(cell.empty() ? outcome.status() : outcome.status().prefixed("cell " + cell), session_.files);
  line.pop_back();
  session_.console.talk(line);
}

// A tenant is switched in all its cells at once, so what one cell says is next waits for the others.
std::vector<std::string> RunCollector::next_lines() const {
  std::vector<std::string> lines;
  for (const auto& [tenant, told] : told_) {
    if (told.failed && !told.next.empty())
      lines.push_back(fmt::format("{} is not done in {}: mend what is said above, then the same command again",
                                  base::quoted(tenant, 200), fmt::join(told.cells, ", ")));
    else
      lines.insert(lines.end(), told.next.begin(), told.next.end());
  }
  return lines;
}

int RunCollector::finish() {
  report::Report report{kind_, "", {}};
  if (!events_.empty()) report.blocks.emplace_back(report::event_table(events_));
  report.blocks.emplace_back(std::move(results_));
  report.blocks.emplace_back(report::Next{"next", next_lines()});
  int code = 0;
  for (const int wanted : {3, 6, 5, 4, 8, 7, 2})
    if (std::find(codes_.begin(), codes_.end(), wanted) != codes_.end() && (wanted != 2 || code == 0))
      code = wanted;
  return session_.finish(std::move(report), code);
}

namespace {

std::vector<Nameable> nameable(const std::vector<cutover::State>& states) {
  std::vector<Nameable> all;
  for (const cutover::State& state : states)
    for (const auto& [hash, tenant] : state.enrolled)
      all.push_back({hash, tenant.id, tenant.object, tenant.display});
  return all;
}

base::Result<std::vector<std::string>> chosen_tenants(const Session& session,
                                                      const std::vector<cutover::State>& states) {
  base::Result<std::vector<std::string>> chosen =
      select(nameable(states), session.arguments.positional, "is not the name of an enrolled tenant",
             "cmb2kueue status lists who is enrolled");
  if (!chosen.ok()) return chosen;
  const std::string run = session.arguments.value("--run");
  for (const cutover::State& state : states)
    for (const auto& [hash, tenant] : state.enrolled)
      if (session.arguments.has("--all") || (!run.empty() && tenant.run == run)) chosen->push_back(hash);
  if (chosen->empty() && !run.empty())
    return base::Status(base::ErrorKind::not_found, "no enrolled tenant was moved by the run " + base::quoted(run),
                        "cmb2kueue status lists the runs");
  std::sort(chosen->begin(), chosen->end());
  return chosen;
}

base::Result<std::vector<cutover::State>> states_of(Session& session, std::vector<OpenTarget>& targets) {
  std::vector<cutover::State> states;
  for (OpenTarget& target : targets) {
    base::Result<cutover::State> state = cutover::load_state(context_for(session, target));
    if (!state.ok()) return state.status();
    states.push_back(std::move(state).value());
  }
  return states;
}

}  // namespace

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
  const base::Result<std::vector<cutover::State>> states = states_of(session, targets.value());
  if (!states.ok()) return session.fail(states.status());
  const base::Result<std::vector<std::string>> chosen = chosen_tenants(session, states.value());
  if (!chosen.ok()) return session.fail(chosen.status());
  RunCollector collector(session, kind);
  for (std::size_t i = 0; i < targets->size(); ++i) {
    const cutover::Context context = context_for(session, targets.value()[i]);
    for (const auto& [hash, tenant] : states.value()[i].enrolled)
      if (std::binary_search(chosen->begin(), chosen->end(), hash))
        collector.add(states.value()[i].cell, tenant.display, act(context, hash));
  }
  return collector.finish();
}

}  // namespace cmb2kueue::cli
