// Run: the protocol around each write.
#include "run.h"

#include <fmt/format.h>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cutover {

base::Status Run::start(const std::string& run, const std::string& tenant, bool force) {
  run_ = run;
  tenant_ = tenant;
  std::string taken_over;
  if (!context.dry_run) {
    const base::Status locked = lock_.acquire(run, force, taken_over);
    if (!locked.ok()) return locked;
  }
  const base::Status opened = journal.open();
  if (!opened.ok()) return opened;
  if (context.dry_run) return {};
  Changes changes;
  changes.head_run = run + "/" + holder_id(context.who);
  if (!taken_over.empty()) event("lock", "done", "took the lock over from " + taken_over);
  if (taken_over.empty() && state().head.run == *changes.head_run) return {};
  return append("lock", "lock", taken_over.empty() ? std::string() : "taken over from " + taken_over, "", "",
                std::move(changes));
}

void Run::event(std::string_view step, std::string_view phase, std::string what) {
  Event made{context.cell, tenant_, std::string(step), std::string(phase), std::move(what)};
  if (context.progress) context.progress(made);
  outcome.events.push_back(std::move(made));
}

base::Status Run::stopped(std::string_view step) const {
  return base::Status(base::ErrorKind::interrupted, fmt::format("stopped before the step {}", step),
                      "the same command goes on where it stopped");
}

base::Status Run::append(std::string_view step, std::string_view phase, const std::string& bundle,
                         const std::string& before, const std::string& after, Changes changes) {
  Record record;
  record.run = run_;
  record.tenant = tenant_;
  record.verb = verb_;
  record.step = step;
  record.phase = phase;
  record.object = bundle;
  record.before = before;
  record.after = after;
  record.nonce = nonce_;
  record.changes = std::move(changes);
  return journal.append(std::move(record));
}

base::Status Run::record(std::string_view step, Changes changes) {
  return append(step, "done", "", "", "", std::move(changes));
}

// Live is what we last wrote, or what a write leaves behind whose done record was lost: this one, or one announced
// before.
base::Status Run::check_ours(const target::Image& live, const std::string& after) const {
  const auto last = state().versions.find(live.bundle);
  const auto announced = state().pending.find(live.bundle);
  if (announced != state().pending.end() && announced->second == live.version) return {};
  if (live.version == after || last == state().versions.end() || last->second == live.version) return {};
  return base::Status(
      base::ErrorKind::conflict,
      base::quoted(live.bundle) +
          (live.existed ? " was changed by somebody else since it was written" : " was removed by somebody else"),
      "put it back as it was (cmb2kueue verify shows the difference), or roll the tenant back");
}

base::Status Run::write(std::string_view step, const target::Bundle& bundle, Changes changes) {
  const std::string bytes = context.target->preview(bundle);
  const std::string after = bundle.objects.empty() ? std::string() : target::version_of(bytes);
  if (context.dry_run) return append(step, "done", bundle.name, "", after, std::move(changes));
  const base::Result<target::Image> live = context.target->capture(bundle.name);
  if (!live.ok()) return live.status();
  const base::Status ours = check_ours(live.value(), after);
  if (!ours.ok()) return ours;
  changes.versions[bundle.name] = bundle.objects.empty() ? std::optional<std::string>() : after;
  if (state().pending.contains(bundle.name)) changes.pending[bundle.name] = std::nullopt;
  if (live->version == after) {
    const auto last = state().versions.find(bundle.name);
    const bool known = bundle.objects.empty() ? last == state().versions.end()
                                              : last != state().versions.end() && last->second == after;
    const bool nothing_new = known && changes.pending.empty() && changes.enrolled.empty() &&
                             changes.shared.empty() && !changes.allotments;
    return nothing_new ? base::Status()
                       : append(step, "done", bundle.name, live->version, after, std::move(changes));
  }
  Changes announced;
  announced.pending[bundle.name] = after;
  const base::Status status = append(step, "intent", bundle.name, live->version, after, std::move(announced));
  if (!status.ok()) return status;
  const base::Result<std::string> put = context.target->put(bundle, live->version);
  if (!put.ok()) return put.status();
  changes.pending[bundle.name] = std::nullopt;
  return append(step, "done", bundle.name, live->version, after, std::move(changes));
}

base::Status Run::put_back(std::string_view step, const target::Image& image, Changes changes) {
  const base::Result<target::Image> live = context.target->capture(image.bundle);
  if (!live.ok()) return live.status();
  changes.versions[image.bundle] = std::nullopt;
  changes.pending[image.bundle] = std::nullopt;
  if (live->version != image.version) {
    Changes announced;
    announced.pending[image.bundle] = image.version;
    base::Status status =
        append(step, "undo-intent", image.bundle, live->version, image.version, std::move(announced));
    if (status.ok()) status = context.target->restore(image, live->version);
    if (!status.ok()) return status;
  }
  return append(step, "undone", image.bundle, live->version, image.version, std::move(changes));
}

base::Status Run::write_shared(std::string_view step, const State& wanted) {
  std::map<kueue::ObjectKey, kueue::Object> objects;
  for (kueue::Object& object : expected_objects(wanted)) objects[kueue::key_of(object)] = std::move(object);
  std::vector<kueue::ObjectKey> order;
  for (const auto& [key, shared] : wanted.shared)
    if (key.kind != kueue::Kind::cohort) order.push_back(key);
  // Cohorts parents first: the tree has them in that order.
  for (const quota::EntitlementNode& node : wanted.tree.nodes)
    if (!node.leaf && wanted.shared.contains({kueue::Kind::cohort, "", node.object}))
      order.push_back({kueue::Kind::cohort, "", node.object});
  for (const kueue::ObjectKey& key : order) {
    const SharedObject& shared = wanted.shared.at(key);
    if (shared.adopted || shared.users.empty()) continue;
    const base::Status status = write(step, {shared.bundle, {objects.at(key)}}, {});
    if (!status.ok()) return status;
  }
  for (auto key = order.rbegin(); key != order.rend(); ++key) {
    const SharedObject& shared = wanted.shared.at(*key);
    if (!shared.users.empty()) continue;
    Changes gone;
    gone.shared[*key] = std::nullopt;
    const base::Status status =
        shared.adopted ? record(step, std::move(gone)) : write(step, {shared.bundle, {}}, std::move(gone));
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace cmb2kueue::cutover
