// Running another program: argv given whole, never a shell, with a time limit. The program gets this process's
// environment and working directory, a process group of its own, and default signals.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::base {

struct ProcessResult {
  // As the program ended; 128+n when signal n ended it.
  int exit_code = 0;
  // The time limit was reached; the outputs hold what came until the end.
  bool timed_out = false;
  std::string out;
  std::string err;
};

// argv[0] is looked up on PATH. `input` becomes its standard input, which then ends; a program that does not read
// it is no failure. Returns once the program has ended, not its background children. A program that fails or runs
// out of time is a result, not an error; the caller judges. Errors: not_found when there is no such program, io
// when it cannot be started, usage for an empty argv. After timeout_ms the process group gets SIGTERM, two seconds
// later SIGKILL. Output beyond 64 MiB, of either kind, is refused with kind io and ends the group. Safe to call
// from several threads.
Result<ProcessResult> run_process(const std::vector<std::string>& argv, const std::string& input, int timeout_ms);

// What a program may be given beyond that.
struct ProcessOptions {
  std::string input;
  int timeout_ms = 60'000;
  // Added to this process's environment; where a name has several values, the last one counts.
  std::vector<std::pair<std::string, std::string>> environment;
  // Its errors go where ours go; ProcessResult::err stays empty.
  bool share_errors = false;
  // It may ask the person at the terminal: it reads our standard input (`input` is not used) and stays in our
  // process group, since the terminal is for one group. The time limit then reaches the program, not its children.
  bool share_terminal = false;
  std::size_t largest_output = std::size_t{64} << 20U;  // whole MiB, for each output
};
Result<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessOptions& options);

}  // namespace cmb2kueue::base
