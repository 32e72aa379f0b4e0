// hold and open: the tenant's own objects, first with the ClusterQueue stopped, then admitting.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "snapshot.h"
#include "steps.h"
#include "verify.h"

namespace cmb2kueue::cutover {

base::Status hold_queue(Task& task) {
  Enrolled tenant = advanced(task, TenantState::held, "hold");
  tenant.held = true;
  const base::Status written = write_tenant(task.run, task.run.state(), std::move(tenant), "hold");
  if (written.ok()) task.run.event("hold", "done", "the tenant's objects are there, its ClusterQueue on Hold");
  return written;
}

namespace {

// A Namespace that came with the tenant and that others have moved into stays; the rest of the bundle goes.
base::Result<std::vector<kueue::Object>> still_lived_in(Undo& undo, const target::Image& image) {
  std::vector<kueue::Object> stay;
  if (image.existed) return stay;
  const Enrolled tenant = undo.tenant();
  for (const kueue::Object& object : tenant.objects) {
    if (kueue::key_of(object).kind != kueue::Kind::name_space) continue;
    const base::Result<std::string> found =
        inhabitant(undo.run.context, kueue::meta_of(object).name, image.bundle, image.keys);
    if (!found.ok()) return found.status();
    if (found.value().empty()) continue;
    stay.push_back(object);
    undo.run.event("restore", "skipped",
                   fmt::format("{} stays: {} lies in it", to_string(kueue::key_of(object)), found.value()));
    undo.run.outcome.differs.push_back(undo.run.outcome.events.back().what);
  }
  return stay;
}

base::Status restore(Undo& undo, const target::Image& image) {
  Enrolled tenant = undo.tenant();
  tenant.step = "restore";
  const std::string bundle = image.bundle;
  const base::Result<target::Image> live = undo.run.context.target->capture({bundle, image.keys});
  if (!live.ok()) return live.status();
  if (live->version == image.version) return undo.run.put_back("restore", image, change_of(std::move(tenant)));
  const base::Result<std::vector<kueue::Object>> stay = still_lived_in(undo, image);
  if (!stay.ok()) return stay.status();
  if (stay->empty()) return undo.run.put_back("restore", image, change_of(std::move(tenant)));
  return undo.run.write("restore", {bundle, stay.value(), image.keys}, change_of(std::move(tenant)));
}

}  // namespace

base::Status put_snapshot_back(Undo& undo) {
  const Enrolled tenant = undo.tenant();
  // Never written, or put back by an earlier try: what is there now is not ours.
  if (tenant.step == "restore" || !own_bundle_written(undo)) return {};
  base::Result<target::Image> image = load_snapshot(undo.run.context, tenant.snapshot);
  if (!image.ok()) return image.status();
  image->keys = target::keys_of(tenant.objects);
  if (!undo.run.context.dry_run) {
    const base::Status restored = restore(undo, image.value());
    if (!restored.ok()) return restored;
  }
  undo.run.event("restore", "undone",
                 image->existed ? "the tenant's own objects are what they were, to the byte"
                                : "the tenant's own objects, which did not exist before, are gone");
  return {};
}

// Open means open as promised: what is not is undone while nothing of the tenant's work is here yet.
base::Status open_queue(Task& task) {
  Run& run = task.run;
  Enrolled tenant = advanced(task, TenantState::held, "open");
  tenant.held = false;
  base::Status status = write_tenant(run, run.state(), std::move(tenant), "open");
  if (status.ok()) status = wait_until_ready(task);
  if (status.ok()) status = verify_tenant(run.context, run.state(), task.tenant.hash);
  if (status.ok()) status = run.record("open", change_of(advanced(task, TenantState::open, "open")));
  if (!status.ok()) return status;
  run.event("open", "done", "the ClusterQueue is open");
  for (const std::string& what : run.context.not_observed) run.event("open", "skipped", "not checked: " + what);
  return {};
}

base::Status hold_again(Undo& undo) {
  base::Status status = save_foreign_edits(undo);
  if (!status.ok()) return status;
  Enrolled tenant = undo.tenant();
  const base::Result<target::Image> live = undo.run.context.target->capture(bundle_of(tenant));
  if (!live.ok()) return live.status();
  // Never opened, or put back already, or gone: there is nothing to hold.
  if (tenant.held || tenant.step == "restore" || !live->existed) return {};
  tenant.held = true;
  status = write_tenant(undo.run, undo.run.state(), std::move(tenant), "hold");
  if (status.ok()) undo.run.event("hold", "done", "the ClusterQueue is on Hold");
  return status;
}

}  // namespace cmb2kueue::cutover
