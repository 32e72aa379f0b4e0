// diff: two sets of manifests by value, or promised against live.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

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

// What is compared of one cell; one without a name where there are no cells.
struct Sides {
  std::string cell;
  std::string name[2];
  std::vector<kueue::Object> objects[2];
};

base::Status read_side(Session& session, const ManifestSet& set, std::vector<kueue::Object>& into) {
  base::Result<std::vector<kueue::Decoded>> decoded = objects_at(session, set.path);
  if (!decoded.ok()) return decoded.status();
  for (kueue::Decoded& one : decoded.value())
    if (one.judged) into.push_back(std::move(one.object));
  return {};
}

// Two sets, or two folders of cells, each cell against its own; a cell one of them lacks is empty there.
base::Result<std::vector<Sides>> from_paths(Session& session) {
  std::map<std::string, Sides> by_cell;
  const std::vector<std::string>& paths = session.arguments.positional;
  bool cells[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const base::Result<std::vector<ManifestSet>> sets = sets_at(session, paths[i]);
    if (!sets.ok()) return sets.status();
    cells[i] = !sets.value()[0].cell.empty();
    for (const ManifestSet& set : sets.value()) {
      Sides& sides = by_cell[set.cell];
      sides.cell = set.cell;
      const base::Status status = read_side(session, set, sides.objects[i]);
      if (!status.ok()) return status;
    }
  }
  if (cells[0] != cells[1])
    return base::Status(base::ErrorKind::usage,
                        base::quoted(paths[cells[0] ? 0 : 1], 400) + " holds several cells, " +
                            base::quoted(paths[cells[0] ? 1 : 0], 400) + " is one set",
                        "compare one cell at a time, or two folders of cells");
  std::vector<Sides> all;
  for (auto& [cell, sides] : by_cell) {
    for (std::size_t i = 0; i < 2; ++i) sides.name[i] = paths[i] + (cell.empty() ? "" : "/" + cell);
    all.push_back(std::move(sides));
  }
  return all;
}

// Live first, promised second, as if the promise were to be applied. Of what is live, only what was promised or
// stands where this tool writes.
base::Result<Sides> of_cell(Session& session, OpenTarget& target) {
  Sides sides;
  sides.cell = target.cell;
  const std::string suffix = target.cell.empty() ? "" : "/" + target.cell;
  sides.name[0] = "live" + suffix;
  sides.name[1] = "promised" + suffix;
  const base::Result<cutover::State> state = cutover::load_state(context_for(session, target));
  if (!state.ok()) return state.status();
  base::Result<std::vector<target::Live>> live = target.target->list(session.files, session.findings);
  if (!live.ok()) return live.status();
  sides.objects[1] = cutover::expected_objects(state.value());
  std::set<kueue::ObjectKey> promised;
  for (const kueue::Object& object : sides.objects[1]) promised.insert(kueue::key_of(object));
  for (target::Live& one : live.value())
    if (!one.bundle.empty() || promised.contains(kueue::key_of(one.object)))
      sides.objects[0].push_back(std::move(one.object));
  return sides;
}

base::Result<std::vector<Sides>> from_target(Session& session) {
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return cells.status();
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cells.value());
  if (!targets.ok()) return targets.status();
  std::vector<Sides> all;
  for (OpenTarget& target : targets.value()) {
    base::Result<Sides> sides = of_cell(session, target);
    if (!sides.ok()) return sides.status();
    all.push_back(std::move(sides).value());
  }
  return all;
}

int show(Session& session, const std::vector<Sides>& all) {
  bool differs = false;
  std::vector<report::CellTable> tables[4];
  for (const Sides& sides : all) {
    const diff::ChangeSet changes = diff::change_set(sides.objects[0], sides.objects[1]);
    differs |= changes.differs();
    tables[0].push_back({sides.cell, report::change_table(changes)});
    tables[1].push_back({sides.cell, report::field_table(changes, false)});
    tables[2].push_back(
        {sides.cell, report::effective_table(diff::effective_changes(sides.objects[0], sides.objects[1]))});
    tables[3].push_back({sides.cell, report::field_table(changes, true)});
  }
  report::Report report{"DiffReport", "", {}};
  for (std::vector<report::CellTable>& one : tables) report.blocks.emplace_back(report::over_cells(std::move(one)));
  const int code = session.finish(std::move(report), differs ? 1 : 0);
  return code == 1 && !differs ? exit_code(base::ErrorKind::input) : code;  // a failure of diff is above 1
}

std::string unified_text(const Sides& sides) {
  std::map<kueue::ObjectKey, std::pair<std::string, std::string>> texts;
  for (const kueue::Object& object : sides.objects[0]) texts[kueue::key_of(object)].first = kueue::to_yaml(object);
  for (const kueue::Object& object : sides.objects[1]) texts[kueue::key_of(object)].second = kueue::to_yaml(object);
  std::string out;
  for (const auto& [key, text] : texts)
    out += diff::unified(sides.name[0] + "/" + to_string(key), text.first, sides.name[1] + "/" + to_string(key),
                         text.second);
  return out;
}

int show_unified(Session& session, const std::vector<Sides>& all) {
  const char* program = std::getenv("KUBECTL_EXTERNAL_DIFF");
  std::string out;
  int code = 0;
  for (const Sides& sides : all) {
    if (program != nullptr && *program != '\0')
      code = std::max(code, run_external_diff(session, program, sides.objects[0], sides.objects[1]));
    else
      out += unified_text(sides);
  }
  session.console.document(out);
  return out.empty() ? code : 1;
}

}  // namespace

int cmd_diff(Session& session) {
  const std::size_t paths = session.arguments.positional.size();
  const bool live = session.arguments.has("--target");
  if (live ? paths != 0 : paths != 2)
    return session.fail(base::Status(base::ErrorKind::usage,
                                     "diff compares two paths, or with --target live and promised",
                                     "see: cmb2kueue diff --help"));
  const base::Result<std::vector<Sides>> sides = live ? from_target(session) : from_paths(session);
  if (!sides.ok()) return session.fail(sides.status());
  return session.arguments.has("--unified") ? show_unified(session, sides.value()) : show(session, sides.value());
}

}  // namespace cmb2kueue::cli
