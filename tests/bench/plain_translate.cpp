// The translation as one would write it with well-known libraries and no thought of speed: the whole export as an
// nlohmann DOM, the manifests by yaml-cpp's Emitter. What the tool is timed against, and a second opinion on what
// it writes: for generated exports of one cell and the mapping `parity` both print the same objects.
// Most of its time goes into the Emitter's check of every text for whether it may stand plain. A program that
// quotes every key and text skips that and takes about a third of the time; nobody would write such manifests by
// hand.
//   plain_translate EXPORT.json >manifests.yaml
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cmb2kueue/base/quantity.h"
#include "cmb2kueue/mapping/naming.h"

namespace {

using cmb2kueue::base::Quantity;
using cmb2kueue::base::Unit;
using nlohmann::json;
using YAML::BeginMap;
using YAML::BeginSeq;
using YAML::EndMap;
using YAML::EndSeq;
using YAML::Key;
using YAML::Value;

constexpr std::size_t dimensions = 5;
struct Dimension {
  const char* source;  // in a reservation of the export
  const char* target;  // as pods request it
  Unit unit;
};
const std::array<Dimension, dimensions> all_dimensions = {{{"cpu", "cpu", Unit::one},
                                                           {"memoryMB", "memory", Unit::mebi},
                                                           {"diskMB", "ephemeral-storage", Unit::mebi},
                                                           {"networkMbps", "titus/network", Unit::mega},
                                                           {"gpu", "nvidia.com/gpu", Unit::one}}};
using Counts = std::array<std::int64_t, dimensions>;
using Pairs = std::map<std::string, std::string>;

enum class Limit { none, whole, inner };  // nothing of its own, a nominal quota, a bound on borrowing

struct Tenant {
  const json* source = nullptr;
  std::string id, name, object;
  int parent = -1;
  bool internal = false, reserves = false, below_limit = false;
  std::array<bool, dimensions> says{};  // which of them its reservation speaks of
  Counts total{}, below{};              // inclusive of descendants; what those hold
  Limit limit = Limit::none;
};

const json& definition(const Tenant& tenant) {
  return tenant.source->at("tenantDefinition");
}

const json* capacity(const Tenant& tenant) {
  return &tenant.source->at("capacityStatus").at("appliedCapacity").at("capacity");
}

std::int64_t concurrency(const Tenant& tenant) {
  return definition(tenant).at("tenantAttributes").value("concurrencyLimit", std::int64_t{0});
}

Counts counts_of(const json& amounts) {
  Counts counts{};
  for (std::size_t i = 0; i < dimensions; ++i)
    counts[i] =
        amounts.value(all_dimensions[i].source, std::int64_t{0}) * amounts.value("instanceCount", std::int64_t{0});
  return counts;
}

Tenant read_tenant(const json& source) {
  Tenant tenant;
  tenant.source = &source;
  tenant.id = source.at("tenantId");
  tenant.name = definition(tenant).at("tenantName");
  tenant.object = cmb2kueue::mapping::object_name(tenant.name, tenant.id);
  tenant.internal = definition(tenant).at("tenantType") == "Internal";
  tenant.reserves = capacity(tenant)->contains("reservedCapacity");
  if (!tenant.reserves) return tenant;
  const json& reserved = capacity(tenant)->at("reservedCapacity");
  tenant.total = counts_of(reserved);
  for (std::size_t d = 0; d < dimensions; ++d) tenant.says[d] = reserved.contains(all_dimensions[d].source);
  return tenant;
}

// Parents stand before their children in generated exports.
std::vector<Tenant> read_tenants(const json& document) {
  std::vector<Tenant> tenants;
  std::map<std::string, int> by_id;
  for (const json& source : document.at("tenants")) {
    Tenant tenant = read_tenant(source);
    const std::string parent = definition(tenant).value("parentTenantId", std::string());
    if (!parent.empty()) tenant.parent = by_id.at(parent);
    by_id[tenant.id] = static_cast<int>(tenants.size());
    tenants.push_back(std::move(tenant));
  }
  return tenants;
}

// Of what a node's own reservation does not speak, it passes what its children hold on to its parent.
void sum_up(std::vector<Tenant>& tenants) {
  for (std::size_t i = tenants.size(); i-- > 0;) {
    const Tenant& one = tenants[i];
    if (one.parent < 0) continue;
    Counts& above = tenants[static_cast<std::size_t>(one.parent)].below;
    for (std::size_t d = 0; d < dimensions; ++d) above[d] += one.says[d] ? one.total[d] : one.below[d];
  }
}

void settle_limits(std::vector<Tenant>& tenants) {
  for (Tenant& one : tenants) {
    const bool above = one.parent >= 0 && tenants[static_cast<std::size_t>(one.parent)].below_limit;
    if (concurrency(one) > 0) one.limit = above ? Limit::inner : Limit::whole;
    one.below_limit = above || concurrency(one) > 0;
  }
}

class Writer {
 public:
  Writer(const json& document, std::vector<Tenant> tenants) : document_(document), tenants_(std::move(tenants)) {
    root_ = cmb2kueue::mapping::root_name(document.at("cells").at(0).at("name").get<std::string>());
  }
  void write();

 private:
  void text(const char* key, const std::string& value) { out_ << Key << key << Value << value; }
  // Text that a reader could take for a number or a word with a meaning: quantities and annotations.
  void quoted(const std::string& key, const std::string& value) {
    out_ << Key << key << Value << YAML::DoubleQuoted << value;
  }
  void head(const char* version, const char* kind, const std::string& name, const Pairs& annotations,
            const std::string& hash, const char* name_space);
  Pairs annotations(const Tenant& tenant) const;
  void flavor(const char* name);
  void priority(const std::string& name, const std::string& word, int value);
  void cohort(const Tenant& tenant);
  void root();
  void cluster_queue(const Tenant& tenant);
  void local_queue(const Tenant& tenant);
  void weight(const Tenant& tenant);
  void quota(const char* resource, const Quantity& nominal, const Quantity* borrowing, const Quantity* lending);
  void capacity_group(const Counts& counts, bool lent);
  void limit_group(const Tenant& tenant);
  void group(const std::vector<const char*>& resources, const char* flavor);
  void end_group();
  std::string parent_of(const Tenant& tenant) const {
    return tenant.parent < 0 ? root_ : tenants_[static_cast<std::size_t>(tenant.parent)].object;
  }

  const json& document_;
  std::vector<Tenant> tenants_;
  std::string root_;
  YAML::Emitter out_{std::cout};
};

void Writer::head(const char* version, const char* kind, const std::string& name, const Pairs& annotations,
                  const std::string& hash, const char* name_space) {
  out_ << YAML::BeginDoc << BeginMap;
  text("apiVersion", version);
  text("kind", kind);
  out_ << Key << "metadata" << Value << BeginMap << Key << "annotations" << Value << BeginMap;
  quoted("cmb2kueue.io/end-state", "true");
  for (const auto& [key, value] : annotations) quoted("cmb2kueue.io/" + key, value);
  out_ << EndMap << Key << "labels" << Value << BeginMap;
  text("app.kubernetes.io/managed-by", "cmb2kueue");
  if (!hash.empty()) text("cmb2kueue.io/tenant", hash);
  out_ << EndMap;
  text("name", name);
  if (*name_space != '\0') text("namespace", name_space);
  out_ << EndMap;
}

Pairs Writer::annotations(const Tenant& tenant) const {
  Pairs pairs = {
      {"tenant-id", tenant.id}, {"tenant-name", tenant.name}, {"tenant-path", tenant.source->at("path")}};
  pairs["tenant-email"] = definition(tenant).at("tenantEmailAddress");
  pairs["tenant-description"] = definition(tenant).at("tenantDescription");
  pairs["attributes"] = definition(tenant).at("tenantAttributes").at("attributes").dump();
  if (!tenant.reserves) return pairs;
  const json& reserved = capacity(tenant)->at("reservedCapacity");
  for (const Dimension& one : all_dimensions)
    if (reserved.value(one.source, 0) != 0)
      pairs["shape"] += std::string(one.source) + "=" + reserved.at(one.source).dump() + ",";
  pairs["shape"] += "instances=" + reserved.at("instanceCount").dump();
  return pairs;
}

void Writer::flavor(const char* name) {
  head("kueue.x-k8s.io/v1beta2", "ResourceFlavor", name, {}, "", "");
  out_ << Key << "spec" << Value << YAML::Flow << BeginMap << EndMap << EndMap;
}

void Writer::priority(const std::string& name, const std::string& word, int value) {
  head("kueue.x-k8s.io/v1beta2", "WorkloadPriorityClass", name, {}, "", "");
  text("description", word + ", priorityValue from 0");
  out_ << Key << "value" << Value << value << EndMap;
}

void Writer::group(const std::vector<const char*>& resources, const char* flavor) {
  out_ << BeginMap << Key << "coveredResources" << Value << BeginSeq;
  for (const char* resource : resources) out_ << resource;
  out_ << EndSeq << Key << "flavors" << Value << BeginSeq << BeginMap;
  text("name", flavor);
  out_ << Key << "resources" << Value << BeginSeq;
}

void Writer::end_group() {
  out_ << EndSeq << EndMap << EndSeq << EndMap;
}

void Writer::quota(const char* resource, const Quantity& nominal, const Quantity* borrowing,
                   const Quantity* lending) {
  out_ << BeginMap;
  if (borrowing != nullptr) quoted("borrowingLimit", borrowing->to_string());
  if (lending != nullptr) quoted("lendingLimit", lending->to_string());
  text("name", resource);
  quoted("nominalQuota", nominal.to_string());
  out_ << EndMap;
}

void Writer::capacity_group(const Counts& counts, bool lent) {
  group({"cpu", "memory", "ephemeral-storage", "titus/network", "nvidia.com/gpu"}, "default");
  for (std::size_t d = 0; d < dimensions; ++d) {
    const Dimension& one = all_dimensions[d];
    const Quantity zero = Quantity::of(0, one.unit);
    quota(one.target, Quantity::of(counts[d], one.unit), nullptr, lent ? nullptr : &zero);
  }
  end_group();
}

void Writer::limit_group(const Tenant& tenant) {
  const Quantity zero = Quantity::of(0, Unit::one);
  const Quantity limit = Quantity::of(concurrency(tenant), Unit::one);
  group({"pods"}, "concurrency");
  if (tenant.limit == Limit::whole)
    quota("pods", limit, &zero, &zero);
  else
    quota("pods", zero, tenant.limit == Limit::inner ? &limit : nullptr, nullptr);
  end_group();
}

void Writer::weight(const Tenant& tenant) {
  const std::int64_t weight = std::max<std::int64_t>(1, capacity(tenant)->value("weight", std::int64_t{1}));
  out_ << Key << "fairSharing" << Value << BeginMap;
  quoted("weight", Quantity::of(weight, Unit::one).to_string());
  out_ << EndMap;
}

void Writer::root() {
  Counts counts{};
  for (const json& pool : document_.value("sharedPools", json::array())) {
    const Counts more = counts_of(pool.at("capacity"));
    for (std::size_t d = 0; d < dimensions; ++d) counts[d] += more[d];
  }
  head("kueue.x-k8s.io/v1beta2", "Cohort", root_, {}, "", "");
  out_ << Key << "spec" << Value << BeginMap << Key << "resourceGroups" << Value << BeginSeq;
  capacity_group(counts, true);
  out_ << EndSeq << EndMap << EndMap;
}

void Writer::cohort(const Tenant& tenant) {
  Counts own{};
  for (std::size_t d = 0; d < dimensions; ++d) own[d] = tenant.says[d] ? tenant.total[d] - tenant.below[d] : 0;
  head("kueue.x-k8s.io/v1beta2", "Cohort", tenant.object, annotations(tenant),
       cmb2kueue::mapping::tenant_hash(tenant.id), "");
  out_ << Key << "spec" << Value << BeginMap;
  weight(tenant);
  text("parentName", parent_of(tenant));
  if (tenant.reserves || tenant.limit != Limit::none) {
    out_ << Key << "resourceGroups" << Value << BeginSeq;
    if (tenant.reserves) capacity_group(own, false);
    if (tenant.limit != Limit::none) limit_group(tenant);
    out_ << EndSeq;
  }
  out_ << EndMap << EndMap;
}

void Writer::cluster_queue(const Tenant& tenant) {
  head("kueue.x-k8s.io/v1beta2", "ClusterQueue", tenant.object, annotations(tenant),
       cmb2kueue::mapping::tenant_hash(tenant.id), "");
  out_ << Key << "spec" << Value << BeginMap;
  text("cohortName", parent_of(tenant));
  weight(tenant);
  out_ << Key << "flavorFungibility" << Value << BeginMap;
  text("whenCanBorrow", "TryNextFlavor");
  text("whenCanPreempt", "TryNextFlavor");
  out_ << EndMap << Key << "namespaceSelector" << Value << BeginMap << Key << "matchExpressions" << Value
       << BeginSeq << BeginMap;
  text("key", "kubernetes.io/metadata.name");
  text("operator", "In");
  out_ << Key << "values" << Value << BeginSeq << "batch" << EndSeq << EndMap << EndSeq << EndMap;
  out_ << Key << "preemption" << Value << BeginMap << Key << "borrowWithinCohort" << Value << BeginMap;
  text("policy", "Never");
  out_ << EndMap;
  text("reclaimWithinCohort", "Never");
  text("withinClusterQueue", "Never");
  out_ << EndMap;
  text("queueingStrategy", "BestEffortFIFO");
  out_ << Key << "resourceGroups" << Value << BeginSeq;
  capacity_group(tenant.total, false);
  if (tenant.below_limit) limit_group(tenant);
  out_ << EndSeq;
  text("stopPolicy", "None");
  out_ << EndMap << EndMap;
}

void Writer::local_queue(const Tenant& tenant) {
  head("kueue.x-k8s.io/v1beta2", "LocalQueue", tenant.object, annotations(tenant),
       cmb2kueue::mapping::tenant_hash(tenant.id), "batch");
  out_ << Key << "spec" << Value << BeginMap;
  text("clusterQueue", tenant.object);
  text("stopPolicy", "None");
  out_ << EndMap << EndMap;
}

void Writer::write() {
  flavor("default");
  if (std::any_of(tenants_.begin(), tenants_.end(), [](const Tenant& one) { return one.below_limit; }))
    flavor("concurrency");
  const std::array<std::pair<const char*, const char*>, 4> classes = {
      {{"besteffort", "BestEffort"}, {"normal", "Normal"}, {"preferred", "Preferred"}, {"critical", "Critical"}}};
  int value = 0;
  for (const auto& [name, word] : classes) priority("cmb-" + std::string(name) + "-0", word, value += 1'000'000);
  root();
  for (const Tenant& tenant : tenants_)
    if (tenant.internal) cohort(tenant);
  for (const Tenant& tenant : tenants_) {
    if (tenant.internal) continue;
    cluster_queue(tenant);
    local_queue(tenant);
  }
  std::cout << '\n';
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: plain_translate EXPORT.json\n";
    return 2;
  }
  std::ios::sync_with_stdio(false);
  std::ifstream in(words[1]);
  const json document = json::parse(in);
  std::vector<Tenant> tenants = read_tenants(document);
  sum_up(tenants);
  settle_limits(tenants);
  Writer(document, std::move(tenants)).write();
  std::cout.flush();
  return std::cout ? 0 : 1;
}
