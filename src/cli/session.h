// What one run of a verb has at hand: its arguments, the files it reads, what it found, and where it prints.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/place.h"
#include "cmb2kueue/cli/cli.h"
#include "cmb2kueue/hooks/other_side.h"
#include "cmb2kueue/report/report.h"
#include "console.h"

namespace cmb2kueue::cli {

// Parsed arguments by option name ("--export"); which ones exist is the verb's row in the table.
class Arguments {
 public:
  std::vector<std::string> positional;
  std::map<std::string, std::vector<std::string>, std::less<>> values;

  bool has(std::string_view option) const { return values.contains(option); }
  // The value, or `fallback` when the option was not given.
  std::string value(std::string_view option, std::string_view fallback = "") const;
  std::vector<std::string> list(std::string_view option) const;
};

class Session {
 public:
  Session();

  Arguments arguments;
  std::string program;  // "cmb2kueue" or "kubectl cmb2kueue"
  bool writes = false;  // the verb changes the target
  std::unique_ptr<base::FileSystem> disk;
  base::SourceFiles files;
  base::Findings findings;
  base::SystemClock clock;
  Console console;
  std::unique_ptr<hooks::OtherSide> other_side;  // who stands for CMB (open_other_side); nullptr: the operator

  // Reads a file into `files`; the number of the file. Failures name the path.
  base::Result<std::uint32_t> read(const std::string& path);

  // Prints the report in the format asked for and turns findings into the exit code: 1 when any is at or above
  // --fail-on, else 0.
  int finish(report::Report report);

  // The same, with an exit code of the verb's own when findings do not already ask for 1.
  int finish(report::Report report, int code);

  // Prints a failure to stderr, with the findings made so far, and gives its exit code.
  int fail(const base::Status& status);
};

// The exit code of a kind of failure.
int exit_code(base::ErrorKind kind);

// --fail-on as a severity; usage error for an unknown word.
base::Result<base::Severity> fail_on(const Arguments& arguments);

}  // namespace cmb2kueue::cli
