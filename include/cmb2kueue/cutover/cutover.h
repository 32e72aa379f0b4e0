// Moving tenants and bringing them back: the verbs that write. Everything is journalled before it is done, so the
// same command again goes on where a dead one stopped.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/cutover/plan.h"
#include "cmb2kueue/cutover/state.h"
#include "cmb2kueue/hooks/other_side.h"
#include "cmb2kueue/target/target.h"

namespace cmb2kueue::cutover {

// One thing a run did or would do, for the report and for progress.
struct Event {
  std::string cell, tenant, step;
  std::string phase;  // "done", "skipped" (not checked, not observed), "undone", "would" (dry run), "needs" (you)
  std::string what;   // one sentence
};
using Progress = std::function<void(const Event&)>;

// What every run is given. Nothing is owned.
struct Context {
  target::Target* target = nullptr;
  std::string cell;
  base::Clock* clock = nullptr;
  base::ProcessIdentity who;
  std::string reason;  // --reason, recorded
  std::string tool_version;
  bool dry_run = false;                    // nothing is written, events say "would"
  bool ask_server = false;                 // in a dry run: each write is put before the server without being made
  std::vector<std::string> not_observed;   // what this kind of target cannot see
  std::vector<std::string> take_over;      // field managers whose objects a cutover may take
  std::int64_t ready_timeout_ms = 60'000;  // how long queues may take to become ready
  Progress progress;                       // may be empty
  const volatile int* stop = nullptr;      // nonzero asks to stop after the request in flight
  // Who stands for CMB; nullptr: the operator, by --switched, --switched-back and a signed partition.
  hooks::OtherSide* other_side = nullptr;
};

struct Outcome {
  TenantState state = TenantState::not_enrolled;
  std::vector<Event> events;
  std::vector<std::string> next;  // what a person does now: exact commands or what to switch at CMB
  // After a rollback that ran to its end: what is still not as it was, one line each, because it would have taken
  // something of somebody else's with it. Not empty means exit code 7.
  std::vector<std::string> differs;
};

// State of the cell (checkpoint plus newer journal records). An untouched target gives an empty state.
base::Result<State> load_state(const Context& context);

// The plan a tenant that is enrolled was moved by; its first run keeps it with the records, so that a run which
// began with a plan made on the spot goes on with that very plan. Nothing when the tenant is not enrolled.
base::Result<std::optional<Plan>> kept_plan(const Context& context, const std::string& tenant_hash);

// Moves one planned tenant as far as it goes without hooks: state Open, then with `switched` (the operator's word
// that CMB now sends its work to Kueue; usage before the tenant is Open) on to Moved. Running it again is harmless
// and resumes. Errors: input (no partition, or one that does not fit), usage (an unknown step to hold after),
// conflict, stale, locked, mismatch (live is not what was promised), interrupted. A failure before the switch
// undoes what this run did, under the same lock; after the switch everything stays as it is, since only a person
// can switch back.
struct CutoverOptions {
  bool switched = false;
  std::string hold_after;  // a step's name: never go past it, also when it was done by an earlier run
  bool rollback_on_failure = true;
};
base::Result<Outcome> cut_over(const Context& context, const Plan& plan, const PlanCell& cell,
                               const PlannedTenant& tenant, const CutoverOptions& options);

// What a cutover of each tenant of the plan would refuse now, before its first write; in the plan's order, at most
// one a tenant. Writes nothing and takes no lock.
struct Objection {
  std::string tenant;  // its path
  base::Status status;
};
base::Result<std::vector<Objection>> objections(Context context, const Plan& plan, const PlanCell& cell);

// Brings one tenant back in two marks: intake restored (`switched_back`, or nothing had been switched), then
// Restored: own objects to their before-images, shared objects recomputed. Stopped by neither drift (foreign edits
// are saved and shown first) nor a lock (a live run is aborted, its lock taken over). Repeatable after any failure.
// Errors: not_found (not enrolled), usage (its work goes to Kueue and nobody said it was switched back; nothing was
// touched then, no lock either), conflict (its snapshot was dropped by complete; nothing was touched).
struct RollbackOptions {
  bool switched_back = false;  // the operator's word, where no hook says it
  // The operator's word that Kueue uses no more than its lowered quotas, where the target cannot show it.
  bool drained = false;
};
base::Result<Outcome> roll_back(const Context& context, const std::string& tenant_hash,
                                const RollbackOptions& options);

// Takes the next stage of a tenant's ramp, once CMB has let go of what the stage before asked for; the last one
// ends the move. Safe to repeat at any time. A failure undoes nothing. Errors: not_found, usage (its work does not
// go to Kueue, or nobody stands for CMB), those of cut_over.
base::Result<Outcome> ramp(const Context& context, const std::string& tenant_hash);

// Drops the snapshot of a moved tenant; refuses while ramping or draining.
base::Result<Outcome> complete(const Context& context, const std::string& tenant_hash);

// Ends an unfinished run that has not been switched: takes its lock over and undoes it.
base::Result<Outcome> abort_run(const Context& context, const std::string& tenant_hash);

// Removes the lock of a holder named by `holder` (as `status` prints it); refuses a live holder of this host.
base::Result<Outcome> unlock(const Context& context, const std::string& holder);

// Live against promised: every expected object equal by value, sums of allotments, an acyclic cohort graph.
// Findings have ids V-...; mismatches are errors.
base::Status verify(const Context& context, base::SourceFiles& files, base::Findings& findings);

// A field of a promised object that is not what was promised, and who wrote it last where a cluster says so.
struct Drift {
  kueue::ObjectKey key;
  std::string field;           // "" for an object that is not there
  std::string promised, live;  // as diff prints them
  std::vector<std::string> managers;
};
// Sorted by object and field; cosmetic differences left out. One listing of the target.
base::Result<std::vector<Drift>> find_drift(const Context& context, const State& state);

struct HistoryEntry {
  std::uint64_t seq = 0;
  std::string time, cell, run, tenant, verb, step, phase, object, who, reason;
};
base::Result<std::vector<HistoryEntry>> history(const Context& context);

// Who holds the lock, "" when nobody does; and whether that process lives.
struct LockInfo {
  std::string holder, run, since;
  base::Liveness liveness = base::Liveness::unknown;
};
base::Result<std::optional<LockInfo>> lock_info(const Context& context);

// The steps in order with one line each, for help, --hold-after and the manual.
struct StepInfo {
  std::string_view name, does, undo;
};
const std::vector<StepInfo>& steps();

struct VerifyRule {
  std::string_view id;
  base::Severity severity;
  std::string_view summary;
};
const std::vector<VerifyRule>& verify_rules();

}  // namespace cmb2kueue::cutover
