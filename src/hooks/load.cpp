// Reading a hooks file.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/map_reader.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/hooks/hooks_file.h"
#include "protocol.h"

namespace cmb2kueue::hooks {

namespace {

constexpr std::int64_t longest_timeout_s = 3600;
constexpr std::size_t longest_command = 64;

base::Severity severity_of(std::string_view id) {
  for (const HooksRule& rule : hooks_rules())
    if (rule.id == id) return rule.severity;
  return base::Severity::error;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

// As a shell would find it, had the person gone to the folder of the file.
std::vector<std::string> command_of(doc::MapReader& map, const std::string& folder) {
  std::vector<std::string> command = map.texts("command", 1, longest_command);
  if (command.empty()) return command;
  std::string& program = command.front();
  if (program.find('/') != std::string::npos && program.front() != '/') program = folder + program;
  if (program.empty()) map.report("COMMAND", "the command names no program", "", "command");
  return command;
}

int timeout_of(doc::MapReader& map, int fallback_ms) {
  const std::optional<std::int64_t> seconds = map.integer("timeoutSeconds", 1, longest_timeout_s);
  return seconds ? static_cast<int>(*seconds * 1000) : fallback_ms;
}

// A hook without its counterpart would leave a move half way.
void check_pairs(doc::MapReader& file, const HooksFile& hooks) {
  const auto needs = [&](Hook one, Hook other, const char* why) {
    if (hooks.offered.contains(one) && !hooks.offered.contains(other))
      file.report("PAIR", fmt::format("{} is offered without {}: {}", to_string(one), to_string(other), why),
                  fmt::format("offer {} too, or leave {} out", to_string(other), to_string(one)), "hooks");
  };
  needs(Hook::switch_to_kueue, Hook::switch_back, "nobody could bring intake back");
  needs(Hook::switch_back, Hook::switch_to_kueue, "there would be nothing to switch back");
  needs(Hook::switch_to_kueue, Hook::route, "nobody could tell who receives work after a lost answer");
  needs(Hook::cede, Hook::restore, "capacity could not be given back");
  needs(Hook::restore, Hook::cede, "there would be nothing to give back");
  needs(Hook::cede, Hook::usage, "nobody could tell when ceded capacity is free");
  needs(Hook::withdraw, Hook::pending, "nobody could tell what there is to withdraw");
  needs(Hook::withdraw, Hook::enqueue, "jobs could not be handed back");
}

void read_hooks(doc::MapReader& file, const std::string& folder, HooksFile& hooks) {
  const std::vector<std::string> shared =
      file.has("command") ? command_of(file, folder) : std::vector<std::string>();
  const int timeout_ms = timeout_of(file, HookProgram().timeout_ms);
  doc::MapReader offered = file.map("hooks");
  for (const Hook hook : all_hooks()) {
    const bool wanted = offered.has(to_string(hook));
    doc::MapReader one = offered.map(to_string(hook));  // read in any case, so that misspelt ones are recognised
    if (!wanted) continue;
    HookProgram program;
    program.command = one.has("command") ? command_of(one, folder) : shared;
    program.timeout_ms = timeout_of(one, timeout_ms);
    one.finish();
    if (program.command.empty())
      offered.report("COMMAND", fmt::format("no command runs {}", to_string(hook)),
                     "give it a command of its own, or one for all hooks at the top", to_string(hook));
    hooks.offered[hook] = std::move(program);
  }
  offered.finish();
  if (hooks.offered.empty())
    file.report("NONE", "no hook is offered", "list under `hooks` what the programs can do", "hooks");
}

std::string fingerprint(const HooksFile& hooks) {
  std::string all = hooks.name + "\n" + hooks.version;
  for (const auto& [hook, program] : hooks.offered)
    all += fmt::format("\n{} {} {}", to_string(hook), program.timeout_ms, fmt::join(program.command, "\x1f"));
  return base::sha256_hex(all);
}

}  // namespace

base::Result<HooksFile> load(base::SourceFiles& files, std::uint32_t number, base::Findings& findings) {
  const base::Result<doc::Document> document = doc::parse_one(files, number);
  if (!document.ok()) return document.status();
  doc::ReadContext context{findings, "H-", severity_of, "", "a hooks file", "remove it"};
  doc::MapReader file(document.value().root(), "", context);
  HooksFile hooks;
  if (file.text("apiVersion", true) != protocol_version || file.text("kind", true) != "Hooks")
    file.report("KIND", "this is not a hooks file",
                fmt::format("start it with apiVersion: {} and kind: Hooks", protocol_version), "kind");
  hooks.name = file.text("name", true);
  hooks.version = file.text("version", true);
  read_hooks(file, folder_of(std::string(files.name(number))), hooks);
  check_pairs(file, hooks);
  file.finish();
  hooks.fingerprint = fingerprint(hooks);
  return hooks;
}

const std::vector<HooksRule>& hooks_rules() {
  using base::Severity;
  static const std::vector<HooksRule> rules = {
      {"H-KIND", Severity::error, "The file says that it is a hooks file of a version this program knows."},
      {"H-TYPE", Severity::error, "A field has the type it should have."},
      {"H-REQUIRED", Severity::error, "name, version and what else is required is given."},
      {"H-UNKNOWN-FIELD", Severity::error, "Every key is one the format knows."},
      {"H-RANGE", Severity::error, "timeoutSeconds lies between 1 and 3600."},
      {"H-COUNT", Severity::error, "A command has between 1 and 64 words."},
      {"H-COMMAND", Severity::error, "Every hook that is offered has a command that runs it."},
      {"H-NONE", Severity::error, "At least one hook is offered."},
      {"H-PAIR", Severity::error,
       "A hook that moves something is offered together with the one that moves it back."},
  };
  return rules;
}

}  // namespace cmb2kueue::hooks
