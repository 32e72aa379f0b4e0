// The command line: the table of verbs and options that help, completion and the manual all read, and the one
// function main() calls. Only this folder knows CLI11 and exit codes.
#pragma once
#include <string_view>
#include <vector>

namespace cmb2kueue::cli {

struct OptionInfo {
  std::string_view name;        // "--export"
  std::string_view short_name;  // "-e" or ""
  std::string_view metavar;     // "FILE"; "" for a flag
  std::string_view help;        // one sentence
  bool repeat = false;          // may be given more than once
  bool environment = false;     // also taken from CMB2KUEUE_<NAME>; never for the target
};
const std::vector<OptionInfo>& options();
const OptionInfo* find_option(std::string_view name);

struct Example {
  std::string_view command;  // without the program's name
  std::string_view what;
};

class Session;

struct VerbInfo {
  std::string_view name;
  std::string_view arguments;  // "[TENANT...]"
  std::string_view summary;    // one line
  std::string_view details;    // a paragraph or two
  std::vector<std::string_view> options;
  std::vector<Example> examples;
  bool writes = false;  // changes the target
  int (*run)(Session& session) = nullptr;
};
const std::vector<VerbInfo>& verbs();
const VerbInfo* find_verb(std::string_view name);

// Everything the verb takes: its own options, those of clusters where it has a target, and what all verbs take.
std::vector<const OptionInfo*> options_of(const VerbInfo& verb);

// What the program returns (man/cmb2kueue.1, EXIT STATUS).
struct ExitCode {
  int code;
  std::string_view meaning;
};
const std::vector<ExitCode>& exit_codes();

// Any id printed in front of a message: a check of the export, mapping, manifests, translation or state, or a code
// of the catalogue.
struct RuleInfo {
  std::string_view id;
  std::string_view where;     // "export", "mapping", "manifest", "translation", "verification", "catalogue"
  std::string_view severity;  // "error", "warning", "note"; the class for codes of the catalogue
  std::string_view summary;
};
std::vector<RuleInfo> all_rules();  // sorted by id

// Parses, runs one verb, prints, and returns the exit code. Never throws.
int run(int argc, char** argv);

}  // namespace cmb2kueue::cli
