// What has to hold before the first write. Nothing here writes.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/quota/tree.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

std::string listed(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += "\n    " + line;
  return out;
}

// A plan is used once, also where nothing existed before. A run that goes on is the same use.
base::Status check_single_use(const Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  if (tenant != nullptr && tenant->state == TenantState::draining)
    return base::Status(base::ErrorKind::conflict, fmt::format("a rollback of {} has begun", task.tenant.display),
                        "finish it: the same rollback again; then make a new plan");
  if (tenant != nullptr && tenant->nonce == task.plan.nonce) return {};
  if (tenant != nullptr)
    return base::Status(
        base::ErrorKind::conflict,
        fmt::format("{} is {} already, by another plan", task.tenant.display, to_string(tenant->state)),
        "finish that run with its own plan, or roll it back first");
  if (task.run.state().used.contains(task.plan.nonce + ":" + task.tenant.hash))
    return base::Status(base::ErrorKind::stale, "the plan has been used for this tenant before", "make a new plan");
  return {};
}

base::Status check_partition_for(const Task& task) {
  if (!task.plan.inputs.partitioned && task.run.context.other_side_confirms) return {};
  if (!task.plan.inputs.partitioned)
    return base::Status(base::ErrorKind::usage, "nobody has said what capacity CMB keeps free for Kueue",
                        "plan --propose-partition FILE writes the section to be signed and put into the mapping");
  const std::int32_t node = quota::find_node(task.cell.tree, task.tenant.hash);
  std::vector<std::string> problems;
  if (node >= 0)
    problems = quota::check_partition(task.cell.tree, task.cell.partition, static_cast<std::uint32_t>(node));
  // Those who moved before count on their parts as well.
  for (const auto& [hash, other] : task.run.state().enrolled) {
    const std::int32_t other_node = quota::find_node(task.cell.tree, hash);
    if (other_node < 0 || hash == task.tenant.hash) continue;
    for (std::string& problem :
         quota::check_partition(task.cell.tree, task.cell.partition, static_cast<std::uint32_t>(other_node)))
      problems.push_back(std::move(problem));
  }
  std::sort(problems.begin(), problems.end());
  problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
  if (problems.empty()) return {};
  return base::Status(base::ErrorKind::usage, "the partition does not fit:" + listed(problems),
                      "plan --propose-partition FILE writes a section that fits; have it signed anew");
}

base::Status check_stale(const Task& task, const std::vector<target::Live>& live) {
  const std::vector<std::string> reasons = stale_reasons(task.cell, task.plan.inputs, task.run.state(), live);
  if (reasons.empty()) return {};
  return base::Status(base::ErrorKind::stale, "the plan does not fit any more:" + listed(reasons),
                      "make a new plan");
}

// The tenant's objects in files of somebody else.
base::Status check_conflicts(const Task& task, const std::vector<target::Live>& live) {
  const std::string own = tenant_bundle(task.tenant.object);
  for (const kueue::Object& wanted : task.tenant.objects) {
    for (const target::Live& one : live)
      if (one.bundle != own && kueue::key_of(one.object) == kueue::key_of(wanted))
        return base::Status(base::ErrorKind::conflict,
                            fmt::format("{} exists in {} already", to_string(kueue::key_of(wanted)), one.where),
                            "move it to where it belongs, or pin another name for the tenant", one.place);
  }
  return {};
}

// Sound by our own reads: a held queue is never Active, so nobody else would say what is wrong with it.
base::Status check_graph(const Task& task, const std::vector<target::Live>& live) {
  std::vector<kueue::Object> objects;
  for (const target::Live& one : live) objects.push_back(one.object);
  for (const PlannedShared& shared : task.cell.shared) objects.push_back(shared.object);
  for (const kueue::Object& object : task.tenant.objects) objects.push_back(object);
  const std::vector<std::string> cyclic = quota::Tree::from_objects(objects).cyclic();
  if (!cyclic.empty())
    return base::Status(base::ErrorKind::conflict, "these Cohorts would be their own ancestors:" + listed(cyclic),
                        "correct parentName of one of them; nothing below a circle is admitted");
  std::vector<std::string> missing;
  for (const kueue::Object& object : task.tenant.objects) {
    const kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object);
    if (queue == nullptr) continue;
    kueue::for_each_quota(*queue, [&](const std::string& flavor, const kueue::ResourceQuota&) {
      const kueue::ObjectKey key{kueue::Kind::resource_flavor, "", flavor};
      if (std::none_of(objects.begin(), objects.end(),
                       [&](const kueue::Object& one) { return kueue::key_of(one) == key; }))
        missing.push_back(flavor);
    });
  }
  if (missing.empty()) return {};
  return base::Status(base::ErrorKind::conflict, "flavors are missing:" + listed(missing), "make a new plan");
}

}  // namespace

base::Status preflight(Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  base::Status status = check_single_use(task);
  if (!status.ok() || tenant != nullptr) return status;  // a run that goes on was checked when it began
  base::SourceFiles files;
  base::Findings findings;
  const base::Result<std::vector<target::Live>> live = task.run.context.target->list(files, findings);
  if (!live.ok()) return live.status();
  for (const base::FoldedFinding& finding : findings.sorted())
    if (finding.rule == "V-UNREADABLE" || finding.rule == "V-TWICE")
      return base::Status(base::ErrorKind::conflict,
                          fmt::format("{}: {}", finding.instances.front().subject, finding.message),
                          finding.advice);
  status = check_partition_for(task);
  if (status.ok()) status = check_stale(task, live.value());
  if (status.ok()) status = check_conflicts(task, live.value());
  if (status.ok()) status = check_graph(task, live.value());
  if (status.ok()) task.run.event("preflight", "done", "plan, partition, names, conflicts and graph are sound");
  return status;
}

}  // namespace cmb2kueue::cutover
