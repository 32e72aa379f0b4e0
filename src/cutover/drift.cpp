// Edits of others to files of ours never stop a rollback; they are kept and shown before anything is put back.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "snapshot.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

base::Status save_foreign(Undo& undo, const target::BundleRef& ref) {
  Run& run = undo.run;
  const std::string& bundle = ref.name;
  const base::Result<target::Image> live = run.context.target->capture(ref);
  if (!live.ok()) return live.status();
  // Where we never wrote, nothing of ours was edited: that file is left alone altogether.
  if (run.is_ours(live.value()) || !run.state().versions.contains(bundle)) return {};
  if (live->existed) {
    const base::Result<std::string> kept = keep_foreign(run.context, undo.tenant().run, live.value());
    if (!kept.ok()) return kept.status();
    run.event("drift", "done",
              fmt::format("{} was changed by somebody else; that text is kept as .cmb2kueue/{}.bytes",
                          base::quoted(bundle, 300), kept.value()));
  } else {
    run.event("drift", "done", base::quoted(bundle, 300) + " was removed by somebody else");
  }
  Changes changes;
  changes.versions[bundle] = live->version;
  return run.record("drift", std::move(changes));
}

}  // namespace

bool own_bundle_written(const Undo& undo) {
  const Enrolled tenant = undo.tenant();
  const bool early = tenant.step == "snapshot" || tenant.step == "shared";
  return !early || undo.run.state().pending.contains(tenant_bundle(tenant.object));
}

base::Status save_foreign_edits(Undo& undo) {
  std::vector<target::BundleRef> bundles;
  if (own_bundle_written(undo)) bundles.push_back(bundle_of(undo.tenant()));
  for (const auto& [key, shared] : undo.run.state().shared)
    if (!shared.adopted && std::binary_search(shared.users.begin(), shared.users.end(), undo.hash))
      bundles.push_back({shared.bundle, {key}});
  for (const target::BundleRef& bundle : bundles) {
    const base::Status saved = save_foreign(undo, bundle);
    if (!saved.ok()) return saved;
  }
  return {};
}

}  // namespace cmb2kueue::cutover
