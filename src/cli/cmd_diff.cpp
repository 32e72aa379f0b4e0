// diff: two sets of manifests by value, or promised against live.
#include <cstdlib>

#include "cmb2kueue/base/process.h"
#include "cmb2kueue/base/text.h"
#include "cmb2kueue/diff/change_set.h"
#include "cmb2kueue/diff/effective.h"
#include "cmb2kueue/kueue/api.h"
#include "cmb2kueue/report/documents.h"
#include "commands.h"
#include "external_diff.h"
#include "manifest_files.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

namespace {

struct Sides {
  std::string name[2];
  std::vector<kueue::Object> objects[2];
};

base::Result<Sides> from_paths(Session& session) {
  Sides sides;
  for (std::size_t i = 0; i < 2; ++i) {
    sides.name[i] = session.arguments.positional[i];
    base::Result<std::vector<kueue::Decoded>> decoded = objects_at(session, sides.name[i]);
    if (!decoded.ok()) return decoded.status();
    for (kueue::Decoded& one : decoded.value())
      if (one.judged) sides.objects[i].push_back(std::move(one.object));
  }
  return sides;
}

// Live first, promised second, as if the promise were to be applied.
base::Result<Sides> from_target(Session& session) {
  Sides sides;
  sides.name[0] = "live";
  sides.name[1] = "promised";
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return cells.status();
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cells.value());
  if (!targets.ok()) return targets.status();
  for (OpenTarget& target : targets.value()) {
    const base::Result<cutover::State> state = cutover::load_state(context_for(session, target));
    if (!state.ok()) return state.status();
    base::Result<std::vector<target::Live>> live = target.target->list(session.files, session.findings);
    if (!live.ok()) return live.status();
    for (kueue::Object& object : cutover::expected_objects(state.value()))
      sides.objects[1].push_back(std::move(object));
    for (target::Live& one : live.value()) {
      const bool promised = std::any_of(
          sides.objects[1].begin(), sides.objects[1].end(),
          [&](const kueue::Object& object) { return kueue::key_of(object) == kueue::key_of(one.object); });
      if (promised || !one.bundle.empty()) sides.objects[0].push_back(std::move(one.object));
    }
  }
  return sides;
}

int show(Session& session, const Sides& sides) {
  const diff::ChangeSet changes = diff::change_set(sides.objects[0], sides.objects[1]);
  report::Report report{"DiffReport", "", {}};
  report.blocks.emplace_back(report::change_table(changes));
  report::Table fields = report::field_table(changes, false), cosmetic = report::field_table(changes, true);
  report.blocks.emplace_back(std::move(fields));
  report.blocks.emplace_back(report::effective_table(diff::effective_changes(sides.objects[0], sides.objects[1])));
  report.blocks.emplace_back(std::move(cosmetic));
  const int code = session.finish(std::move(report), changes.differs() ? 1 : 0);
  return code == 1 && !changes.differs() ? exit_code(base::ErrorKind::input)
                                         : code;  // a failure of diff is above 1
}

int show_unified(Session& session, const Sides& sides) {
  const char* program = std::getenv("KUBECTL_EXTERNAL_DIFF");
  if (program != nullptr && *program != '\0')
    return run_external_diff(session, program, sides.objects[0], sides.objects[1]);
  std::map<kueue::ObjectKey, std::string> texts[2];
  for (std::size_t i = 0; i < 2; ++i)
    for (const kueue::Object& object : sides.objects[i]) texts[i][kueue::key_of(object)] = kueue::to_yaml(object);
  std::map<kueue::ObjectKey, bool> keys;
  for (const auto& side : texts)
    for (const auto& [key, text] : side) keys[key] = true;
  std::string out;
  for (const auto& [key, unused] : keys)
    out += diff::unified(sides.name[0] + "/" + to_string(key), texts[0][key], sides.name[1] + "/" + to_string(key),
                         texts[1][key]);
  session.console.document(out);
  return out.empty() ? 0 : 1;
}

}  // namespace

int cmd_diff(Session& session) {
  const std::size_t paths = session.arguments.positional.size();
  const bool live = session.arguments.has("--target");
  if (live ? paths != 0 : paths != 2)
    return session.fail(base::Status(base::ErrorKind::usage,
                                     "diff compares two paths, or with --target live and promised",
                                     "see: cmb2kueue diff --help"));
  const base::Result<Sides> sides = live ? from_target(session) : from_paths(session);
  if (!sides.ok()) return session.fail(sides.status());
  return session.arguments.has("--unified") ? show_unified(session, sides.value()) : show(session, sides.value());
}

}  // namespace cmb2kueue::cli
