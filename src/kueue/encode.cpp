// Objects as v1beta2 documents, spelled as the API server returns them after an apply (Kueue v0.19.2,
// config/components/crd/bases): defaults filled in, quantities canonical, one fixed order of keys.
#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::kueue {

namespace {

void pairs(doc::Sink& sink, doc::FieldName name, const Pairs& entries) {
  if (entries.empty()) return;
  sink.field(name);
  sink.open_map();
  for (const auto& [key, value] : entries) sink.text_entry(key, value);
  sink.close();
}

void head(doc::Sink& sink, std::string_view api_version, std::string_view kind, const Meta& meta) {
  sink.open_map();
  sink.text_field("apiVersion", api_version);
  sink.text_field("kind", kind);
  sink.field("metadata");
  sink.open_map();
  pairs(sink, "annotations", meta.annotations);
  pairs(sink, "labels", meta.labels);
  sink.text_field("name", meta.name);
  if (!meta.name_space.empty()) sink.text_field("namespace", meta.name_space);
  sink.close();
}

// Quantities travel as text: the server returns strings, and a number would be a float for some readers.
void quantity(doc::Sink& sink, doc::FieldName name, const base::Quantity& value) {
  sink.text_field(name, value.to_string());
}

void row(doc::Sink& sink, const ResourceQuota& quota) {
  sink.open_map();
  if (quota.borrowing_limit) quantity(sink, "borrowingLimit", *quota.borrowing_limit);
  if (quota.lending_limit) quantity(sink, "lendingLimit", *quota.lending_limit);
  sink.text_field("name", quota.resource);
  quantity(sink, "nominalQuota", quota.nominal);
  sink.close();
}

void groups(doc::Sink& sink, const std::vector<ResourceGroup>& all) {
  if (all.empty()) return;
  sink.field("resourceGroups");
  sink.open_list();
  for (const ResourceGroup& group : all) {
    sink.open_map();
    sink.field("coveredResources");
    sink.open_list();
    for (const std::string& resource : group.covered) sink.text(resource);
    sink.close();
    sink.field("flavors");
    sink.open_list();
    for (const FlavorQuotas& flavor : group.flavors) {
      sink.open_map();
      sink.text_field("name", flavor.flavor);
      sink.field("resources");
      sink.open_list();
      for (const ResourceQuota& quota : flavor.resources) row(sink, quota);
      sink.close();
      sink.close();
    }
    sink.close();
    sink.close();
  }
  sink.close();
}

void weight(doc::Sink& sink, const std::optional<base::Quantity>& value) {
  if (!value) return;
  sink.field("fairSharing");
  sink.open_map();
  quantity(sink, "weight", *value);
  sink.close();
}

void selector(doc::Sink& sink, const Selector& value) {
  sink.open_map();
  if (!value.match_expressions.empty()) {
    sink.field("matchExpressions");
    sink.open_list();
    for (const SelectorTerm& term : value.match_expressions) {
      sink.open_map();
      sink.text_field("key", term.key);
      sink.text_field("operator", term.op);
      if (!term.values.empty()) {
        sink.field("values");
        sink.open_list();
        for (const std::string& one : term.values) sink.text(one);
        sink.close();
      }
      sink.close();
    }
    sink.close();
  }
  pairs(sink, "matchLabels", value.match_labels);
  sink.close();
}

void admission_checks(doc::Sink& sink, const std::vector<AdmissionCheckUse>& checks) {
  if (checks.empty()) return;
  sink.field("admissionChecksStrategy");
  sink.open_map();
  sink.field("admissionChecks");
  sink.open_list();
  for (const AdmissionCheckUse& check : checks) {
    sink.open_map();
    sink.text_field("name", check.name);
    if (!check.on_flavors.empty()) {
      sink.field("onFlavors");
      sink.open_list();
      for (const std::string& flavor : check.on_flavors) sink.text(flavor);
      sink.close();
    }
    sink.close();
  }
  sink.close();
  sink.close();
}

void preemption(doc::Sink& sink, const ClusterQueue& queue) {
  sink.field("preemption");
  sink.open_map();
  sink.field("borrowWithinCohort");
  sink.open_map();
  if (queue.max_priority_threshold) sink.number_field("maxPriorityThreshold", *queue.max_priority_threshold);
  sink.text_field("policy", queue.borrow_within_cohort);
  sink.close();
  sink.text_field("reclaimWithinCohort", queue.reclaim_within_cohort);
  sink.text_field("withinClusterQueue", queue.within_cluster_queue);
  sink.close();
}

void fungibility(doc::Sink& sink, const ClusterQueue& queue) {
  sink.field("flavorFungibility");
  sink.open_map();
  if (!queue.flavor_preference.empty()) sink.text_field("preference", queue.flavor_preference);
  sink.text_field("whenCanBorrow", queue.when_can_borrow);
  sink.text_field("whenCanPreempt", queue.when_can_preempt);
  sink.close();
}

constexpr std::string_view api_version = "kueue.x-k8s.io/v1beta2";

struct Encoder {
  doc::Sink& sink;

  void operator()(const Namespace& object) const {
    head(sink, "v1", "Namespace", object.meta);
    sink.close();
  }
  void operator()(const Other& object) const {
    head(sink, object.api_version, object.kind, object.meta);
    sink.close();
  }
  void operator()(const WorkloadPriorityClass& object) const {
    head(sink, api_version, "WorkloadPriorityClass", object.meta);
    if (!object.description.empty()) sink.text_field("description", object.description);
    sink.number_field("value", object.value);
    sink.close();
  }
  void operator()(const LocalQueue& object) const {
    head(sink, api_version, "LocalQueue", object.meta);
    sink.field("spec");
    sink.open_map();
    if (!object.cluster_queue.empty()) sink.text_field("clusterQueue", object.cluster_queue);
    weight(sink, object.weight);
    sink.text_field("stopPolicy", object.stop_policy);
    sink.close();
    sink.close();
  }
  void operator()(const Cohort& object) const {
    head(sink, api_version, "Cohort", object.meta);
    sink.field("spec");
    sink.open_map();
    weight(sink, object.weight);
    if (!object.parent.empty()) sink.text_field("parentName", object.parent);
    groups(sink, object.groups);
    sink.close();
    sink.close();
  }
  void operator()(const ClusterQueue& object) const;
  void operator()(const ResourceFlavor& object) const;
};

void Encoder::operator()(const ClusterQueue& object) const {
  head(sink, api_version, "ClusterQueue", object.meta);
  sink.field("spec");
  sink.open_map();
  admission_checks(sink, object.admission_checks);
  if (!object.admission_mode.empty()) {
    sink.field("admissionScope");
    sink.open_map();
    sink.text_field("admissionMode", object.admission_mode);
    sink.close();
  }
  if (!object.cohort.empty()) sink.text_field("cohortName", object.cohort);
  weight(sink, object.weight);
  fungibility(sink, object);
  if (object.namespace_selector) {
    sink.field("namespaceSelector");
    selector(sink, *object.namespace_selector);
  }
  preemption(sink, object);
  sink.text_field("queueingStrategy", object.queueing_strategy);
  groups(sink, object.groups);
  sink.text_field("stopPolicy", object.stop_policy);
  sink.close();
  sink.close();
}

void Encoder::operator()(const ResourceFlavor& object) const {
  head(sink, api_version, "ResourceFlavor", object.meta);
  sink.field("spec");
  sink.open_map();
  pairs(sink, "nodeLabels", object.node_labels);
  if (!object.taints.empty()) {
    sink.field("nodeTaints");
    sink.open_list();
    for (const Taint& taint : object.taints) {
      sink.open_map();
      sink.text_field("effect", taint.effect);
      sink.text_field("key", taint.key);
      if (!taint.value.empty()) sink.text_field("value", taint.value);
      sink.close();
    }
    sink.close();
  }
  if (!object.tolerations.empty()) {
    sink.field("tolerations");
    sink.open_list();
    for (const Toleration& toleration : object.tolerations) {
      sink.open_map();
      if (!toleration.effect.empty()) sink.text_field("effect", toleration.effect);
      if (!toleration.key.empty()) sink.text_field("key", toleration.key);
      if (!toleration.op.empty()) sink.text_field("operator", toleration.op);
      if (toleration.seconds) sink.number_field("tolerationSeconds", *toleration.seconds);
      if (!toleration.value.empty()) sink.text_field("value", toleration.value);
      sink.close();
    }
    sink.close();
  }
  if (!object.topology.empty()) sink.text_field("topologyName", object.topology);
  sink.close();
  sink.close();
}

}  // namespace

void encode(const Object& object, doc::Sink& sink) {
  std::visit(Encoder{sink}, object);
}

std::string to_yaml(const Object& object) {
  std::string out;
  doc::YamlSink sink(out);
  encode(object, sink);
  return out;
}

std::string to_yaml(const std::vector<Object>& objects) {
  std::string out;
  for (const Object& object : objects) {
    doc::YamlSink sink(out);
    if (!out.empty()) sink.begin_document();
    encode(object, sink);
  }
  return out;
}

}  // namespace cmb2kueue::kueue
