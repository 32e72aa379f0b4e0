// When a queue is ready: by its own Active condition, if that speaks of the generation that is there now.
#include <fmt/format.h>

#include "kube_cluster.h"

namespace cmb2kueue::target {

namespace {

doc::Node condition(doc::Node live, std::string_view type) {
  for (const doc::Node one : doc::children(at(live, "status.conditions")))
    if (text_at(one, "type") == type) return one;
  return {};
}

}  // namespace

std::optional<Unready> judge_readiness(const kueue::ObjectKey& key, doc::Node live) {
  const auto unready = [&](std::string reason, std::string message, std::string since) {
    return Unready{key, std::move(reason), std::move(message), std::move(since)};
  };
  if (!live.exists()) return unready("NotThere", "the object does not exist", "");
  const std::string gone = text_at(live, "metadata.deletionTimestamp");
  if (!gone.empty()) return unready("Terminating", "the object is being removed", gone);
  if (key.kind != kueue::Kind::cluster_queue && key.kind != kueue::Kind::local_queue) return {};
  const std::string made = text_at(live, "metadata.creationTimestamp");
  const doc::Node active = condition(live, "Active");
  if (!active.exists()) return unready("NoStatusYet", "the controller has not said anything about it yet", made);
  const std::string since = text_at(active, "lastTransitionTime");
  const std::string generation = text_at(live, "metadata.generation");
  if (text_at(active, "observedGeneration") != generation)
    return unready("OldGeneration",
                   fmt::format("the controller has looked at generation {}, not at {} yet",
                               text_at(active, "observedGeneration"), generation),
                   since);
  if (text_at(active, "status") == "True") return {};
  return unready(text_at(active, "reason"), text_at(active, "message"), since);
}

}  // namespace cmb2kueue::target
