// Rules about one object that do not concern its quotas.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"
#include "rule_table.h"

namespace cmb2kueue::check {

namespace {

constexpr std::size_t most_entries = 8;  // labels, taints and tolerations of a flavor, each

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
    if (term.op == "In" || term.op == "NotIn")
      for (const std::string& value : term.values)
        if (!legal_label_value(value))
          subject.report("KQ-SELECTOR", base::quoted(value) + " is not a legal value of a label", "",
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

void check_weight(const std::optional<base::Quantity>& weight, bool local_queue, const Subject& subject) {
  if (!weight) return;
  const base::int128 nanos = weight->nanos();
  if (nanos < 0 || nanos == 1)  // of a LocalQueue nobody checks it
    subject.report_as(local_queue ? base::Severity::warning : severity_of_rule("KQ-WEIGHT"), "KQ-WEIGHT",
                      fmt::format("the weight is {}", weight->to_string()), "0, or more than 1n",
                      "spec.fairSharing.weight");
  else if (nanos == 0)
    subject.report(
        "KQ-WEIGHT-ZERO",
        local_queue ? "weight 0: Kueue before 0.19.1 divides by it" : "weight 0: last to borrow, first to lose", "",
        "spec.fairSharing.weight");
}

namespace {

std::size_t most_flavors(const kueue::ClusterQueue& queue) {
  std::size_t most = 0;
  for (const kueue::ResourceGroup& group : queue.groups) most = std::max(most, group.flavors.size());
  return most;
}

void check_preemption(const kueue::ClusterQueue& queue, const Subject& subject) {
  if (queue.reclaim_within_cohort == "Never" && queue.borrow_within_cohort != "Never")
    subject.report("KQ-BORROW-WITHIN", "borrowWithinCohort is on while reclaimWithinCohort is Never",
                   "set reclaimWithinCohort, or remove borrowWithinCohort", "spec.preemption");
  if (!queue.flavor_preference.empty() &&
      (queue.when_can_borrow != "TryNextFlavor" || queue.when_can_preempt != "TryNextFlavor"))
    subject.report("KQ-PREFERENCE", "a preference is given while a condition is MayStopSearch",
                   "set whenCanBorrow and whenCanPreempt to TryNextFlavor", "spec.flavorFungibility.preference");
}

void check_flavor_search(const kueue::ClusterQueue& queue, const Subject& subject) {
  const std::size_t flavors = most_flavors(queue);
  if (flavors < 2) return;
  if (queue.queueing_strategy == "StrictFIFO")
    subject.report("KQ-STRICT-FLAVORS",
                   fmt::format("StrictFIFO over {} flavors: a head that waits for one blocks the others", flavors),
                   "split the queue, or use BestEffortFIFO", "spec.queueingStrategy");
  if (queue.when_can_preempt == "MayStopSearch")
    subject.report(
        "KQ-PREEMPT-STOPS",
        "whenCanPreempt MayStopSearch: a job may wait for preemption in an early flavor while a later one "
        "is free",
        "TryNextFlavor looks further first", "spec.flavorFungibility.whenCanPreempt");
}

// Settings that Kueue accepts and never looks at.
void check_no_effect(const kueue::ClusterQueue& queue, const Subject& subject) {
  const auto say = [&](bool idle, const char* message, const char* field) {
    if (idle) subject.report("KQ-NO-EFFECT", message, "", field);
  };
  const bool alone = queue.cohort.empty();
  say(alone && queue.reclaim_within_cohort != "Never", "reclaimWithinCohort has no effect without a cohort",
      "spec.preemption.reclaimWithinCohort");
  say(alone && queue.when_can_borrow == "TryNextFlavor", "whenCanBorrow has no effect without a cohort",
      "spec.flavorFungibility.whenCanBorrow");
  say(queue.max_priority_threshold && queue.borrow_within_cohort == "Never",
      "maxPriorityThreshold has no effect while the policy is Never",
      "spec.preemption.borrowWithinCohort.maxPriorityThreshold");
  say(queue.weight && queue.borrow_within_cohort != "Never",
      "borrowWithinCohort is ignored where fair sharing is on", "spec.preemption.borrowWithinCohort");
}

void check_admission_checks(const kueue::ClusterQueue& queue, const Subject& subject) {
  std::set<std::string_view> flavors;
  for (const kueue::ResourceGroup& group : queue.groups)
    for (const kueue::FlavorQuotas& flavor : group.flavors) flavors.insert(flavor.flavor);
  for (const kueue::AdmissionCheckUse& check : queue.admission_checks)
    for (const std::string& flavor : check.on_flavors)
      if (!flavors.contains(flavor))
        subject.report("KQ-CHECK-FLAVOR",
                       fmt::format("the admission check {} is bound to {}, which is no flavor of the queue",
                                   base::quoted(check.name), base::quoted(flavor)),
                       "name a flavor of the queue; Kueue before 0.17.1 does not notice",
                       "spec.admissionChecksStrategy.admissionChecks");
}

void check_coverage(const kueue::ClusterQueue& queue, const Subject& subject) {
  std::set<std::string_view> covered;
  for (const kueue::ResourceGroup& group : queue.groups) covered.insert(group.covered.begin(), group.covered.end());
  if (covered.empty())
    return subject.report("KQ-COVERAGE", "no resource is covered, so the queue admits nothing",
                          "add a resource group", "spec.resourceGroups");
  for (const char* resource : {"cpu", "memory"})
    if (!covered.contains(resource))
      subject.report("KQ-COVERAGE",
                     fmt::format("{} is not covered: a job that requests it waits for ever", resource),
                     "cover it, or exclude it in the controller's configuration", "spec.resourceGroups");
}

bool ours(const kueue::Meta& meta) {
  return std::any_of(meta.labels.begin(), meta.labels.end(), [](const auto& label) {
    return label.first == kueue::label_managed_by && label.second == kueue::managed_by;
  });
}

// What a source system promised its tenant must be there when the tenant wants it.
void check_lending(const kueue::ClusterQueue& queue, const Subject& subject) {
  if (!ours(queue.meta) || queue.reclaim_within_cohort != "Never" || queue.cohort.empty()) return;
  kueue::for_each_quota(queue, [&](const std::string& flavor, const kueue::ResourceQuota& row) {
    if (row.resource != "pods" && !row.lending_limit && !row.nominal.is_zero())
      subject.report("KQ-LEND-RECLAIM",
                     fmt::format("{} of {} is lent and could not be taken back", row.resource, flavor),
                     "set reclaimWithinCohort: Any, or lendingLimit: 0", "spec.resourceGroups");
  });
}

}  // namespace

void check_cluster_queue(const kueue::ClusterQueue& queue, const Subject& subject) {
  if (!queue.namespace_selector)
    subject.report("KQ-SELECTOR-MISSING", "there is no namespaceSelector, so the queue admits nothing",
                   "write {} to select every namespace, or name the ones you mean", "spec.namespaceSelector");
  else
    check_selector(*queue.namespace_selector, subject);
  check_preemption(queue, subject);
  check_flavor_search(queue, subject);
  check_no_effect(queue, subject);
  check_admission_checks(queue, subject);
  check_coverage(queue, subject);
  check_lending(queue, subject);
  check_weight(queue.weight, false, subject);
}

void check_flavor(const kueue::ResourceFlavor& flavor, const Subject& subject) {
  for (const auto& [key, value] : flavor.node_labels)
    if (!legal_label_key(key) || !legal_label_value(value))
      subject.report("KQ-LABEL", fmt::format("{}={} is not a legal node label", key, base::quoted(value)), "",
                     "spec.nodeLabels");
  for (const auto& [have, what] : {std::pair(flavor.node_labels.size(), "nodeLabels"),
                                   {flavor.taints.size(), "nodeTaints"},
                                   {flavor.tolerations.size(), "tolerations"}})
    if (have > most_entries)
      subject.report("KQ-COUNT", fmt::format("{} {}; {} are allowed", have, what, most_entries), "keep fewer",
                     fmt::format("spec.{}", what));
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
