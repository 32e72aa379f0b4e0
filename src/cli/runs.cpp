// Several tenants, several cells, one report.
#include "runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cmb2kueue/base/duration.h"
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

RunCollector::Taken& RunCollector::place_of(const std::string& cell, const std::string& tenant) {
  const auto [place, fresh] = places_.try_emplace({cell, tenant}, taken_.size());
  if (fresh) taken_.emplace_back();
  return taken_[place->second];
}

void RunCollector::add(const std::string& cell, const std::string& tenant,
                       const base::Result<cutover::Outcome>& outcome) {
  Taken& taken = place_of(cell, tenant);
  if (outcome.ok()) {
    const bool differs = !outcome->differs.empty();
    taken = {cell,
             tenant,
             to_string(outcome->state),
             differs ? outcome->differs.front() : "",
             differs ? exit_code(base::ErrorKind::mismatch) : 0,
             false,
             outcome->next};
    events_.insert(events_.end(), outcome->events.begin(), outcome->events.end());
    return;
  }
  const std::string& message = outcome.status().message();
  const bool said = taken.failed && taken.message == message;
  taken = {cell, tenant, "Failed", message, exit_code(outcome.status().kind()), true, {}};
  if (said) return;
  std::string line =
      report::describe(cell.empty() ? outcome.status() : outcome.status().prefixed("cell " + cell), session_.files);
  line.pop_back();
  session_.console.talk(line);
}

void RunCollector::gave_up() {
  gave_up_ = true;
  session_.console.talk("gave up waiting; the same command goes on");
}

// A tenant is switched in all its cells at once, so what one cell says is next waits for the others.
std::vector<std::string> RunCollector::next_lines() const {
  std::vector<std::string> lines, tenants;
  std::map<std::string, std::vector<const Taken*>> by_tenant;
  for (const Taken& one : taken_) {
    std::vector<const Taken*>& all = by_tenant[one.tenant];
    if (all.empty()) tenants.push_back(one.tenant);
    all.push_back(&one);
  }
  for (const std::string& tenant : tenants) {
    std::vector<std::string> failed, next;
    for (const Taken* one : by_tenant[tenant]) {
      if (one->failed) failed.push_back(one->cell);
      for (const std::string& line : one->next)
        if (std::find(next.begin(), next.end(), line) == next.end()) next.push_back(line);
    }
    if (!failed.empty() && !next.empty())
      next = {fmt::format("{} is not done in {}: mend what is said above, then the same command again",
                          base::quoted(tenant, 200), fmt::join(failed, ", "))};
    lines.insert(lines.end(), next.begin(), next.end());
  }
  return lines;
}

int RunCollector::worst_code() const {
  std::vector<int> codes;
  if (gave_up_) codes.push_back(exit_code(base::ErrorKind::interrupted));
  for (const Taken& one : taken_) codes.push_back(one.code);
  for (const int wanted : {7, 8, 4, 5, 6, 3, 2})
    if (std::find(codes.begin(), codes.end(), wanted) != codes.end()) return wanted;
  return 0;
}

int RunCollector::finish() {
  report::Report report{kind_, "", {}};
  if (!events_.empty()) report.blocks.emplace_back(report::event_table(events_));
  report::Table results{"results", "Results", {}, {}, 0, ""};
  if (!taken_.empty())
    results.columns = {{"cell", "cell"}, {"tenant", "tenant"}, {"state", "state"}, {"message", "message"}};
  for (const Taken& one : taken_) results.rows.push_back({one.cell, one.tenant, one.state, one.message});
  report.blocks.emplace_back(std::move(results));
  report.blocks.emplace_back(report::Next{"next", next_lines()});
  return session_.finish(std::move(report), worst_code());
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
                                                      const std::vector<cutover::State>& states,
                                                      const EnrolledVerb& verb) {
  base::Result<std::vector<std::string>> chosen =
      select(nameable(states), session.arguments.positional, "is not the name of an enrolled tenant",
             "cmb2kueue status lists who is enrolled");
  if (!chosen.ok()) return chosen;
  const std::string run = session.arguments.value("--run");
  for (const cutover::State& state : states)
    for (const auto& [hash, tenant] : state.enrolled)
      if ((session.arguments.has("--all") && (!verb.means || verb.means(tenant))) ||
          (!run.empty() && tenant.run == run))
        chosen->push_back(hash);
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

constexpr std::int64_t between_looks_ms = 5'000;

// One tenant in one cell.
struct Turn {
  OpenTarget* target;
  std::string cell, tenant, hash;
};

std::vector<Turn> turns_of(std::vector<OpenTarget>& targets, const std::vector<cutover::State>& states,
                           const std::vector<std::string>& chosen) {
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (const auto& [hash, tenant] : states[i].enrolled)
      if (std::binary_search(chosen.begin(), chosen.end(), hash))
        turns.push_back({&targets[i], states[i].cell, tenant.display, hash});
  return turns;
}

class Waiting {
 public:
  Waiting(Session& session, std::int64_t timeout_ms)
      : session_(session), timeout_ms_(timeout_ms), began_ms_(session.clock.now_ms()) {}

  // Looks again soon; false when it is time to give up.
  bool once_more(const std::vector<Turn>& turns) {
    session_.console.talk(fmt::format("waiting for {}: {}", base::counted(turns.size(), "tenant"),
                                      base::quoted(turns.front().tenant, 200)));
    session_.clock.sleep_ms(between_looks_ms);
    return *stop_flag() == 0 && (timeout_ms_ == 0 || session_.clock.now_ms() - began_ms_ < timeout_ms_);
  }

 private:
  Session& session_;
  std::int64_t timeout_ms_, began_ms_;
};

base::Result<std::int64_t> waiting_time(const Session& session) {
  const std::string typed = session.arguments.value("--timeout", "0");
  const std::int64_t ms = base::parse_duration_ms(typed);
  if (ms >= 0) return ms;
  return base::Status(base::ErrorKind::usage,
                      "--timeout takes a time such as 90s or 2h, not " + base::quoted(typed));
}

// Acts on each; where the verb waits for some, on those again.
void take_turns(Session& session, std::vector<Turn> turns, const EnrolledVerb& verb, std::int64_t timeout_ms,
                RunCollector& collector) {
  Waiting waiting(session, timeout_ms);
  while (!turns.empty()) {
    std::vector<Turn> unfinished;
    for (const Turn& turn : turns) {
      const base::Result<cutover::Outcome> outcome = verb.act(context_for(session, *turn.target), turn.hash);
      const bool goes_on = outcome.ok()
                               ? verb.unfinished && verb.unfinished(outcome.value())
                               : verb.unfinished && outcome.status().kind() == base::ErrorKind::interrupted;
      collector.add(turn.cell, turn.tenant, outcome);
      if (goes_on) unfinished.push_back(turn);
    }
    if (unfinished.empty()) return;
    if (!waiting.once_more(unfinished)) return collector.gave_up();
    turns = std::move(unfinished);
  }
}

}  // namespace

int for_each_enrolled(Session& session, const EnrolledVerb& verb) {
  const base::Status options = check_run_options(session);
  if (!options.ok()) return session.fail(options);
  const bool anybody =
      !session.arguments.positional.empty() || session.arguments.has("--all") || session.arguments.has("--run");
  if (!anybody)
    return session.fail(base::Status(base::ErrorKind::usage, "no tenant was named", "name tenants, or see --help"));
  const base::Result<std::int64_t> timeout = waiting_time(session);
  if (!timeout.ok()) return session.fail(timeout.status());
  const base::Status other_side = open_other_side(session);
  if (!other_side.ok()) return session.fail(other_side);
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return session.fail(cells.status());
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cells.value());
  if (!targets.ok()) return session.fail(targets.status());
  const base::Result<std::vector<cutover::State>> states = states_of(session, targets.value());
  if (!states.ok()) return session.fail(states.status());
  const base::Result<std::vector<std::string>> chosen = chosen_tenants(session, states.value(), verb);
  if (!chosen.ok()) return session.fail(chosen.status());
  RunCollector collector(session, verb.report);
  take_turns(session, turns_of(targets.value(), states.value(), chosen.value()), verb, timeout.value(), collector);
  return collector.finish();
}

}  // namespace cmb2kueue::cli
