// Flattening, kind by kind.
#include "flatten.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cmb2kueue::diff {

namespace {

class Flattener {
 public:
  std::map<std::string, FlatValue> take() { return std::move(fields_); }

  void operator()(const kueue::Namespace& object) { meta(object.meta); }
  void operator()(const kueue::Other& object) { meta(object.meta); }
  void operator()(const kueue::WorkloadPriorityClass& object) {
    meta(object.meta);
    put("value", std::to_string(object.value));
    cosmetic("description", object.description);
  }
  void operator()(const kueue::LocalQueue& object) {
    meta(object.meta);
    put("spec.clusterQueue", object.cluster_queue);
    put("spec.stopPolicy", object.stop_policy);
    weight(object.weight);
  }
  void operator()(const kueue::Cohort& object) {
    meta(object.meta);
    put("spec.parentName", object.parent);
    weight(object.weight);
    groups(object.groups);
  }
  void operator()(const kueue::ClusterQueue& object);
  void operator()(const kueue::ResourceFlavor& object);

 private:
  void put(const std::string& path, std::string value) {
    if (!value.empty()) fields_[path] = {std::move(value), false};
  }
  void cosmetic(const std::string& path, std::string value) {
    if (!value.empty()) fields_[path] = {std::move(value), true};
  }
  void meta(const kueue::Meta& meta) {
    for (const auto& [key, value] : meta.labels) cosmetic("metadata.labels[" + key + "]", value);
    for (const auto& [key, value] : meta.annotations) cosmetic("metadata.annotations[" + key + "]", value);
  }
  // An absent weight counts as 1.
  void weight(const std::optional<base::Quantity>& weight) {
    put("spec.fairSharing.weight", weight ? value_text(*weight, "") : "1");
  }
  void groups(const std::vector<kueue::ResourceGroup>& groups);

  std::map<std::string, FlatValue> fields_;
};

void Flattener::groups(const std::vector<kueue::ResourceGroup>& all) {
  std::vector<std::string> shapes;
  for (const kueue::ResourceGroup& group : all) {
    std::vector<std::string> covered = group.covered;
    std::sort(covered.begin(), covered.end());
    std::string flavors;
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      flavors += (flavors.empty() ? "" : " then ") + flavor.flavor;
      for (const kueue::ResourceQuota& row : flavor.resources) {
        const std::string path = fmt::format("spec.resourceGroups[{}/{}]", flavor.flavor, row.resource);
        put(path + ".nominalQuota", value_text(row.nominal, row.resource));
        if (row.borrowing_limit) put(path + ".borrowingLimit", value_text(*row.borrowing_limit, row.resource));
        if (row.lending_limit) put(path + ".lendingLimit", value_text(*row.lending_limit, row.resource));
      }
    }
    shapes.push_back(fmt::format("{} for {}", flavors, fmt::join(covered, ", ")));
  }
  std::sort(shapes.begin(), shapes.end());
  put("spec.resourceGroups", fmt::format("{}", fmt::join(shapes, "; ")));
}

void Flattener::operator()(const kueue::ClusterQueue& object) {
  meta(object.meta);
  put("spec.cohortName", object.cohort);
  put("spec.queueingStrategy", object.queueing_strategy);
  put("spec.flavorFungibility.whenCanBorrow", object.when_can_borrow);
  put("spec.flavorFungibility.whenCanPreempt", object.when_can_preempt);
  put("spec.flavorFungibility.preference", object.flavor_preference);
  put("spec.preemption.withinClusterQueue", object.within_cluster_queue);
  put("spec.preemption.reclaimWithinCohort", object.reclaim_within_cohort);
  put("spec.preemption.borrowWithinCohort.policy", object.borrow_within_cohort);
  if (object.max_priority_threshold)
    put("spec.preemption.borrowWithinCohort.maxPriorityThreshold", std::to_string(*object.max_priority_threshold));
  put("spec.stopPolicy", object.stop_policy);
  put("spec.admissionScope.admissionMode", object.admission_mode);
  for (const kueue::AdmissionCheckUse& check : object.admission_checks)
    put(fmt::format("spec.admissionChecksStrategy.admissionChecks[{}]", check.name),
        fmt::format("on {}", check.on_flavors.empty() ? "all flavors"
                                                      : fmt::format("{}", fmt::join(check.on_flavors, ", "))));
  if (object.namespace_selector) {
    put("spec.namespaceSelector", "given");
    for (const auto& [key, value] : object.namespace_selector->match_labels)
      put("spec.namespaceSelector.matchLabels[" + key + "]", "=" + value);
    for (const kueue::SelectorTerm& term : object.namespace_selector->match_expressions)
      put(fmt::format("spec.namespaceSelector.matchExpressions[{} {}]", term.key, term.op),
          fmt::format("({})", fmt::join(term.values, ", ")));
  }
  weight(object.weight);
  groups(object.groups);
}

void Flattener::operator()(const kueue::ResourceFlavor& object) {
  meta(object.meta);
  for (const auto& [key, value] : object.node_labels) put("spec.nodeLabels[" + key + "]", "=" + value);
  for (const kueue::Taint& taint : object.taints)
    put(fmt::format("spec.nodeTaints[{}:{}]", taint.key, taint.effect), "=" + taint.value);
  for (const kueue::Toleration& one : object.tolerations)
    put(fmt::format("spec.tolerations[{}:{}]", one.key, one.effect),
        fmt::format("{} {} {}", one.op, one.value, one.seconds ? std::to_string(*one.seconds) : ""));
  put("spec.topologyName", object.topology);
}

}  // namespace

std::string value_text(const base::Quantity& quantity, const std::string& resource) {
  const bool bytes = resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  const auto format = bytes ? base::Quantity::Format::binary_si : base::Quantity::Format::decimal_si;
  return base::Quantity::from_nanos(quantity.nanos(), format).to_string();
}

std::map<std::string, FlatValue> flatten(const kueue::Object& object) {
  Flattener flattener;
  std::visit(flattener, object);
  return flattener.take();
}

}  // namespace cmb2kueue::diff
