// Opening targets: one address for all cells, or one per cell.
#include <algorithm>
#include <csignal>
#include <map>
#include <set>

#include "cluster_options.h"
#include "cmb2kueue/base/text.h"
#include "pipeline.h"
#include "version.h"

namespace cmb2kueue::cli {

namespace {

volatile std::sig_atomic_t stop_requested = 0;
const volatile int& stop_value = stop_requested;

void request_stop(int) {
  stop_requested = 1;
}

struct Typed {
  std::string cell;  // "" for a plain address
  target::Address address;
};

// "CELL=kind:rest" or "kind:rest"; an equals sign behind the first colon belongs to the path.
base::Result<Typed> parse_typed(const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool named = equals != std::string::npos && equals < text.find(':');
  const base::Result<target::Address> address = target::parse_address(named ? text.substr(equals + 1) : text);
  if (!address.ok()) return address.status();
  return Typed{named ? text.substr(0, equals) : "", address.value()};
}

base::Result<std::vector<Typed>> typed_targets(const Session& session) {
  std::vector<Typed> all;
  std::set<std::string> cells;
  for (const std::string& text : session.arguments.list("--target")) {
    base::Result<Typed> typed = parse_typed(text);
    if (!typed.ok()) return typed.status();
    if (!cells.insert(typed->cell).second)
      return base::Status(
          base::ErrorKind::usage,
          "--target names " +
              (typed->cell.empty() ? "two plain addresses" : "the cell " + base::quoted(typed->cell) + " twice"));
    all.push_back(std::move(typed).value());
  }
  if (all.empty())
    return base::Status(base::ErrorKind::usage, "no target was given",
                        "type it: --target dir:PATH or kube:CONTEXT, or --target CELL=ADDRESS once per cell");
  if (cells.contains("") && all.size() > 1)
    return base::Status(base::ErrorKind::usage, "--target mixes a plain address with addresses of cells",
                        "give one address for all cells, or one per cell");
  return all;
}

// A context that is not typed may be another one tomorrow: whoever writes has to say where.
base::Status check_context(const Session& session, const target::Address& address) {
  if (address.kind != "kube" || !address.rest.empty() || !session.writes) return {};
  return base::Status(base::ErrorKind::usage, "the target kube: names no context",
                      "a verb that writes needs it typed: --target kube:CONTEXT");
}

base::Result<OpenTarget> open_one(Session& session, const Typed& typed, const std::string& cell,
                                  const std::string& folder) {
  const base::Status named = check_context(session, typed.address);
  if (!named.ok()) return named;
  OpenTarget opened;
  opened.cell = cell;
  opened.address = typed.address;
  base::FileSystem* fs = session.disk.get();
  if (typed.address.kind == "mem") {
    opened.memory = std::make_unique<base::MemoryFileSystem>();
    fs = opened.memory.get();
  }
  base::Result<std::unique_ptr<target::Target>> target =
      target::open(typed.address, folder, *fs, open_options(session));
  if (!target.ok()) return target.status();
  opened.target = std::move(target).value();
  return opened;
}

base::Status check_cells(const std::vector<Typed>& typed, const std::vector<std::string>& cells) {
  if (typed[0].cell.empty() || cells.empty()) return {};
  for (const Typed& one : typed)
    if (std::find(cells.begin(), cells.end(), one.cell) == cells.end())
      return base::Status(base::ErrorKind::usage, "there is no cell " + base::quoted(one.cell) + " in the export" +
                                                      base::did_you_mean(one.cell, cells));
  for (const std::string& cell : cells)
    if (std::none_of(typed.begin(), typed.end(), [&](const Typed& one) { return one.cell == cell; }))
      return base::Status(base::ErrorKind::usage, "no target was given for the cell " + base::quoted(cell),
                          "add --target " + cell + "=dir:PATH");
  return {};
}

}  // namespace

base::Result<std::vector<std::string>> cells_of_target(Session& session) {
  base::Result<std::vector<Typed>> typed = typed_targets(session);
  if (!typed.ok()) return typed.status();
  std::vector<std::string> cells;
  if (!typed.value()[0].cell.empty()) {
    for (const Typed& one : typed.value()) {
      if (one.address.kind == "dir" && session.disk->kind_of(one.address.rest) != "folder")
        return base::Status(base::ErrorKind::not_found, "there is no folder " + base::quoted(one.address.rest, 400),
                            "check --target; plan and cutover make the folder, every other verb reads it");
      cells.push_back(one.cell);
    }
    return cells;
  }
  const target::Address& address = typed.value()[0].address;
  if (address.kind != "dir") return cells;
  if (session.disk->kind_of(address.rest) != "folder")
    return base::Status(base::ErrorKind::not_found, "there is no folder " + base::quoted(address.rest, 400),
                        "check --target; plan and cutover make the folder, every other verb reads it");
  const base::Result<std::vector<std::string>> files = session.disk->list(address.rest);
  if (!files.ok()) return files.status();
  const std::string mark = "/.cmb2kueue/state.json";
  for (const std::string& file : files.value())
    if (file.ends_with(mark) && file.find('/') == file.size() - mark.size())
      cells.push_back(file.substr(0, file.size() - mark.size()));
  return cells;
}

base::Result<std::vector<OpenTarget>> open_targets(Session& session, const std::vector<std::string>& cells) {
  base::Result<std::vector<Typed>> typed = typed_targets(session);
  if (!typed.ok()) return typed.status();
  const base::Status fits = check_cells(typed.value(), cells);
  if (!fits.ok()) return fits;
  if (typed.value()[0].address.kind == "kube" && typed.value()[0].cell.empty() && cells.size() > 1)
    return base::Status(
        base::ErrorKind::usage,
        "the export has " + base::counted(cells.size(), "cell") + ", and a cluster is one cell",
        "name a target per cell: --target " + cells[0] + "=kube:CONTEXT --target " + cells[1] + "=kube:CONTEXT");
  std::vector<OpenTarget> opened;
  const bool plain = typed.value()[0].cell.empty();
  const std::vector<std::string> names = cells.empty() ? std::vector<std::string>{""} : cells;
  for (std::size_t i = 0; i < (plain ? names.size() : typed->size()); ++i) {
    const Typed& one = typed.value()[plain ? 0 : i];
    const std::string cell = plain ? names[i] : one.cell;
    base::Result<OpenTarget> target = open_one(session, one, cell, plain && names.size() > 1 ? cell : "");
    if (!target.ok()) return target.status();
    opened.push_back(std::move(target).value());
  }
  return opened;
}

cutover::Context context_for(Session& session, OpenTarget& open) {
  cutover::Context context;
  context.target = open.target.get();
  context.cell = open.cell;
  context.clock = &session.clock;
  context.who = base::this_process();
  context.reason = session.arguments.value("--reason");
  context.tool_version = tool_version;
  context.dry_run = session.arguments.value("--dry-run", "none") != "none";
  context.ask_server = session.arguments.value("--dry-run", "none") == "server";
  context.take_over = session.arguments.list("--take-over");
  context.not_observed = target::not_observed(open.address);
  context.stop = stop_flag();
  context.other_side = session.other_side.get();
  return context;
}

const volatile int* stop_flag() {
  static const bool installed = [] {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
    return true;
  }();
  static_cast<void>(installed);
  return &stop_value;
}

}  // namespace cmb2kueue::cli
