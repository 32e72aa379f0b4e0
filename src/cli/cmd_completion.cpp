// completion: scripts for bash, zsh and fish, made from the tables. Tenants complete from the export, through this
// program itself.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "commands.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

namespace {

std::string option_words(const VerbInfo& verb) {
  std::string words;
  for (const OptionInfo* option : options_of(verb)) words += (words.empty() ? "" : " ") + std::string(option->name);
  return words;
}

std::string verb_words() {
  std::string words;
  for (const VerbInfo& verb : verbs()) words += (words.empty() ? "" : " ") + std::string(verb.name);
  return words;
}

std::string bash_script() {
  std::string out =
      "# bash completion for cmb2kueue\n_cmb2kueue() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" verb=\"${COMP_WORDS[1]}\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  out += fmt::format("    COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n    return\n  fi\n", verb_words());
  out += "  case \"$current\" in\n  -*)\n    case \"$verb\" in\n";
  for (const VerbInfo& verb : verbs())
    out +=
        fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$current\")) ;;\n", verb.name, option_words(verb));
  out +=
      "    esac\n    ;;\n  /*)\n    local export_file=\"${CMB2KUEUE_EXPORT:-}\" i\n"
      "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "      case \"${COMP_WORDS[i]}\" in -e|--export) export_file=\"${COMP_WORDS[i+1]}\" ;; esac\n    done\n"
      "    [ -n \"$export_file\" ] || return\n    local IFS=$'\\n'\n"
      "    COMPREPLY=($(compgen -W \"$(cmb2kueue completion tenants -e \"$export_file\" 2>/dev/null)\" -- "
      "\"$current\"))\n"
      "    ;;\n  *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n  esac\n}\n"
      "complete -o filenames -F _cmb2kueue cmb2kueue\n";
  return out;
}

std::string zsh_script() {
  std::string out = "#compdef cmb2kueue\n_cmb2kueue() {\n  if (( CURRENT == 2 )); then\n    local -a verbs=(\n";
  for (const VerbInfo& verb : verbs()) out += fmt::format("      '{}:{}'\n", verb.name, verb.summary);
  out += "    )\n    _describe verb verbs\n    return\n  fi\n  case $words[2] in\n";
  for (const VerbInfo& verb : verbs())
    out += fmt::format("    {}) compadd -- {} ;;\n", verb.name, option_words(verb));
  out += "  esac\n  _files\n}\n_cmb2kueue \"$@\"\n";
  return out;
}

std::string fish_script() {
  std::string out = "# fish completion for cmb2kueue\n";
  for (const VerbInfo& verb : verbs())
    out += fmt::format("complete -c cmb2kueue -n __fish_use_subcommand -a {} -d '{}'\n", verb.name, verb.summary);
  for (const VerbInfo& verb : verbs())
    for (const OptionInfo* option : options_of(verb)) {
      std::string help(option->help);
      std::replace(help.begin(), help.end(), '\'', ' ');
      out += fmt::format("complete -c cmb2kueue -n '__fish_seen_subcommand_from {}' -l {} -d '{}'\n", verb.name,
                         option->name.substr(2), help);
    }
  return out;
}

int tenants(Session& session) {
  const base::Result<Inputs> inputs = read_inputs(session);
  if (!inputs.ok()) return exit_code(inputs.status().kind());
  std::string out;
  for (const model::Tenant& tenant : inputs->model.tenants) out += tenant.path + "\n";
  session.console.document(out);
  return 0;
}

}  // namespace

int cmd_completion(Session& session) {
  const std::vector<std::string>& words = session.arguments.positional;
  const std::string shell = words.size() == 1 ? words[0] : "";
  if (shell == "tenants") return tenants(session);
  std::string script;
  if (shell == "bash") script = bash_script();
  if (shell == "zsh") script = zsh_script();
  if (shell == "fish") script = fish_script();
  if (script.empty())
    return session.fail(
        base::Status(base::ErrorKind::usage,
                     "completion takes bash, zsh or fish" + base::did_you_mean(shell, {"bash", "zsh", "fish"}),
                     "see: cmb2kueue completion --help"));
  session.console.document(script);
  return 0;
}

}  // namespace cmb2kueue::cli
