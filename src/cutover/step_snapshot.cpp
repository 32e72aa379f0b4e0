// snapshot: what the tenant's own objects were, who it is, what plan moves it. From here on it is enrolled.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "snapshot.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

std::string plan_file(const std::string& nonce) {
  return "plans/" + nonce.substr(0, 32) + ".json";
}

// Once per plan, however many tenants it has.
base::Status keep_plan(const Context& context, const Plan& plan) {
  base::FileSystem& records = context.target->records();
  const std::string file = plan_file(plan.nonce);
  if (context.dry_run || !records.kind_of(file).empty()) return {};
  return records.replace(file, to_json(plan));
}

Enrolled enrolling(const Task& task) {
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
  return tenant;
}

// The plan's inputs become the cell's, and parts that CMB has signed away are held from now on.
Changes enrolment(const Task& task, Enrolled tenant) {
  State wanted = task.run.state();
  Changes changes = change_of(std::move(tenant));
  changes.inputs = task.plan.inputs;
  changes.inputs->partition = task.cell.partition;
  wanted.inputs = *changes.inputs;
  if (wanted.tree.nodes.empty() || wanted.enrolled.empty()) {
    changes.tree = task.cell.tree;
    wanted.tree = task.cell.tree;
  }
  if (wanted.inputs.partitioned)
    changes.allotments = allotment_changes(task.run.state().allotments, settled_allotments(wanted));
  changes.used = {task.plan.nonce + ":" + task.tenant.hash};
  return changes;
}

}  // namespace

base::Status take_snapshot(Task& task) {
  Run& run = task.run;
  Enrolled tenant = enrolling(task);
  const base::Result<target::Image> image = run.context.target->capture(bundle_of(tenant));
  if (!image.ok()) return image.status();
  base::Status status = keep_plan(run.context, task.plan);
  if (!status.ok()) return status;
  const base::Result<std::string> kept = keep_snapshot(run.context, tenant.run, image.value());
  if (!kept.ok()) return kept.status();
  tenant.snapshot = kept.value();
  Changes changes = enrolment(task, std::move(tenant));
  changes.versions[image->bundle] = image->version;  // whoever changes it from here on is noticed
  status = run.record("snapshot", std::move(changes));
  if (status.ok()) run.event("snapshot", "done", "kept the tenant's own objects as they stand");
  return status;
}

base::Status forget(Undo& undo) {
  Changes changes;
  const std::string bundle = tenant_bundle(undo.tenant().object);
  changes.enrolled[undo.hash] = std::nullopt;
  if (undo.run.state().versions.contains(bundle)) changes.versions[bundle] = std::nullopt;
  return undo.run.record("restored", std::move(changes));
}

base::Result<std::optional<Plan>> kept_plan(const Context& context, const std::string& tenant_hash) {
  const base::Result<State> state = load_state(context);
  if (!state.ok()) return state.status();
  const Enrolled* tenant = enrolled_of(state.value(), tenant_hash);
  if (tenant == nullptr) return std::optional<Plan>();
  const std::string file = plan_file(tenant->nonce);
  const base::Result<std::string> text = context.target->records().read(file);
  if (!text.ok()) return text.status().prefixed(fmt::format("the plan of {}", tenant->display));
  base::SourceFiles files;
  base::Result<Plan> plan = parse_plan(files, files.add(file, text.value()));
  if (!plan.ok()) return plan.status().prefixed(fmt::format("the plan of {}", tenant->display));
  return std::optional<Plan>(std::move(plan).value());
}

}  // namespace cmb2kueue::cutover
