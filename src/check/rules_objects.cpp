// Rules about one object that do not concern its quotas.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "rule_table.h"

namespace cmb2kueue::check {

namespace {

bool alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool legal_name_part(std::string_view name) {
  if (name.empty() || name.size() > 63 || !alphanumeric(name.front()) || !alphanumeric(name.back())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool legal_prefix(std::string_view prefix) {
  if (prefix.empty() || prefix.size() > 253) return false;
  return std::all_of(prefix.begin(), prefix.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

bool known_effect(const std::string& effect) {
  return effect == "NoSchedule" || effect == "PreferNoSchedule" || effect == "NoExecute";
}

void check_selector(const kueue::Selector& selector, const Subject& subject) {
  for (const auto& [key, value] : selector.match_labels)
    if (!legal_label_key(key) || !legal_label_value(value))
      subject.report("KQ-SELECTOR", fmt::format("{}={} is not a legal label", key, value), "",
                     "spec.namespaceSelector.matchLabels");
  for (const kueue::SelectorTerm& term : selector.match_expressions) {
    const bool takes_values = term.op == "In" || term.op == "NotIn";
    if (!legal_label_key(term.key))
      subject.report("KQ-SELECTOR", base::quoted(term.key) + " is not a legal label key", "",
                     "spec.namespaceSelector.matchExpressions");
    if (takes_values == term.values.empty())
      subject.report("KQ-SELECTOR",
                     fmt::format("the operator {} {} values", term.op, takes_values ? "needs" : "takes no"), "",
                     "spec.namespaceSelector.matchExpressions");
  }
}

void check_toleration(const kueue::Toleration& one, const Subject& subject) {
  const auto say = [&](const char* message) { subject.report("KQ-TAINT", message, "", "spec.tolerations"); };
  if (one.key.empty() && one.op != "Exists") say("a toleration without a key has to use the operator Exists");
  if (!one.op.empty() && one.op != "Equal" && one.op != "Exists")
    say("the operator of a toleration is Equal or Exists");
  if (one.op == "Exists" && !one.value.empty()) say("a toleration with the operator Exists has no value");
  if (!one.effect.empty() && !known_effect(one.effect))
    say("the effect of a toleration is NoSchedule, PreferNoSchedule or NoExecute");
  if (one.seconds && one.effect != "NoExecute") say("tolerationSeconds needs the effect NoExecute");
  if (!one.key.empty() && !legal_label_key(one.key)) say("the key of a toleration is not a legal label key");
}

}  // namespace

bool legal_label_value(std::string_view value) {
  return value.empty() || legal_name_part(value);
}

bool legal_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return legal_name_part(key);
  return legal_prefix(key.substr(0, slash)) && legal_name_part(key.substr(slash + 1));
}

void check_meta(const kueue::Meta& meta, const Subject& subject, const Options& options) {
  for (const auto& [key, value] : meta.labels)
    if (!legal_label_key(key) || !legal_label_value(value))
      subject.report("KQ-LABEL", fmt::format("{}={} is not a legal label", key, base::quoted(value)),
                     "at most 63 letters, digits, - _ . with a letter or digit at both ends", "metadata.labels");
  for (const auto& [key, value] : meta.annotations) {
    if (!legal_label_key(key))
      subject.report("KQ-LABEL", base::quoted(key) + " is not a legal annotation key", "", "metadata.annotations");
    if (options.production && key == kueue::annotation_end_state && value == "true")
      subject.report("KQ-END-STATE", "the object shows the end state and was not made for production",
                     "let cutover write it, or translate with --target", "metadata.annotations");
  }
}

void check_weight(const std::optional<base::Quantity>& weight, bool local_queue, const Subject& subject) {
  if (!weight) return;
  const base::int128 nanos = weight->nanos();
  if (nanos < 0 || nanos == 1)
    subject.report("KQ-WEIGHT", fmt::format("the weight is {}", weight->to_string()), "0, or more than 1n",
                   "spec.fairSharing.weight");
  else if (nanos == 0)
    subject.report(
        "KQ-WEIGHT-ZERO",
        local_queue ? "weight 0: Kueue before 0.19.1 divides by it" : "weight 0: last to borrow, first to lose", "",
        "spec.fairSharing.weight");
}

void check_cluster_queue(const kueue::ClusterQueue& queue, const Subject& subject) {
  if (!queue.namespace_selector)
    subject.report("KQ-SELECTOR-MISSING", "there is no namespaceSelector, so the queue admits nothing",
                   "write {} to select every namespace, or name the ones you mean", "spec.namespaceSelector");
  else
    check_selector(*queue.namespace_selector, subject);
  if (queue.reclaim_within_cohort == "Never" && queue.borrow_within_cohort != "Never")
    subject.report("KQ-BORROW-WITHIN", "borrowWithinCohort is on while reclaimWithinCohort is Never",
                   "set reclaimWithinCohort, or remove borrowWithinCohort", "spec.preemption");
  if (!queue.flavor_preference.empty() &&
      (queue.when_can_borrow != "TryNextFlavor" || queue.when_can_preempt != "TryNextFlavor"))
    subject.report("KQ-PREFERENCE", "a preference is given while a condition is MayStopSearch",
                   "set whenCanBorrow and whenCanPreempt to TryNextFlavor", "spec.flavorFungibility.preference");
  std::size_t flavors = 0;
  for (const kueue::ResourceGroup& group : queue.groups) flavors = std::max(flavors, group.flavors.size());
  if (queue.queueing_strategy == "StrictFIFO" && flavors > 1)
    subject.report("KQ-STRICT-FLAVORS",
                   fmt::format("StrictFIFO over {} flavors: a head that waits for one blocks the others", flavors),
                   "split the queue, or use BestEffortFIFO", "spec.queueingStrategy");
  check_weight(queue.weight, false, subject);
}

void check_flavor(const kueue::ResourceFlavor& flavor, const Subject& subject) {
  for (const auto& [key, value] : flavor.node_labels)
    if (!legal_label_key(key) || !legal_label_value(value))
      subject.report("KQ-LABEL", fmt::format("{}={} is not a legal node label", key, base::quoted(value)), "",
                     "spec.nodeLabels");
  std::set<std::pair<std::string, std::string>> seen;
  for (const kueue::Taint& taint : flavor.taints) {
    if (!known_effect(taint.effect))
      subject.report("KQ-TAINT", base::quoted(taint.effect) + " is not the effect of a taint",
                     "NoSchedule, PreferNoSchedule or NoExecute", "spec.nodeTaints");
    if (!legal_label_key(taint.key) || !legal_label_value(taint.value))
      subject.report("KQ-TAINT", fmt::format("{}={} is not a legal taint", taint.key, base::quoted(taint.value)),
                     "", "spec.nodeTaints");
    if (!seen.insert({taint.key, taint.effect}).second)
      subject.report("KQ-TAINT", fmt::format("the taint {}:{} stands twice", taint.key, taint.effect), "",
                     "spec.nodeTaints");
  }
  for (const kueue::Toleration& one : flavor.tolerations) check_toleration(one, subject);
  if (!flavor.topology.empty() && flavor.node_labels.empty())
    subject.report("KQ-TOPOLOGY-LABELS", "a topology is named, but no node labels",
                   "add the labels of the nodes it is about", "spec.nodeLabels");
}

void check_local_queue(const kueue::LocalQueue& queue, const Subject& subject) {
  if (queue.meta.name_space.empty())
    subject.report("KQ-NAMESPACE", "the LocalQueue has no namespace and lands in the current one",
                   "write metadata.namespace", "metadata.namespace");
  check_weight(queue.weight, true, subject);
}

}  // namespace cmb2kueue::check
