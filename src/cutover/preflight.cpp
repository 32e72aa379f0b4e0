// What has to hold before the first write. Nothing here writes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "asking.h"
#include "capacity.h"
#include "cmb2kueue/base/text.h"
#include "cmb2kueue/diff/change_set.h"
#include "cmb2kueue/quota/tree.h"
#include "steps.h"
#include "verify.h"

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

// The books of those who moved before have to be right before anybody's are touched.
base::Status check_books(const Task& task) {
  const std::vector<std::string> wrong = wrong_sums(task.run.state());
  if (wrong.empty()) return {};
  return base::Status(base::ErrorKind::mismatch, "allotments do not sum up:" + listed(wrong),
                      "restore the folder .cmb2kueue from Git or a backup");
}

// What the parts of `partition` lack for the tenant and for those who moved before and count on theirs.
std::vector<std::string> partition_problems(const Task& task) {
  std::vector<std::string> problems;
  const auto add = [&](const std::string& hash) {
    const std::int32_t node = quota::find_node(task.cell.tree, hash);
    if (node < 0) return;
    for (std::string& problem :
         quota::check_partition(task.cell.tree, task.cell.partition, static_cast<std::uint32_t>(node)))
      problems.push_back(std::move(problem));
  };
  add(task.tenant.hash);
  if (task.run.state().enrolled.empty()) return problems;
  // Parts that are in use may grow, not shrink: CMB would give out again what Kueue has given out.
  std::map<AllotmentKey, std::int64_t> parts;
  for (const quota::FixedPart& part : task.cell.partition) parts[{part.node, part.column}] = part.kueue;
  for (const auto& [at, allotment] : task.run.state().allotments) {
    const auto part = parts.find(at);
    const std::int64_t now = part == parts.end() ? 0 : part->second;
    if (now < allotment.kueue)
      problems.push_back(fmt::format("{}: Kueue has {} in use, the part is {}", pair_name(task.cell.tree, at),
                                     amount(task.cell.tree, at.second, allotment.kueue),
                                     amount(task.cell.tree, at.second, now)));
  }
  return problems;
}

// Capacity moves with CMB's help: it answers, and the first part of the tenant's capacity is enough for one of
// everything.
base::Status check_ramp(const Task& task) {
  if (!offers(task.run.context, hooks::Hook::cede))
    return base::Status(
        base::ErrorKind::input, "nobody has said what capacity CMB keeps free for Kueue",
        "give --hooks FILE with the hook cede, or have a part signed: plan --propose-partition FILE "
        "writes the section to be put into the mapping");
  State first;
  first.tree = task.cell.tree;
  first.inputs = task.plan.inputs;
  first.enrolled = task.run.state().enrolled;
  Enrolled tenant;
  tenant.hash = task.tenant.hash;
  tenant.counts = true;
  first.enrolled[tenant.hash] = tenant;
  first.allotments = settled_allotments(first);
  std::string missing;
  if (reaches_canary(first, task.tenant.hash, missing)) return {};
  return base::Status(
      base::ErrorKind::input,
      fmt::format("{} would reach less than one unit of {} in Kueue at first", task.tenant.display, missing),
      "split what its ancestors share by another rule, or give it a reservation of its own");
}

// The programs that stand for CMB are there and know the tenant.
base::Status check_other_side(const Task& task) {
  if (!offers(task.run.context, hooks::Hook::probe)) return {};
  Enrolled tenant;
  tenant.id = task.tenant.id;
  tenant.hash = task.tenant.hash;
  tenant.display = task.tenant.display;
  tenant.run = run_id(task.plan, task.tenant);
  tenant.objects = task.tenant.objects;
  return task.run.context.other_side->probe(call_about(task.run, tenant, hooks::Hook::probe, ""));
}

base::Status check_partition_for(const Task& task) {
  if (!task.plan.inputs.partitioned) return check_ramp(task);
  std::vector<std::string> problems = partition_problems(task);
  for (const quota::FixedPart& part : task.cell.partition) {
    const std::int64_t total = quota::count_of(task.cell.tree.nodes[part.node].total, part.column);
    if (part.kueue < 0 || part.kueue > total)
      problems.push_back(fmt::format(
          "{}: the part {} is not between 0 and the total {}", pair_name(task.cell.tree, {part.node, part.column}),
          amount(task.cell.tree, part.column, part.kueue), amount(task.cell.tree, part.column, total)));
  }
  std::sort(problems.begin(), problems.end());
  problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
  if (problems.empty()) return {};
  return base::Status(base::ErrorKind::input, "the partition does not fit:" + listed(problems),
                      "plan --propose-partition FILE writes a section that fits; have it signed anew");
}

// The head the plan was made for is in this journal: else it was made for another target, or records were lost.
base::Status check_stale(const Task& task) {
  const base::Result<std::map<std::string, std::string>> now =
      current_versions(task.cell, *task.run.context.target);
  if (!now.ok()) return now.status();
  std::vector<std::string> reasons = stale_reasons(task.cell, task.plan.inputs, task.run.state(), now.value());
  if (!task.run.journal.holds(task.cell.head))
    reasons.push_back(
        fmt::format("the plan was made after record {} of a journal that this is not", task.cell.head.seq));
  if (reasons.empty()) return {};
  return base::Status(base::ErrorKind::stale, "the plan does not fit any more:" + listed(reasons),
                      "make a new plan");
}

// A plan is for one cluster, whatever a context is called today.
base::Status check_identity(const Task& task) {
  target::Cluster* cluster = task.run.context.target->cluster();
  if (cluster == nullptr) return {};
  const base::Result<std::string> identity = cluster->identity();
  if (!identity.ok()) return identity.status();
  if (identity.value() == task.cell.identity) return {};
  return base::Status(base::ErrorKind::stale,
                      fmt::format("the plan was made for the cluster {}, this is {}",
                                  base::quoted(task.cell.identity), base::quoted(identity.value())),
                      "check --target, or make a new plan");
}

// What would stop a write, or its undoing, later.
base::Status check_cluster(Task& task) {
  target::Cluster* cluster = task.run.context.target->cluster();
  if (cluster == nullptr) return {};
  base::Findings found;
  const base::Status examined = cluster->examine(found);
  if (!examined.ok()) return examined;
  std::vector<std::string> errors;
  for (const base::FoldedFinding& finding : found.sorted()) {
    if (finding.severity == base::Severity::error) errors.push_back(finding.rule + ": " + finding.message);
    if (finding.rule == "K-NOT-CHECKED") task.run.event("preflight", "skipped", finding.message);
  }
  if (errors.empty()) return {};
  return base::Status(base::ErrorKind::cluster, "the cluster is not ready:" + listed(errors),
                      "cmb2kueue doctor says what to do about each");
}

// An object of the tenant's name that others made: its fields are theirs, unless they were named to be taken from.
base::Status check_takeover(const Task& task, const kueue::Object& wanted) {
  const kueue::ObjectKey key = kueue::key_of(wanted);
  const base::Result<std::vector<target::Ownership>> owners = task.run.context.target->cluster()->owners(key);
  if (!owners.ok()) return owners.status();
  const std::vector<std::string>& allowed = task.run.context.take_over;
  std::vector<std::string> lines;
  for (const target::Ownership& one : owners.value())
    if (std::find(allowed.begin(), allowed.end(), one.manager) == allowed.end())
      lines.push_back(fmt::format("{} since {}: {}", one.manager, one.time, fmt::join(one.fields, ", ")));
  if (lines.empty()) return {};
  return base::Status(base::ErrorKind::conflict,
                      fmt::format("{} exists already; its fields belong to{}", to_string(key), listed(lines)),
                      "pin another name for the tenant, or take the object over with --take-over MANAGER for each");
}

// Names are for ever: two tenants never share one, and an object stands in one file.
base::Status check_names(const Task& task, const std::vector<target::Live>& live) {
  const std::string own = tenant_bundle(task.tenant.object);
  const bool on_cluster = task.run.context.target->cluster() != nullptr;
  for (const auto& [hash, other] : task.run.state().enrolled)
    if (other.object == task.tenant.object)
      return base::Status(base::ErrorKind::conflict,
                          fmt::format("{} has the name {} already", other.display, base::quoted(other.object)),
                          "pin another name for one of the two");
  std::map<kueue::ObjectKey, const target::Live*> elsewhere;
  for (const target::Live& one : live)
    if (one.bundle != own) elsewhere.emplace(kueue::key_of(one.object), &one);
  for (const kueue::Object& wanted : task.tenant.objects) {
    const auto found = elsewhere.find(kueue::key_of(wanted));
    // A cluster's namespaces are there for more than one purpose; one that others made is used as it is.
    if (on_cluster && kueue::key_of(wanted).kind == kueue::Kind::name_space) continue;
    if (found != elsewhere.end() && on_cluster) {
      const base::Status taken = check_takeover(task, wanted);
      if (!taken.ok()) return taken;
      continue;
    }
    if (found != elsewhere.end())
      return base::Status(base::ErrorKind::conflict,
                          fmt::format("{} exists in {} already", to_string(found->first), found->second->where),
                          "move it to where it belongs, or pin another name for the tenant", found->second->place);
  }
  return {};
}

// Everything as it will be: live, then what is planned over it.
std::map<kueue::ObjectKey, const kueue::Object*> picture(const Task& task, const std::vector<target::Live>& live) {
  std::map<kueue::ObjectKey, const kueue::Object*> all;
  for (const target::Live& one : live) all[kueue::key_of(one.object)] = &one.object;
  for (const PlannedShared& shared : task.cell.shared) all[kueue::key_of(shared.object)] = &shared.object;
  for (const kueue::Object& object : task.tenant.objects) all[kueue::key_of(object)] = &object;
  return all;
}

// On a cluster a LocalQueue needs a namespace that is there, or comes with the tenant or before it.
base::Status check_namespaces(const Task& task, const std::vector<target::Live>& live) {
  if (task.run.context.target->cluster() == nullptr) return {};
  const std::map<kueue::ObjectKey, const kueue::Object*> all = picture(task, live);
  for (const kueue::Object& object : task.tenant.objects) {
    const std::string& home = kueue::meta_of(object).name_space;
    if (home.empty() || all.contains({kueue::Kind::name_space, "", home})) continue;
    return base::Status(
        base::ErrorKind::conflict,
        fmt::format("the namespace {} of {} does not exist", base::quoted(home), to_string(kueue::key_of(object))),
        fmt::format("make it (kubectl create namespace {}), or set namespaces.create in the mapping", home));
  }
  return {};
}

// What those who moved before share is still what the mapping wants; changing it is not a cutover's business.
base::Status check_shared(const Task& task) {
  for (const PlannedShared& planned : task.cell.shared) {
    const auto known = task.run.state().shared.find(kueue::key_of(planned.object));
    if (known == task.run.state().shared.end()) continue;
    if (diff::change_set({known->second.object}, {planned.object}).differs())
      return base::Status(
          base::ErrorKind::stale,
          fmt::format("{} is not what enrolled tenants moved with", to_string(kueue::key_of(planned.object))),
          "bring the mapping back to what it was, or roll those tenants back first");
  }
  return {};
}

// Sound by our own reads: a held queue is never Active, so nobody else would say what is wrong with it. A circle
// among Cohorts of others is theirs, and stops nobody here.
base::Status check_graph(const Task& task, const std::vector<target::Live>& live) {
  const std::map<kueue::ObjectKey, const kueue::Object*> all = picture(task, live);
  std::vector<kueue::Object> graph;
  for (const auto& [key, object] : all)
    if (key.kind == kueue::Kind::cohort) graph.push_back(*object);
  std::vector<std::string> cyclic = quota::Tree::from_objects(graph).cyclic();
  std::set<std::string> missing;
  for (const kueue::Object& object : task.tenant.objects) {
    const kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object);
    if (queue == nullptr) continue;
    if (!std::binary_search(cyclic.begin(), cyclic.end(), queue->cohort)) cyclic.clear();
    kueue::for_each_quota(*queue, [&](const std::string& flavor, const kueue::ResourceQuota&) {
      if (!all.contains({kueue::Kind::resource_flavor, "", flavor})) missing.insert(flavor);
    });
  }
  if (!cyclic.empty())
    return base::Status(base::ErrorKind::conflict, "these Cohorts would be their own ancestors:" + listed(cyclic),
                        "correct parentName of one of them; nothing below a circle is admitted");
  if (missing.empty()) return {};
  return base::Status(base::ErrorKind::conflict, "flavors are missing:" + listed({missing.begin(), missing.end()}),
                      "make a new plan");
}

// Files of ours must be readable, and what this tenant needs must stand in one place. What others keep below the
// folder and cannot be parsed is said, and stops nobody.
base::Status check_files(Task& task, const base::Findings& findings) {
  std::uint64_t unreadable = 0;
  for (const base::FoldedFinding& finding : findings.sorted()) {
    const base::FoldedFinding::Instance& first = finding.instances.front();
    if (finding.rule != "V-UNREADABLE" && finding.rule != "V-TWICE") continue;
    if (finding.severity == base::Severity::error)
      return base::Status(base::ErrorKind::conflict, fmt::format("{}: {}", first.subject, finding.message),
                          finding.advice, first.place);
    if (finding.rule == "V-UNREADABLE") unreadable += finding.count;
  }
  if (unreadable > 0)
    task.run.event("preflight", "skipped",
                   fmt::format("not checked: {} of others cannot be parsed; whether the same objects stand there "
                               "is unknown",
                               base::counted(unreadable, "file")));
  return {};
}

// What lives in the target, read once.
struct Surroundings {
  base::SourceFiles files;
  base::Findings findings;
  std::vector<target::Live> live;

  base::Status read(target::Target& target) {
    base::Result<std::vector<target::Live>> listed_now = target.list(files, findings);
    if (listed_now.ok()) live = std::move(listed_now).value();
    return listed_now.status();
  }
};

base::Status check_all(Task& task, const Surroundings& around) {
  base::Status status = check_identity(task);
  if (status.ok()) status = check_files(task, around.findings);
  if (status.ok()) status = check_books(task);
  if (status.ok()) status = check_stale(task);
  if (status.ok()) status = check_partition_for(task);
  if (status.ok()) status = check_other_side(task);
  if (status.ok()) status = check_shared(task);
  if (status.ok()) status = check_names(task, around.live);
  if (status.ok()) status = check_namespaces(task, around.live);
  if (status.ok()) status = check_graph(task, around.live);
  return status;
}

}  // namespace

base::Status preflight(Task& task) {
  const Enrolled* tenant = enrolled_of(task.run.state(), task.tenant.hash);
  base::Status status = check_single_use(task);
  if (!status.ok() || tenant != nullptr) return status;  // a run that goes on was checked when it began
  Surroundings around;
  status = around.read(*task.run.context.target);
  if (status.ok()) status = check_cluster(task);
  if (status.ok()) status = check_all(task, around);
  if (status.ok()) task.run.event("preflight", "done", "plan, partition, names, conflicts and graph are sound");
  return status;
}

base::Result<std::vector<Objection>> objections(Context context, const Plan& plan, const PlanCell& cell) {
  context.dry_run = true;
  Surroundings around;
  base::Status status = around.read(*context.target);
  if (!status.ok()) return status;
  Run run(context, "plan");
  status = run.start("", "", false);
  if (!status.ok()) return status;
  const CutoverOptions options;
  std::vector<Objection> found;
  if (!cell.tenants.empty()) {
    Task first{run, plan, cell, cell.tenants.front(), options};
    status = check_cluster(first);
    if (!status.ok()) found.push_back({"", status});
  }
  for (const PlannedTenant& tenant : cell.tenants) {
    Task task{run, plan, cell, tenant, options};
    status = check_single_use(task);
    if (status.ok()) status = check_all(task, around);
    if (!status.ok()) found.push_back({tenant.display, status});
  }
  return found;
}

}  // namespace cmb2kueue::cutover
