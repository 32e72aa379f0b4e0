// Names that stand for objects the set does not have.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "set_rules.h"
#include "suggestions.h"

namespace cmb2kueue::check {

namespace {

constexpr const char* elsewhere = "add it, or say --partial if it exists elsewhere";
constexpr const char* topology_prefix = "Topology.kueue.x-k8s.io/";

template <class Map>
std::vector<std::string> texts_of(const SetMemory& set, const Map& map) {
  std::vector<std::string> texts;
  for (const auto& [name, record] : map) texts.push_back(set.names.text(name));
  return texts;
}

std::string is_missing(std::string_view kind, const std::string& name, Suggestions& suggestions) {
  return fmt::format("there is no {} {}{}", kind, base::quoted(name), suggestions.for_name(name));
}

// Sorted by name: what is walked in hash order must not decide the order of findings.
std::vector<NameId> sorted_cohorts(const SetMemory& set) {
  std::vector<NameId> ids;
  for (const auto& [name, record] : set.cohorts)
    if (record.object) ids.push_back(name);
  std::sort(ids.begin(), ids.end(), [&](NameId a, NameId b) { return set.names.text(a) < set.names.text(b); });
  return ids;
}

// Others of one kind; whether any of them is there tells whether the set cares to have them.
std::vector<std::string> others_of(const SetMemory& set, std::string_view prefix) {
  std::vector<std::string> found;
  for (const NameId id : set.others)
    if (set.names.text(id).starts_with(prefix)) found.push_back(set.names.text(id).substr(prefix.size()));
  return found;
}

}  // namespace

void flavors_exist(const SetView& view) {
  Suggestions suggestions(texts_of(view.set, view.set.flavors));
  std::vector<std::vector<NameId>> missing;  // by shape
  for (const Shape& shape : view.set.shapes) {
    std::vector<NameId>& here = missing.emplace_back();
    for (const std::vector<NameId>& group : shape.flavors_by_group)
      for (const NameId flavor : group)
        if (!view.set.flavors.contains(flavor) && std::find(here.begin(), here.end(), flavor) == here.end())
          here.push_back(flavor);
  }
  for (const QueueRecord& queue : view.set.queues)
    for (const NameId flavor : missing[queue.shape])
      view.queue(queue).report_as(view.unresolved("KQ-FLAVOR-MISSING"), "KQ-FLAVOR-MISSING",
                                  is_missing("ResourceFlavor", view.set.names.text(flavor), suggestions), elsewhere,
                                  "spec.resourceGroups");
}

void cohorts_exist(const SetView& view) {
  const SetMemory& set = view.set;
  const std::vector<NameId> ids = sorted_cohorts(set);
  if (ids.empty()) return;  // a set may do without Cohort objects altogether
  std::vector<std::string> texts;
  for (const NameId id : ids) texts.push_back(set.names.text(id));
  Suggestions suggestions(std::move(texts));
  const auto check = [&](NameId name, Subject subject, const char* field) {
    if (name != 0 && !set.cohorts.at(name).object)
      subject.report_as(view.unresolved("KQ-COHORT-MISSING"), "KQ-COHORT-MISSING",
                        is_missing("Cohort", set.names.text(name), suggestions),
                        "Kueue makes an empty root of that name", field);
  };
  for (const QueueRecord& queue : set.queues) {
    Subject subject = view.queue(queue);
    subject.place = queue.cohort_place;
    check(queue.cohort, subject, "spec.cohortName");
  }
  for (const NameId id : ids)
    check(set.cohorts.at(id).parent, view.cohort(id, set.cohorts.at(id).parent_place), "spec.parentName");
}

void cluster_queues_exist(const SetView& view) {
  const SetMemory& set = view.set;
  Suggestions suggestions(texts_of(set, set.queue_of));
  for (const LocalRecord& local : set.locals) {
    if (set.queue_of.contains(local.queue)) continue;
    const Subject subject{view.findings,
                          to_string(kueue::ObjectKey{kueue::Kind::local_queue, set.names.text(local.name_space),
                                                     set.names.text(local.name)}),
                          local.queue_place};
    if (local.queue == 0)
      subject.report("KQ-QUEUE-MISSING", "the LocalQueue names no ClusterQueue", "write spec.clusterQueue",
                     "spec.clusterQueue");
    else
      subject.report_as(view.unresolved("KQ-QUEUE-MISSING"), "KQ-QUEUE-MISSING",
                        is_missing("ClusterQueue", set.names.text(local.queue), suggestions), elsewhere,
                        "spec.clusterQueue");
  }
}

void admission_checks_exist(const SetView& view) {
  const std::string_view prefix = "AdmissionCheck.kueue.x-k8s.io/";
  Suggestions suggestions(others_of(view.set, prefix));
  for (const CheckUse& use : view.set.check_uses)
    if (!view.set.others.contains(use.check))
      Subject{view.findings, "ClusterQueue/" + view.set.names.text(view.set.queues[use.queue].name),
              view.set.queues[use.queue].place}
          .report_as(
              view.unresolved("KQ-CHECK-MISSING"), "KQ-CHECK-MISSING",
              is_missing("AdmissionCheck", view.set.names.text(use.check).substr(prefix.size()), suggestions),
              elsewhere, "spec.admissionChecksStrategy.admissionChecks");
}

void topologies_exist(const SetView& view) {
  const SetMemory& set = view.set;
  Suggestions suggestions(others_of(set, topology_prefix));
  for (const auto& [name, flavor] : set.flavors) {
    const std::string& topology = set.names.text(flavor.topology);
    if (topology.empty() || set.others.contains(set.names.find(topology_prefix + topology))) continue;
    const Subject subject{view.findings, "ResourceFlavor/" + set.names.text(flavor.name), flavor.place};
    subject.report_as(view.unresolved("KQ-TOPOLOGY-MISSING"), "KQ-TOPOLOGY-MISSING",
                      is_missing("Topology", topology, suggestions), elsewhere, "spec.topologyName");
  }
}

}  // namespace cmb2kueue::check
