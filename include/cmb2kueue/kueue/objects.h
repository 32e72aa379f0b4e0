// Kueue's configuration objects without an API version: what they mean, not how a version spells it. Absent and
// defaulted are kept apart only where Kueue keeps them apart. Field rules: Kueue v0.17.0 and v0.19.2,
// apis/kueue/v1beta2/*_types.go and config/components/crd/bases.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/quantity.h"

namespace cmb2kueue::kueue {

// In order of creation; removal goes backwards.
enum class Kind : std::uint8_t {
  name_space,
  resource_flavor,
  priority_class,
  cohort,
  cluster_queue,
  local_queue,
  other
};
const char* to_string(Kind kind);  // "ClusterQueue", ...

struct ObjectKey {
  Kind kind = Kind::other;
  std::string name_space;  // "" for cluster-scoped kinds
  std::string name;        // of an Other: "Topology.kueue.x-k8s.io/name", so that kinds and groups stay apart
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};
// "ClusterQueue/name", "LocalQueue/namespace/name"; of an Other "Kind.group/name".
std::string to_string(const ObjectKey& key);

using Pairs = std::vector<std::pair<std::string, std::string>>;  // sorted by key, unique

struct Meta {
  std::string name;
  std::string name_space;
  Pairs labels;
  Pairs annotations;
  friend bool operator==(const Meta&, const Meta&) = default;
};

// One (flavor, resource) row. An absent limit means unlimited, as in Kueue.
struct ResourceQuota {
  std::string resource;
  base::Quantity nominal;
  std::optional<base::Quantity> borrowing_limit;
  std::optional<base::Quantity> lending_limit;
  friend bool operator==(const ResourceQuota&, const ResourceQuota&) = default;
};

struct FlavorQuotas {
  std::string flavor;
  std::vector<ResourceQuota> resources;  // in the order of the group's covered resources
  friend bool operator==(const FlavorQuotas&, const FlavorQuotas&) = default;
};

struct ResourceGroup {
  std::vector<std::string> covered;
  std::vector<FlavorQuotas> flavors;  // order is the order of trial
  friend bool operator==(const ResourceGroup&, const ResourceGroup&) = default;
};

struct SelectorTerm {
  std::string key, op;
  std::vector<std::string> values;
  friend bool operator==(const SelectorTerm&, const SelectorTerm&) = default;
};
struct Selector {  // empty selects everything; an absent one (std::nullopt) selects nothing
  Pairs match_labels;
  std::vector<SelectorTerm> match_expressions;
  friend bool operator==(const Selector&, const Selector&) = default;
};

struct AdmissionCheckUse {
  std::string name;
  std::vector<std::string> on_flavors;
  friend bool operator==(const AdmissionCheckUse&, const AdmissionCheckUse&) = default;
};

// Enumerations are kept as the words of v1beta2; the defaults are those of the schema.
struct ClusterQueue {
  Meta meta;
  std::string cohort;  // "" for none
  std::vector<ResourceGroup> groups;
  std::string queueing_strategy = "BestEffortFIFO";
  std::optional<Selector> namespace_selector;
  std::string when_can_borrow = "MayStopSearch";
  std::string when_can_preempt = "TryNextFlavor";
  std::string flavor_preference;  // "" for none
  std::string within_cluster_queue = "Never";
  std::string reclaim_within_cohort = "Never";
  std::string borrow_within_cohort = "Never";
  std::optional<std::int64_t> max_priority_threshold;
  std::vector<AdmissionCheckUse> admission_checks;  // sorted by name
  std::string stop_policy = "None";
  std::optional<base::Quantity> weight;  // absent counts as 1
  std::string admission_mode;            // "" for none
  friend bool operator==(const ClusterQueue&, const ClusterQueue&) = default;
};

struct Cohort {
  Meta meta;
  std::string parent;  // "" for a root
  std::vector<ResourceGroup> groups;
  std::optional<base::Quantity> weight;
  friend bool operator==(const Cohort&, const Cohort&) = default;
};

struct LocalQueue {
  Meta meta;
  std::string cluster_queue;
  std::string stop_policy = "None";
  std::optional<base::Quantity> weight;
  friend bool operator==(const LocalQueue&, const LocalQueue&) = default;
};

struct Taint {
  std::string key, value, effect;
  friend bool operator==(const Taint&, const Taint&) = default;
};
struct Toleration {
  std::string key, op, value, effect;
  std::optional<std::int64_t> seconds;
  friend bool operator==(const Toleration&, const Toleration&) = default;
};
struct ResourceFlavor {
  Meta meta;
  Pairs node_labels;
  std::vector<Taint> taints;
  std::vector<Toleration> tolerations;
  std::string topology;
  friend bool operator==(const ResourceFlavor&, const ResourceFlavor&) = default;
};

struct WorkloadPriorityClass {
  Meta meta;
  std::int64_t value = 0;
  std::string description;
  friend bool operator==(const WorkloadPriorityClass&, const WorkloadPriorityClass&) = default;
};

struct Namespace {
  Meta meta;
  friend bool operator==(const Namespace&, const Namespace&) = default;
};

// Something this tool does not model; kept so that references to it resolve and messages can name it.
struct Other {
  Meta meta;
  std::string api_version;
  std::string kind;
  friend bool operator==(const Other&, const Other&) = default;
};

using Object =
    std::variant<Namespace, ResourceFlavor, WorkloadPriorityClass, Cohort, ClusterQueue, LocalQueue, Other>;

Kind kind_of(const Object& object);
ObjectKey key_of(const Object& object);
const Meta& meta_of(const Object& object);
Meta& meta_of(Object& object);

// Every quota row of a ClusterQueue or Cohort; nothing for other kinds. fn(flavor, row).
template <class ObjectWithGroups, class Function>
void for_each_quota(ObjectWithGroups& object, Function&& fn) {
  for (auto& group : object.groups)
    for (auto& flavor : group.flavors)
      for (auto& row : flavor.resources) fn(flavor.flavor, row);
}

// Labels and annotations of ours.
inline constexpr const char* managed_by = "cmb2kueue";
inline constexpr const char* label_managed_by = "app.kubernetes.io/managed-by";
inline constexpr const char* label_tenant = "cmb2kueue.io/tenant";  // tenant hash
inline constexpr const char* annotation_prefix = "cmb2kueue.io/";   // tenant-id, tenant-name, email, ...
inline constexpr const char* annotation_end_state = "cmb2kueue.io/end-state";

}  // namespace cmb2kueue::kueue
