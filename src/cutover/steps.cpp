// The steps themselves. Undoing lies in rollback.cpp for all of them alike: what a step wrote is in the state, and
// rollback gives back what is there, so a step needs no undo of its own beyond the line that says what it is.
#include "steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/diff/change_set.h"
#include "snapshot.h"

namespace cmb2kueue::cutover {

namespace {

TenantState state_of(const Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  return tenant == nullptr ? TenantState::not_enrolled : tenant->state;
}

bool at_least(const Task& task, TenantState state) {
  return state_of(task) >= state;
}

Enrolled copy_of(const Task& task) {
  return *enrolled_of(task.run.state(), task.tenant.hash);
}

Enrolled advanced(const Task& task, TenantState state, std::string_view step) {
  Enrolled tenant = copy_of(task);
  tenant.state = std::max(tenant.state, state);
  tenant.step = step;
  return tenant;
}

// snapshot: keep the tenant's own objects as they stand, note who it is and what it shares.
base::Status take_snapshot(Task& task) {
  Run& run = task.run;
  Enrolled tenant;
  tenant.hash = task.tenant.hash;
  tenant.id = task.tenant.id;
  tenant.object = task.tenant.object;
  tenant.display = task.tenant.display;
  tenant.run = run_id(task.plan, task.tenant);
  tenant.nonce = task.plan.nonce;
  tenant.step = "snapshot";
  tenant.objects = task.tenant.objects;
  tenant.acceptances = task.tenant.acceptances;
  const base::Result<std::string> kept = keep_snapshot(run.context, tenant.run, tenant_bundle(tenant.object));
  if (!kept.ok()) return kept.status();
  tenant.snapshot = kept.value();
  Changes changes = change_of(std::move(tenant));
  changes.inputs = task.plan.inputs;
  changes.inputs->partition = task.cell.partition;
  if (run.state().tree.nodes.empty() || run.state().enrolled.empty()) changes.tree = task.cell.tree;
  changes.used = {task.plan.nonce + ":" + task.tenant.hash};
  const base::Result<target::Image> before = run.context.target->capture(tenant_bundle(task.tenant.object));
  if (!before.ok()) return before.status();
  changes.versions[before->bundle] = before->version;  // whoever changes it from here on is noticed
  const base::Status recorded = run.record("snapshot", std::move(changes));
  if (recorded.ok()) run.event("snapshot", "done", "kept the tenant's own objects as they stand");
  return recorded;
}

// An object of the same key that is not in the bundle it would have: it was there before us.
const target::Live* foreign(const std::vector<target::Live>& live, const PlannedShared& shared) {
  const kueue::ObjectKey key = kueue::key_of(shared.object);
  for (const target::Live& one : live)
    if (kueue::key_of(one.object) == key) return &one;
  return nullptr;
}

base::Status adopt_or_make(Task& task, const std::vector<target::Live>& live, const PlannedShared& planned,
                           Changes& changes) {
  const kueue::ObjectKey key = kueue::key_of(planned.object);
  const auto known = task.run.state().shared.find(key);
  SharedObject shared;
  if (known != task.run.state().shared.end()) {
    shared = known->second;
  } else {
    shared.object = planned.object;
    shared.bundle = planned.bundle;
    if (const target::Live* found = foreign(live, planned)) {
      if (!task.run.state().versions.contains(planned.bundle)) {
        const diff::ChangeSet differences = diff::change_set({found->object}, {planned.object});
        if (differences.differs())
          return base::Status(
              base::ErrorKind::conflict,
              fmt::format("{} exists in {} and is not what the mapping wants", to_string(key), found->where),
              "make the two equal, or give the flavor or tenant another name in the mapping", found->place);
        shared.adopted = true;
        task.run.event("shared", "done",
                       "took " + to_string(key) + " as it was; it will never be written or removed");
      }
    }
  }
  if (std::find(shared.users.begin(), shared.users.end(), task.tenant.hash) == shared.users.end()) {
    shared.users.push_back(task.tenant.hash);
    std::sort(shared.users.begin(), shared.users.end());
    changes.shared[key] = shared;
  }
  return {};
}

// shared: flavors, priority classes and the chain of Cohorts are there, at their present allotments (0 at first).
base::Status make_shared(Task& task) {
  base::SourceFiles files;
  base::Findings ignored;  // preflight has reported what does not parse
  const base::Result<std::vector<target::Live>> live = task.run.context.target->list(files, ignored);
  if (!live.ok()) return live.status();
  Changes changes;
  for (const PlannedShared& planned : task.cell.shared) {
    if (std::find(planned.users.begin(), planned.users.end(), task.tenant.hash) == planned.users.end()) continue;
    const base::Status status = adopt_or_make(task, live.value(), planned, changes);
    if (!status.ok()) return status;
  }
  if (!changes.shared.empty()) {
    const base::Status recorded = task.run.record("shared", std::move(changes));
    if (!recorded.ok()) return recorded;
  }
  const base::Status written = task.run.write_shared("shared", task.run.state());
  if (!written.ok()) return written;
  task.run.event("shared", "done", "flavors, priority classes and Cohorts are there");
  return task.run.record("shared", change_of(advanced(task, TenantState::preparing, "shared")));
}

base::Status write_tenant(Task& task, Enrolled tenant, std::string_view step) {
  const target::Bundle bundle{tenant_bundle(tenant.object), tenant_objects(task.run.state(), tenant)};
  return task.run.write(step, bundle, change_of(std::move(tenant)));
}

// hold: the tenant's objects, its ClusterQueue stopped.
base::Status hold(Task& task) {
  Enrolled tenant = advanced(task, TenantState::held, "hold");
  tenant.held = true;
  const base::Status written = write_tenant(task, std::move(tenant), "hold");
  if (written.ok()) task.run.event("hold", "done", "the tenant's objects are there, its ClusterQueue on Hold");
  return written;
}

// capacity: what the other side has given up becomes Kueue's, shared objects first.
base::Status move_capacity(Task& task) {
  if (!copy_of(task).counts) {
    Enrolled tenant = copy_of(task);
    tenant.counts = true;
    tenant.moved = 100;
    State wanted = task.run.state();
    wanted.enrolled[tenant.hash] = tenant;
    Changes changes = change_of(std::move(tenant));
    changes.allotments = settled_allotments(wanted);
    const base::Status recorded = task.run.record("capacity", std::move(changes));
    if (!recorded.ok()) return recorded;
  }
  base::Status status = task.run.write_shared("capacity", task.run.state());
  if (status.ok()) status = write_tenant(task, advanced(task, TenantState::held, "capacity"), "capacity");
  if (status.ok()) task.run.event("capacity", "done", "the capacity CMB keeps free is Kueue's quota");
  return status;
}

// open: the queue admits work; until CMB is switched none arrives.
base::Status open_queue(Task& task) {
  Enrolled tenant = advanced(task, TenantState::open, "open");
  tenant.held = false;
  const base::Status written = write_tenant(task, std::move(tenant), "open");
  if (!written.ok()) return written;
  task.run.event("open", "done", "the ClusterQueue is open");
  for (const std::string& what : task.run.context.not_observed)
    task.run.event("open", "skipped", "not checked: " + what);
  return written;
}

// switched: the operator's word that CMB sends the work to Kueue now.
base::Status take_word(Task& task) {
  if (!task.options.switched) return {};  // the run ends in state Open
  const base::Status recorded =
      task.run.record("switched", change_of(advanced(task, TenantState::switched, "switched")));
  if (recorded.ok()) task.run.event("switched", "done", "recorded that CMB sends this tenant's work to Kueue");
  return recorded;
}

// moved: live is what was planned.
base::Status settle(Task& task) {
  if (!at_least(task, TenantState::switched)) return {};
  const base::Status written = write_tenant(task, advanced(task, TenantState::moved, "moved"), "moved");
  if (!written.ok()) return written;
  task.run.event("moved", "done", "live objects are what was planned");
  if (!task.tenant.job_ids.empty())
    task.run.event("moved", "skipped",
                   fmt::format("{} stay queued at CMB; they are not moved without its help",
                               base::counted(task.tenant.job_ids.size(), "job")));
  return written;
}

bool never(const Task&) {
  return false;
}
template <TenantState State>
bool reached(const Task& task) {
  return at_least(task, State);
}
bool snapshot_taken(const Task& task) {
  return enrolled_of(task.run.state(), task.tenant.hash) != nullptr;
}
bool capacity_moved(const Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  return tenant != nullptr && tenant->state >= TenantState::open;
}

}  // namespace

const Enrolled* enrolled_of(const State& state, const std::string& hash) {
  const auto found = state.enrolled.find(hash);
  return found == state.enrolled.end() ? nullptr : &found->second;
}

Changes change_of(Enrolled tenant) {
  Changes changes;
  const std::string hash = tenant.hash;
  changes.enrolled[hash] = std::move(tenant);
  return changes;
}

std::string run_id(const Plan& plan, const PlannedTenant& tenant) {
  return "r-" + base::sha256_base32(plan.nonce + ":" + tenant.hash, 12);
}

const std::vector<Step>& cutover_steps() {
  static const std::vector<Step> table = {
      {{"preflight", "check the plan, the partition, names, conflicts and the graph", "nothing to undo"},
       never,
       preflight},
      {{"snapshot", "keep the tenant's own objects as they stand", "the snapshot stays until complete"},
       snapshot_taken,
       take_snapshot},
      {{"shared", "make or adopt flavors, priority classes and Cohorts", "remove those without users"},
       reached<TenantState::open>,
       make_shared},
      {{"hold", "write the tenant's objects, the ClusterQueue on Hold", "put the snapshot back"},
       reached<TenantState::open>,
       hold},
      {{"capacity", "raise quotas to what CMB has given up", "lower them again, then give the parts back"},
       capacity_moved,
       move_capacity},
      {{"open", "open the ClusterQueue", "hold it"}, reached<TenantState::open>, open_queue},
      {{"switched", "record the operator's word that CMB was switched", "needs --switched-back"},
       reached<TenantState::switched>,
       take_word},
      {{"moved", "compare live with the plan; the tenant has moved", "roll back"},
       reached<TenantState::moved>,
       settle},
  };
  return table;
}

const std::vector<StepInfo>& steps() {
  static const std::vector<StepInfo> table = [] {
    std::vector<StepInfo> all;
    for (const Step& step : cutover_steps()) all.push_back(step.info);
    return all;
  }();
  return table;
}

}  // namespace cmb2kueue::cutover
