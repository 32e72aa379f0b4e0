// Flattening, kind by kind.
#include "flatten.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace cmb2kueue::diff {

namespace {

// Absent is "", so an empty value must be seen.
std::string shown(const std::string& value) {
  return value.empty() ? "\"\"" : value;
}

std::vector<std::string> as_set(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// An absent operator is Equal.
std::string toleration_text(const kueue::Toleration& one) {
  std::string text = one.op.empty() ? "Equal" : one.op;
  if (!one.value.empty()) text += " " + one.value;
  if (one.seconds) text += fmt::format(" for {}s", *one.seconds);
  return text;
}

class Flattener {
 public:
  std::map<std::string, FlatValue> take();

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
  // Entries of lists without order or a key of their own: whatever stands at one path is one value, sorted.
  void gather(const std::string& path, std::string value) { gathered_.emplace(path, std::move(value)); }
  void meta(const kueue::Meta& meta) {
    for (const auto& [key, value] : meta.labels) cosmetic("metadata.labels[" + key + "]", shown(value));
    for (const auto& [key, value] : meta.annotations) cosmetic("metadata.annotations[" + key + "]", shown(value));
  }
  void selector(const kueue::Selector& selector);
  // An absent weight counts as 1.
  void weight(const std::optional<base::Quantity>& weight) {
    put("spec.fairSharing.weight", weight ? value_text(*weight, "") : "1");
  }
  void groups(const std::vector<kueue::ResourceGroup>& groups);

  std::map<std::string, FlatValue> fields_;
  std::set<std::pair<std::string, std::string>> gathered_;
};

std::map<std::string, FlatValue> Flattener::take() {
  for (const auto& [path, value] : gathered_) {
    std::string& all = fields_[path].value;
    all += (all.empty() ? "" : "; ") + value;
  }
  return std::move(fields_);
}

// An empty selector selects every namespace, an absent one selects none.
void Flattener::selector(const kueue::Selector& selector) {
  if (selector.match_labels.empty() && selector.match_expressions.empty())
    put("spec.namespaceSelector", "every namespace");
  for (const auto& [key, value] : selector.match_labels)
    put("spec.namespaceSelector.matchLabels[" + key + "]", shown(value));
  for (const kueue::SelectorTerm& term : selector.match_expressions)
    gather(fmt::format("spec.namespaceSelector.matchExpressions[{} {}]", term.key, term.op),
           fmt::format("({})", fmt::join(as_set(term.values), ", ")));
}

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
        check.on_flavors.empty() ? "on all flavors"
                                 : fmt::format("on {}", fmt::join(as_set(check.on_flavors), ", ")));
  if (object.namespace_selector) selector(*object.namespace_selector);
  weight(object.weight);
  groups(object.groups);
}

void Flattener::operator()(const kueue::ResourceFlavor& object) {
  meta(object.meta);
  for (const auto& [key, value] : object.node_labels) put("spec.nodeLabels[" + key + "]", shown(value));
  for (const kueue::Taint& taint : object.taints)
    gather(fmt::format("spec.nodeTaints[{}:{}]", taint.key, taint.effect), shown(taint.value));
  for (const kueue::Toleration& one : object.tolerations)
    gather(fmt::format("spec.tolerations[{}:{}]", one.key, one.effect), toleration_text(one));
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
