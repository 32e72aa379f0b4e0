// Running another program: argv given whole, never a shell, with a time limit. The program gets this process's
// environment and working directory, a process group of its own, and default signals.
#pragma once
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

// The same with more said.
struct ProcessOptions {
  std::string input;  // unused with keep_stdin
  int timeout_ms = 60'000;
  std::vector<std::pair<std::string, std::string>> environment;  // added to this process's, and over it
  // It talks to the person at this process's own standard input, and so stays in this process's group; a time limit
  // then ends it alone.
  bool keep_stdin = false;
  bool keep_stderr = false;  // its standard error is this process's own; ProcessResult::err stays empty
};
Result<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessOptions& options);

}  // namespace cmb2kueue::base
