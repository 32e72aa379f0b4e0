// Running another program: argv given whole, never a shell, with a time limit.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::base {

struct ProcessResult {
  int exit_code = 0;  // 128+n when ended by signal n
  bool timed_out = false;
  std::string out;
  std::string err;
};

// argv[0] is looked up on PATH. Errors: not_found when there is no such program, io when it cannot be started.
// After timeout_ms the process group gets SIGTERM, two seconds later SIGKILL. Output beyond 64 MiB is refused.
Result<ProcessResult> run_process(const std::vector<std::string>& argv, const std::string& input, int timeout_ms);

}  // namespace cmb2kueue::base
