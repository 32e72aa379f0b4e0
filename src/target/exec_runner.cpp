// The plugin as a program: its errors go to ours, where the person waits, and its output stays with us.
#include <cstdlib>

#include "cmb2kueue/base/process.h"
#include "cmb2kueue/base/text.h"
#include "credentials.h"
#include "plugin_policy.h"

namespace cmb2kueue::target {

namespace {

constexpr int a_minute_ms = 60'000;
constexpr std::size_t largest_answer = std::size_t{1} << 20U;

base::Result<PluginAnswer> run(const PluginCall& call) {
  const char* search_path = std::getenv("PATH");
  std::vector<std::string> argv = call.argv;
  argv.front() = look_up(argv.front(), search_path == nullptr ? "" : search_path);
  if (argv.front().empty())
    return base::Status(base::ErrorKind::not_found, "there is no program " + base::quoted(call.argv.front(), 400));
  base::ProcessOptions options;
  options.timeout_ms = a_minute_ms;
  options.environment = call.environment;
  options.share_errors = true;
  options.share_terminal = call.interactive;
  options.largest_output = largest_answer;
  base::Result<base::ProcessResult> result = base::run_process(argv, options);
  if (!result.ok()) return result.status();
  return PluginAnswer{result->exit_code, result->timed_out, std::move(result->out)};
}

}  // namespace

PluginRunner real_plugin_runner() {
  return run;
}

}  // namespace cmb2kueue::target
