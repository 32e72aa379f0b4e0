// Waiting until queues that were opened are ready, and saying which are not.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

std::string age(const Context& context, const std::string& since) {
  const std::int64_t then = base::parse_rfc3339(since);
  if (then < 0) return "";
  return fmt::format(", for {} s", std::max<std::int64_t>(0, (context.clock->now_ms() - then) / 1000));
}

std::string listed(const Context& context, const std::vector<target::Unready>& unready) {
  std::string out;
  for (const target::Unready& one : unready)
    out += fmt::format("\n    {}: {}{}: {}", to_string(one.key), one.reason, age(context, one.since),
                       base::quoted(one.message, 300));
  return out;
}

// Nobody has judged the object yet, or not as it is now; time may mend that, unlike a verdict.
bool only_late(const std::vector<target::Unready>& unready) {
  return std::all_of(unready.begin(), unready.end(), [](const target::Unready& one) {
    return one.reason == "NoStatusYet" || one.reason == "OldGeneration";
  });
}

base::Status too_late(const Context& context, const std::vector<target::Unready>& unready) {
  const bool late = only_late(unready);
  return base::Status(
      late ? base::ErrorKind::interrupted : base::ErrorKind::mismatch,
      fmt::format("not ready after {} s:{}", context.ready_timeout_ms / 1000, listed(context, unready)),
      late ? "see that Kueue's manager runs; the same command goes on" : "mend what Kueue names, then try again");
}

}  // namespace

base::Status wait_until_ready(Task& task) {
  Run& run = task.run;
  target::Cluster* cluster = run.context.target->cluster();
  if (cluster == nullptr || run.context.dry_run) return {};
  const std::vector<kueue::ObjectKey> keys = target::keys_of(task.tenant.objects);
  std::int64_t waited = 0;
  for (std::int64_t pause = 50;; pause = std::min<std::int64_t>(pause * 2, 1000)) {
    const base::Result<std::vector<target::Unready>> unready = cluster->unready(keys);
    if (!unready.ok()) return unready.status();
    if (unready->empty()) return {};
    if (run.stop_requested()) return run.stopped("the queues were ready:" + listed(run.context, unready.value()));
    if (waited >= run.context.ready_timeout_ms) return too_late(run.context, unready.value());
    const base::Status kept = run.keep_lock();
    if (!kept.ok()) return kept;
    run.context.clock->sleep_ms(pause);
    waited += pause;
  }
}

}  // namespace cmb2kueue::cutover
