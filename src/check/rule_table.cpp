// The table of rules.
#include "rule_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cmb2kueue::check {

using base::Severity;

namespace {

// clang-format off
constexpr Rule table[] = {
      {"KQ-BORROW-WITHIN", Severity::error, "borrowWithinCohort needs reclaimWithinCohort.",
       "Kueue v0.19.2 clusterqueue CRD, CEL on spec.preemption"},
      {"KQ-CEILING-ZERO", Severity::warning,
       "A queue can never admit anything of a resource it lists with a borrowing limit.",
       "quota algebra, Kueue v0.19.2 pkg/cache/scheduler/resource_node.go"},
      {"KQ-CHECK-FLAVOR", Severity::error, "An admission check is bound to a flavor the queue does not list.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go"},
      {"KQ-CHECK-MISSING", Severity::error, "A queue names an admission check that is not there: it is inactive.",
       "Kueue v0.19.2 pkg/controller/core/clusterqueue_controller.go"},
      {"KQ-COHORT-MISSING", Severity::warning,
       "A queue or Cohort names a Cohort that has no object; Kueue makes an empty root of it.",
       "Kueue v0.19.2 pkg/cache/hierarchy"},
      {"KQ-COHORT-UNUSED", Severity::note, "Nobody is below a Cohort.", "practice"},
      {"KQ-COUNT", Severity::error, "More flavors, resources or pairs than a queue may have.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go"},
      {"KQ-COVERAGE", Severity::warning, "cpu or memory is not covered, so jobs that request it wait for ever.",
       "Kueue v0.19.2 pkg/scheduler/flavorassigner"},
      {"KQ-CYCLE", Severity::error, "A Cohort is its own ancestor; nothing in the tree is admitted.",
       "Kueue v0.19.2 pkg/cache/hierarchy/cycle.go"},
      {"KQ-DUPLICATE-FLAVOR", Severity::error, "A flavor stands in two resource groups.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go"},
      {"KQ-DUPLICATE-OBJECT", Severity::error, "Two documents describe the same object.", "practice"},
      {"KQ-DUPLICATE-RESOURCE", Severity::error, "A resource is covered twice.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go"},
      {"KQ-END-STATE", Severity::error, "A manifest made to show the end state, not for production.", "practice"},
      {"KQ-FLAVOR-MISSING", Severity::error, "A queue names a flavor that is not there: the queue is inactive.",
       "Kueue v0.19.2 pkg/controller/core/clusterqueue_controller.go"},
      {"KQ-FLAVORS-MANY", Severity::warning, "More flavors than the status of a queue can hold.",
       "Kueue v0.19.2 clusterqueue CRD, status.flavorsUsage"},
      {"KQ-LABEL", Severity::error, "A label, taint or node label Kubernetes refuses.",
       "Kubernetes v1.35 apimachinery pkg/util/validation"},
      {"KQ-LEND-RECLAIM", Severity::error, "A queue of ours lends its reservation and could not take it back.",
       "practice"},
      {"KQ-LENDING", Severity::error, "A lending limit above the nominal quota.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go"},
      {"KQ-LIMIT-WITHOUT-COHORT", Severity::error, "A borrowing or lending limit without anybody to borrow from.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go, cohort_webhook.go"},
      {"KQ-MISSING-RESOURCES", Severity::error, "A flavor does not list every covered resource, or lists others.",
       "Kueue v0.19.2 clusterqueue CRD, CEL on spec.resourceGroups[]"},
      {"KQ-NAME", Severity::error, "A name Kubernetes refuses, or one that no job can write into a label.",
       "Kubernetes v1.35 apimachinery pkg/util/validation"},
      {"KQ-NAMESPACE", Severity::warning, "A LocalQueue without a namespace lands in the current one.", "practice"},
      {"KQ-NEGATIVE", Severity::error, "A negative quota or limit.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go"},
      {"KQ-NO-EFFECT", Severity::note, "A setting that Kueue accepts and never looks at.",
       "Kueue v0.19.2 pkg/scheduler/preemption, pkg/scheduler/flavorassigner"},
      {"KQ-NOT-SHARED", Severity::warning,
       "No two queues of a cohort share a flavor and resource, so nothing is ever lent.", "practice"},
      {"KQ-ORDER", Severity::error, "All covered resources are listed, but in another order.",
       "Kueue v0.19.2 pkg/webhooks/clusterqueue_webhook.go"},
      {"KQ-OVERFLOW", Severity::error, "Quotas of a tree sum past what Kueue can count.",
       "Kueue v0.17.0 pkg/resources/requests.go"},
      {"KQ-PREEMPT-STOPS", Severity::note,
       "whenCanPreempt MayStopSearch may hold a job in an early flavor while a later one is free.",
       "Kueue v0.19.2 pkg/scheduler/flavorassigner"},
      {"KQ-PREFERENCE", Severity::error, "A flavor preference needs both conditions to be TryNextFlavor.",
       "Kueue v0.19.2 clusterqueue CRD, CEL on spec.flavorFungibility"},
      {"KQ-QUEUE-MISSING", Severity::error, "A LocalQueue names a ClusterQueue that is not there.",
       "Kueue v0.19.2 pkg/controller/core/localqueue_controller.go"},
      {"KQ-QUEUE-NAMESPACE", Severity::error, "A LocalQueue's namespace is not one its ClusterQueue selects.",
       "Kueue v0.19.2 pkg/scheduler/scheduler.go"},
      {"KQ-SELECTOR", Severity::error, "A namespaceSelector Kubernetes refuses.",
       "Kubernetes v1.35 apimachinery pkg/apis/meta/v1/validation"},
      {"KQ-SELECTOR-MISSING", Severity::error, "Without a namespaceSelector a queue admits nothing.",
       "Kueue v0.19.2 apis/kueue/v1beta2/clusterqueue_types.go"},
      {"KQ-SELECTS-NOTHING", Severity::warning, "A namespaceSelector matches none of the namespaces of the set.",
       "Kueue v0.19.2 pkg/scheduler/scheduler.go"},
      {"KQ-STRICT-FLAVORS", Severity::warning,
       "StrictFIFO over several flavors: a head waiting for one blocks the others.", "practice"},
      {"KQ-TAINT", Severity::error, "A taint or toleration Kubernetes refuses.",
       "Kueue v0.19.2 resourceflavor CRD, CEL on spec"},
      {"KQ-TOPOLOGY-LABELS", Severity::error, "A flavor with a topology needs node labels.",
       "Kueue v0.19.2 resourceflavor CRD, CEL on spec"},
      {"KQ-TOPOLOGY-MISSING", Severity::error, "A flavor names a Topology that is not there: its queues are inactive.",
       "Kueue v0.19.2 pkg/controller/core/clusterqueue_controller.go"},
      {"KQ-TOPOLOGY-MIXED", Severity::warning,
       "A group mixes flavors with and without a topology; a job can use one sort only.",
       "Kueue v0.19.2 pkg/scheduler/flavorassigner/tas_flavorassigner.go"},
      {"KQ-UNIT", Severity::warning, "A quota whose unit does not fit its resource.", "practice"},
      {"KQ-UNIT-MIXED", Severity::warning, "Quotas of one flavor and resource in G and in Gi.", "practice"},
      {"KQ-WEIGHT", Severity::error, "A weight below 0, or too small to count.",
       "Kueue v0.19.2 pkg/webhooks/common.go"},
      {"KQ-WEIGHT-ZERO", Severity::note, "Weight 0: last to borrow, first to lose.",
       "Kueue v0.19.2 pkg/cache/scheduler/fair_sharing.go"},
};
// clang-format on

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all(std::begin(table), std::end(table));
  return all;
}

Severity severity_of_rule(std::string_view id) {
  const std::vector<Rule>& all = rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Rule& rule) { return rule.id == id; });
  return found == all.end() ? Severity::error : found->severity;
}

std::string GroupPath::text() const {
  std::string text = fmt::format("spec.resourceGroups[{}]", group);
  if (flavor) text += fmt::format(".flavors[{}]", *flavor);
  if (row) text += fmt::format(".resources[{}]", *row);
  if (!field.empty()) text += fmt::format(".{}", field);
  return text;
}

void Subject::report(std::string_view rule, std::string message, std::string advice, std::string field) const {
  report_as(severity_of_rule(rule), rule, std::move(message), std::move(advice), std::move(field));
}

void Subject::report_as(base::Severity severity, std::string_view rule, std::string message, std::string advice,
                        std::string field) const {
  const base::Place at = place_of(field);
  findings.add({std::string(rule), severity, std::move(message), std::move(advice),
                object == nullptr ? name : to_string(kueue::key_of(*object)), std::move(field), at});
}

namespace {

// Items of a list are found by walking; past this many a finding stands at the list.
constexpr std::int64_t deepest_index = 1024;

// "resourceGroups[2]" -> its key and index; index -1 without one.
std::pair<std::string_view, std::int64_t> split_step(std::string_view step) {
  const std::size_t bracket = step.find('[');
  if (bracket == std::string_view::npos) return {step, -1};
  std::int64_t index = 0;
  for (const char c : step.substr(bracket + 1))
    if (c >= '0' && c <= '9') index = index * 10 + (c - '0');
  return {step.substr(0, bracket), index};
}

// v1beta1 spelt one field of those reported here otherwise.
doc::Node child(doc::Node map, std::string_view key) {
  const doc::Node found = map.find(key);
  return found.exists() || key != "cohortName" ? found : map.find("cohort");
}

}  // namespace

base::Place Subject::place_of(std::string_view field) const {
  doc::Node at = document;
  while (at.exists() && !field.empty()) {
    const std::size_t dot = std::min(field.find('.'), field.size());
    const auto [key, index] = split_step(field.substr(0, dot));
    field.remove_prefix(std::min(dot + 1, field.size()));
    doc::Node next = at.is_map() ? child(at, key) : doc::Node();
    if (index >= 0) {
      if (!next.is_list() || index > deepest_index) break;
      next = next.first_child();
      for (std::int64_t i = 0; i < index && next.exists(); ++i) next = next.next();
    }
    if (!next.exists()) break;
    at = next;
  }
  return at.exists() ? at.place() : place;
}

}  // namespace cmb2kueue::check
