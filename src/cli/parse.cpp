// Builds the CLI11 application for one verb from the tables and reads its answers back by option name.
#include "parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cli {

namespace {

std::string environment_name(std::string_view option) {
  std::string name = "CMB2KUEUE_";
  for (const char c : option.substr(2)) name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

void take_environment(const OptionInfo& option, Arguments& arguments) {
  if (!option.environment || arguments.has(option.name)) return;
  const char* value = std::getenv(environment_name(option.name).c_str());
  if (value == nullptr || *value == '\0') return;
  if (option.metavar.empty() && (std::string(value) == "0" || std::string(value) == "false")) return;
  arguments.values[std::string(option.name)] = {value};
}

// The option a mistyped word was probably meant to be.
base::Status unexpected(const VerbInfo& verb, const std::string& word) {
  if (!word.starts_with("-"))
    return base::Status(base::ErrorKind::usage, std::string(verb.name) + " takes no argument " + base::quoted(word),
                        "see: cmb2kueue " + std::string(verb.name) + " --help");
  std::vector<std::string> names;
  for (const OptionInfo* option : options_of(verb)) names.emplace_back(option->name);
  const std::string typed = word.substr(0, word.find('='));
  return base::Status(
      base::ErrorKind::usage,
      std::string(verb.name) + " has no option " + base::quoted(typed) + base::did_you_mean(typed, names),
      "see: cmb2kueue " + std::string(verb.name) + " --help");
}

struct Bound {
  const OptionInfo* info;
  CLI::Option* option;
  std::vector<std::string> values;
  bool flag = false;
};

void bind(CLI::App& app, Bound& bound) {
  std::string names(bound.info->name);
  if (!bound.info->short_name.empty()) names = std::string(bound.info->short_name) + "," + names;
  if (bound.info->metavar.empty()) {
    bound.option = app.add_flag(names, bound.flag);
    return;
  }
  bound.option = app.add_option(names, bound.values)->expected(1)->allow_extra_args(false);
  bound.option->multi_option_policy(bound.info->repeat ? CLI::MultiOptionPolicy::TakeAll
                                                       : CLI::MultiOptionPolicy::Throw);
}

base::Result<Arguments> parse_verb(const VerbInfo& verb, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  Arguments arguments;
  std::vector<Bound> bound;
  for (const OptionInfo* info : options_of(verb)) bound.push_back({info, nullptr, {}});
  for (Bound& one : bound) bind(app, one);
  if (!verb.arguments.empty()) app.add_option("arguments", arguments.positional);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> extra = app.remaining();
    return unexpected(verb, extra.empty() ? "" : extra.front());
  } catch (const CLI::Error& error) {
    return base::Status(base::ErrorKind::usage, error.what(),
                        "see: cmb2kueue " + std::string(verb.name) + " --help");
  }
  for (Bound& one : bound) {
    if (one.option->count() > 0) arguments.values[std::string(one.info->name)] = std::move(one.values);
    take_environment(*one.info, arguments);
  }
  return arguments;
}

base::Status unknown_verb(const std::string& word) {
  std::vector<std::string> names;
  for (const VerbInfo& verb : verbs()) names.emplace_back(verb.name);
  const std::string what = word.starts_with("-") ? "there is no option " : "there is no verb ";
  return base::Status(base::ErrorKind::usage, what + base::quoted(word) + base::did_you_mean(word, names),
                      "see: cmb2kueue --help");
}

}  // namespace

base::Result<Invocation> parse_arguments(int argc, char** argv) {
  Invocation invocation;
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    invocation.help = true;
    return invocation;
  }
  if (words[0] == "--version") {
    invocation.version = true;
    return invocation;
  }
  const bool asks_help = words[0] == "help";
  if (asks_help) words.erase(words.begin());
  if (words.empty()) {
    invocation.help = true;
    return invocation;
  }
  invocation.verb = find_verb(words[0]);
  if (invocation.verb == nullptr) return unknown_verb(words[0]);
  words.erase(words.begin());
  base::Result<Arguments> arguments = parse_verb(*invocation.verb, std::move(words));
  if (!arguments.ok()) return arguments.status();
  invocation.arguments = std::move(arguments).value();
  invocation.help = asks_help || invocation.arguments.has("--help");
  return invocation;
}

}  // namespace cmb2kueue::cli
