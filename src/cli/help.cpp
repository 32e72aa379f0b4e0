// Help: what a verb is for, how it is called, its options, and examples that can be pasted.
#include "help.h"

#include <fmt/format.h>

#include <algorithm>

#include "cluster_options.h"

namespace cmb2kueue::cli {

namespace {

// Breaks at spaces so that no line passes the width; every line is indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 92) {
  std::string out, line;
  const std::string margin(indent, ' ');
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
      out += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
    at = end + 1;
  }
  return line.empty() ? out : out + margin + line + "\n";
}

std::string option_line(const OptionInfo& option) {
  std::string names = option.short_name.empty() ? "    " : std::string(option.short_name) + ", ";
  names += option.name;
  if (!option.metavar.empty()) names += " " + std::string(option.metavar);
  std::string help = wrapped(option.help, 34);
  if (names.size() < 31) return fmt::format("  {:<32}{}", names, help.substr(34));
  return "  " + names + "\n" + help;
}

}  // namespace

std::string program_help(const std::string& program) {
  std::string out =
      "Moves the tenants of a CMB batch system to Kueue, one at a time, and back in one command.\n\n"
      "usage: " +
      program + " VERB [ARGUMENTS] [OPTIONS]\n\nVerbs:\n";
  for (const VerbInfo& verb : verbs())
    out += fmt::format("  {:<12}{}{}\n", verb.name, verb.summary, verb.writes ? " (writes to the target)" : "");
  out += "\nA first look:\n";
  out += "  " + program + " audit -e export.json\n";
  out += "  " + program + " translate --all -e export.json -m mapping.yaml --out manifests/\n";
  out += "\n" + program + " VERB --help shows a verb's options and examples. Exit codes: man cmb2kueue.\n";
  return out;
}

std::string verb_help(const std::string& program, const VerbInfo& verb) {
  const std::string arguments = verb.arguments.empty() ? "" : " " + std::string(verb.arguments);
  std::string out = std::string(verb.summary) + "\n\nusage: " + program + " " + std::string(verb.name) + arguments +
                    " [OPTIONS]\n\n" + wrapped(verb.details, 0) + "\nOptions:\n";
  const std::vector<OptionInfo>& cluster = cluster_options();
  const auto is_cluster = [&](const OptionInfo* option) {
    return std::any_of(cluster.begin(), cluster.end(),
                       [&](const OptionInfo& one) { return one.name == option->name; });
  };
  std::string reaching;
  for (const OptionInfo* option : options_of(verb)) (is_cluster(option) ? reaching : out) += option_line(*option);
  if (!reaching.empty()) out += "\nTo reach a cluster:\n" + reaching;
  out += "\nExamples:\n";
  for (const Example& example : verb.examples)
    out += "  # " + std::string(example.what) + "\n  " + program + " " + std::string(example.command) + "\n";
  return out;
}

}  // namespace cmb2kueue::cli
