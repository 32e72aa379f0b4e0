// Run: the protocol around each write.
#include "run.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cutover {

namespace {

target::BundleRef ref_of(const target::Bundle& bundle) {
  std::vector<kueue::ObjectKey> keys = target::keys_of(bundle.objects);
  for (const kueue::ObjectKey& key : bundle.held)
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return {bundle.name, std::move(keys)};
}

base::Status taken_over() {
  return base::Status(base::ErrorKind::locked, "another run has taken over",
                      "look at cmb2kueue status, then run the same command again");
}

}  // namespace

base::Status Run::start(const std::string& run, const std::string& tenant, bool force, const std::string& hash) {
  run_ = run;
  tenant_ = tenant;
  mark_ = run + "/" + holder_id(context.who);
  std::string from;
  if (!context.dry_run) {
    const base::Status locked = lock_.acquire(run, hash, force, from);
    if (!locked.ok()) return locked;
  }
  const base::Status opened = journal.open();
  if (!opened.ok()) return opened;
  if (context.dry_run) return {};
  if (!from.empty()) event("lock", "done", "took the lock over from " + from);
  if (from.empty() && state().head.run == mark_) return {};
  Changes changes;
  changes.head_run = mark_;
  return append("lock", "lock", from.empty() ? std::string() : "taken over from " + from, "", "",
                std::move(changes));
}

base::Status Run::reopen() {
  if (context.dry_run) return {};
  const base::Status opened = journal.open();
  if (!opened.ok()) return opened;
  return state().head.run == mark_ ? base::Status() : taken_over();
}

void Run::event(std::string_view step, std::string_view phase, std::string what) {
  const bool acts = phase == "done" || phase == "undone";
  if (context.dry_run && acts) phase = "would";
  Event made{context.cell, tenant_, std::string(step), std::string(phase), std::move(what)};
  if (context.progress) context.progress(made);
  outcome.events.push_back(std::move(made));
}

base::Status Run::stopped(std::string_view step) const {
  return base::Status(base::ErrorKind::interrupted, fmt::format("stopped before {}", step),
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
  const base::Status kept = keep_lock();
  return kept.ok() ? journal.append(std::move(record)) : kept;
}

base::Status Run::record(std::string_view step, Changes changes) {
  return append(step, "done", "", "", "", std::move(changes));
}

base::Status Run::note(std::string_view step, std::string_view phase, const std::string& hook,
                       const std::string& answer) {
  Record record;
  record.run = run_;
  record.tenant = tenant_;
  record.verb = verb_;
  record.step = step;
  record.phase = phase;
  record.hook = hook;
  record.answer = answer;
  record.nonce = nonce_;
  const base::Status kept = keep_lock();
  return kept.ok() ? journal.append(std::move(record)) : kept;
}

std::optional<std::string> Run::written_before(const std::string& bundle) const {
  const auto imagined = imagined_.find(bundle);
  if (imagined != imagined_.end()) return imagined->second;
  const auto last = state().versions.find(bundle);
  return last == state().versions.end() ? std::nullopt : std::optional(last->second);
}

// What a write that was cut off has left stands between what was there before it and what it announced.
bool Run::is_ours(const target::Image& live) const {
  const std::optional<std::string> last = written_before(live.bundle);
  if (last ? *last == live.version : !live.existed) return true;
  const auto announced = state().pending.find(live.bundle);
  return announced != state().pending.end() &&
         target::is_between(live.version, last.value_or(std::string()), announced->second);
}

// Says what is about to be written, and makes sure that nobody has taken over since.
base::Status Run::announce(std::string_view step, std::string_view phase, const target::Image& live,
                           const std::string& after) {
  Changes announced;
  announced.pending[live.bundle] = after;
  const base::Status status = append(step, phase, live.bundle, live.version, after, std::move(announced));
  if (!status.ok()) return status;
  return journal.current();
}

// In a dry run that asks the server: what it would answer.
base::Status Run::rehearse(const target::Bundle& bundle) const {
  target::Cluster* cluster = context.target->cluster();
  return context.ask_server && cluster != nullptr ? cluster->rehearse(bundle) : base::Status();
}

base::Status Run::write(std::string_view step, const target::Bundle& bundle, Changes changes) {
  const bool removal = bundle.objects.empty();
  const base::Result<target::Image> live = context.target->capture(ref_of(bundle));
  if (!live.ok()) return live.status();
  const std::string after = context.target->version_after(bundle);
  changes.versions[bundle.name] = removal ? std::optional<std::string>() : after;
  if (context.dry_run) {
    const base::Status answer = rehearse(bundle);
    if (!answer.ok()) return answer;
    imagined_.try_emplace(bundle.name, written_before(bundle.name));
    return append(step, "done", bundle.name, "", after, std::move(changes));
  }
  if (!is_ours(live.value()))
    return base::Status(base::ErrorKind::conflict,
                        base::quoted(bundle.name, 300) + (!live->existed ? " was removed by somebody else"
                                                          : state().versions.contains(bundle.name)
                                                              ? " was changed by somebody else since it was written"
                                                              : " was made by somebody else"),
                        "put it back as it was (cmb2kueue verify shows the difference), or roll the tenant back");
  if (live->version != after) {
    const base::Status announced = announce(step, "intent", live.value(), after);
    if (!announced.ok()) return announced;
    target::Bundle written = bundle;
    written.reclaim = reclaims_;
    const base::Result<std::string> put = context.target->put(written, live->version);
    if (!put.ok()) return put.status();
    if (!removal) changes.versions[bundle.name] = put.value();  // a newer release may add defaults of its own
  }
  if (state().pending.contains(bundle.name)) changes.pending[bundle.name] = std::nullopt;
  const auto last = state().versions.find(bundle.name);
  if (last == state().versions.end() ? removal : last->second == after) changes.versions.clear();
  if (changes.empty()) return {};  // written, recorded and acknowledged before
  return append(step, "done", bundle.name, live->version, after, std::move(changes));
}

base::Status Run::put_back(std::string_view step, const target::Image& image, Changes changes) {
  const base::Result<target::Image> live = context.target->capture({image.bundle, image.keys});
  if (!live.ok()) return live.status();
  if (live->version != image.version) {
    if (!is_ours(live.value()))
      return base::Status(base::ErrorKind::conflict,
                          base::quoted(image.bundle, 300) + " was changed by somebody else just now",
                          "run the same command again; the edit is saved first");
    base::Status status = announce(step, "undo-intent", live.value(), image.version);
    if (status.ok()) status = context.target->restore(image, live->version);
    if (!status.ok()) return status;
  }
  changes.versions[image.bundle] = std::nullopt;
  changes.pending[image.bundle] = std::nullopt;
  return append(step, "undone", image.bundle, live->version, image.version, std::move(changes));
}

}  // namespace cmb2kueue::cutover
