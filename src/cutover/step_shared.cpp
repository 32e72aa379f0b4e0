// shared: flavors, priority classes and the chain of Cohorts are there, at their present allotments (0 at first).
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/diff/change_set.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

// An object of the same key, wherever it stands: it was there before us unless we wrote its bundle.
const target::Live* find_live(const std::vector<target::Live>& live, const kueue::ObjectKey& key) {
  const auto found = std::lower_bound(
      live.begin(), live.end(), key,
      [](const target::Live& one, const kueue::ObjectKey& wanted) { return kueue::key_of(one.object) < wanted; });
  return found != live.end() && kueue::key_of(found->object) == key ? &*found : nullptr;
}

bool carries_capacity(const kueue::Object& object) {
  bool any = false;
  if (const kueue::Cohort* cohort = std::get_if<kueue::Cohort>(&object))
    kueue::for_each_quota(*cohort, [&](const std::string&, const kueue::ResourceQuota& row) {
      any |= row.nominal != base::Quantity() || row.borrowing_limit.has_value();
    });
  return any;
}

// Takes what was there before us as it is. It is never written, so it must be what we want, and must not carry
// amounts that change while tenants move.
base::Status adopt(Run& run, const target::Live& found, SharedObject& shared) {
  const kueue::ObjectKey key = kueue::key_of(shared.object);
  if (diff::change_set({found.object}, {shared.object}).differs())
    return base::Status(
        base::ErrorKind::conflict,
        fmt::format("{} exists in {} and is not what the mapping wants", to_string(key), found.where),
        "make the two equal, or give the flavor or tenant another name in the mapping", found.place);
  if (carries_capacity(shared.object))
    return base::Status(base::ErrorKind::conflict,
                        fmt::format("{} exists in {} and carries capacity, which has to change while tenants move",
                                    to_string(key), found.where),
                        "take it out of that file; cutover writes it", found.place);
  shared.adopted = true;
  run.event("shared", "done", "took " + to_string(key) + " as it was; it will never be written or removed");
  return {};
}

base::Status adopt_or_make(Task& task, const std::vector<target::Live>& live, const PlannedShared& planned,
                           Changes& changes) {
  const kueue::ObjectKey key = kueue::key_of(planned.object);
  if (task.run.state().shared.contains(key)) {
    changes.joins.emplace_back(key, task.tenant.hash);
    return {};
  }
  SharedObject shared{planned.object, planned.bundle, false, {task.tenant.hash}};
  const target::Live* found = find_live(live, key);
  if (found != nullptr && !task.run.state().versions.contains(planned.bundle)) {
    const base::Status adopted = adopt(task.run, *found, shared);
    if (!adopted.ok()) return adopted;
  }
  changes.shared[key] = std::move(shared);
  return {};
}

bool uses_all(const Task& task) {
  return std::all_of(task.cell.shared.begin(), task.cell.shared.end(), [&](const PlannedShared& planned) {
    if (std::find(planned.users.begin(), planned.users.end(), task.tenant.hash) == planned.users.end()) return true;
    const auto known = task.run.state().shared.find(kueue::key_of(planned.object));
    return known != task.run.state().shared.end() &&
           std::binary_search(known->second.users.begin(), known->second.users.end(), task.tenant.hash);
  });
}

base::Status join(Task& task) {
  base::SourceFiles files;
  base::Findings ignored;  // preflight has reported what does not parse
  const base::Result<std::vector<target::Live>> live = task.run.context.target->list(files, ignored);
  if (!live.ok()) return live.status();
  Changes changes = change_of(advanced(task, TenantState::preparing, "shared"));
  for (const PlannedShared& planned : task.cell.shared) {
    if (std::find(planned.users.begin(), planned.users.end(), task.tenant.hash) == planned.users.end()) continue;
    const base::Status status = adopt_or_make(task, live.value(), planned, changes);
    if (!status.ok()) return status;
  }
  return task.run.record("shared", std::move(changes));
}

}  // namespace

base::Status make_shared(Task& task) {
  base::Status status = uses_all(task) ? base::Status() : join(task);
  if (status.ok()) status = task.run.write_shared("shared", task.run.state(), task.tenant.hash);
  if (status.ok()) task.run.event("shared", "done", "flavors, priority classes and Cohorts are there");
  return status;
}

base::Status release_shared(Undo& undo) {
  Changes changes;
  for (const auto& [key, shared] : undo.run.state().shared)
    if (std::binary_search(shared.users.begin(), shared.users.end(), undo.hash))
      changes.leaves.emplace_back(key, undo.hash);
  if (!changes.leaves.empty()) {
    const base::Status recorded = undo.run.record("shared", std::move(changes));
    if (!recorded.ok()) return recorded;
  }
  const base::Status written = undo.run.write_shared("shared", undo.run.state(), undo.hash);
  if (written.ok()) undo.run.event("shared", "undone", "shared objects are what those who stay need");
  return written;
}

}  // namespace cmb2kueue::cutover
