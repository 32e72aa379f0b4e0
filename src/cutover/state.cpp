// Pure questions about a state: what should be live, and how capacity is divided.
#include "cmb2kueue/cutover/state.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace cmb2kueue::cutover {

namespace {

using quota::Column;

// Nodes by the name of their Cohort and leaves by tenant hash, so that listing everything stays linear.
struct NodeIndex {
  explicit NodeIndex(const quota::Entitlements& tree) {
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
      (tree.nodes[i].leaf ? leaves.emplace(tree.nodes[i].hash, i) : cohorts.emplace(tree.nodes[i].object, i));
  }
  std::unordered_map<std::string_view, std::uint32_t> cohorts, leaves;
};

// Kueue's part of a pair of a node, as a quantity; a limit inside a limit is carried by its borrowing limit.
struct RowSetter {
  const State& state;
  std::uint32_t node;

  void operator()(const std::string& flavor, kueue::ResourceQuota& row) const {
    const std::vector<Column>& columns = state.tree.columns;
    for (std::uint32_t c = 0; c < columns.size(); ++c) {
      if (columns[c].flavor != flavor || columns[c].resource != row.resource) continue;
      const auto found = state.allotments.find({node, c});
      const std::int64_t kueue = found == state.allotments.end() ? 0 : found->second.kueue;
      const base::Quantity quantity = base::Quantity::of(kueue, columns[c].unit);
      if (columns[c].limit && state.tree.nodes[node].limit_role == quota::LimitRole::inner)
        row.borrowing_limit = quantity;
      else
        row.nominal = quantity;
      return;
    }
  }
};

}  // namespace

const char* to_string(TenantState state) {
  switch (state) {
    case TenantState::not_enrolled:
      return "NotEnrolled";
    case TenantState::preparing:
      return "Preparing";
    case TenantState::held:
      return "Held";
    case TenantState::open:
      return "Open";
    case TenantState::switched:
      return "Switched";
    case TenantState::ramping:
      return "Ramping";
    case TenantState::moved:
      return "Moved";
    case TenantState::completed:
      return "Completed";
    case TenantState::draining:
      return "Draining";
    case TenantState::rolled_back:
      return "RolledBack";
    case TenantState::partial:
      return "Partial";
    case TenantState::failed:
      return "Failed";
  }
  return "Failed";
}

std::string tenant_bundle(const std::string& object) {
  return "tenants/" + object;
}

target::BundleRef bundle_of(const Enrolled& tenant) {
  return {tenant_bundle(tenant.object), target::keys_of(tenant.objects)};
}

std::map<std::string, std::vector<kueue::ObjectKey>> keys_by_bundle(const State& state) {
  std::map<std::string, std::vector<kueue::ObjectKey>> all;
  for (const auto& [key, shared] : state.shared) all[shared.bundle] = {key};
  for (const auto& [hash, tenant] : state.enrolled)
    all[tenant_bundle(tenant.object)] = target::keys_of(tenant.objects);
  return all;
}

kueue::Object at_allotment(const kueue::Object& end_state, const State& state, std::uint32_t node) {
  kueue::Object object = end_state;
  const RowSetter set{state, node};
  if (kueue::Cohort* cohort = std::get_if<kueue::Cohort>(&object)) kueue::for_each_quota(*cohort, set);
  if (kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object)) kueue::for_each_quota(*queue, set);
  return object;
}

namespace {

// `node` is -1 for a tenant that is not in the tree, as quota::find_node says it.
kueue::Object tenant_object(const State& state, const Enrolled& tenant, const kueue::Object& end_state,
                            std::int32_t node) {
  kueue::Object object = node < 0 ? end_state : at_allotment(end_state, state, static_cast<std::uint32_t>(node));
  if (kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object))
    queue->stop_policy = tenant.held ? "Hold" : "None";
  return object;
}

}  // namespace

std::vector<kueue::Object> tenant_objects(const State& state, const Enrolled& tenant) {
  std::vector<kueue::Object> objects;
  const std::int32_t node = quota::find_node(state.tree, tenant.hash);
  for (const kueue::Object& end_state : tenant.objects)
    objects.push_back(tenant_object(state, tenant, end_state, node));
  return objects;
}

kueue::Object shared_object(const State& state, const SharedObject& shared) {
  const kueue::ObjectKey key = kueue::key_of(shared.object);
  if (shared.adopted || key.kind != kueue::Kind::cohort) return shared.object;
  for (std::uint32_t i = 0; i < state.tree.nodes.size(); ++i)
    if (!state.tree.nodes[i].leaf && state.tree.nodes[i].object == key.name)
      return at_allotment(shared.object, state, i);
  return shared.object;
}

std::vector<kueue::Object> expected_objects(const State& state) {
  const NodeIndex index(state.tree);
  std::vector<kueue::Object> objects;
  for (const auto& [key, shared] : state.shared) {
    const auto node = index.cohorts.find(key.name);
    const bool plain = shared.adopted || key.kind != kueue::Kind::cohort || node == index.cohorts.end();
    objects.push_back(plain ? shared.object : at_allotment(shared.object, state, node->second));
  }
  for (const auto& [hash, tenant] : state.enrolled) {
    const auto found = index.leaves.find(hash);
    const std::int32_t node = found == index.leaves.end() ? -1 : static_cast<std::int32_t>(found->second);
    for (const kueue::Object& end_state : tenant.objects)
      objects.push_back(tenant_object(state, tenant, end_state, node));
  }
  std::sort(objects.begin(), objects.end(),
            [](const kueue::Object& a, const kueue::Object& b) { return kueue::key_of(a) < kueue::key_of(b); });
  return objects;
}

Allotment present_allotment(const State& state, std::uint32_t node, std::uint32_t column) {
  const auto found = state.allotments.find({node, column});
  if (found != state.allotments.end()) return found->second;
  Allotment whole;
  whole.total = quota::count_of(state.tree.nodes[node].total, column);
  return whole;
}

std::vector<bool> counting_leaves(const State& state) {
  std::vector<bool> counts(state.tree.nodes.size());
  for (std::size_t i = 0; i < state.tree.nodes.size(); ++i) {
    const auto found = state.enrolled.find(state.tree.nodes[i].hash);
    counts[i] = found != state.enrolled.end() && found->second.counts;
  }
  return counts;
}

std::map<std::pair<std::uint32_t, std::uint32_t>, Allotment> settled_allotments(const State& state) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Allotment> settled;
  const std::vector<bool> counts = counting_leaves(state);
  if (state.inputs.partitioned) {
    for (const quota::FixedPart& part : state.inputs.partition)
      settled[{part.node, part.column}] = {quota::count_of(state.tree.nodes[part.node].total, part.column), 0,
                                           part.kueue};
    for (const quota::Part& part : quota::partition_parts(state.tree, state.inputs.partition, counts)) {
      Allotment& allotment = settled.at({part.node, part.column});
      allotment.held -= part.kueue;
      allotment.kueue = part.kueue;
    }
    return settled;
  }
  std::vector<std::uint32_t> moved(state.tree.nodes.size());
  for (std::size_t i = 0; i < state.tree.nodes.size(); ++i)
    if (counts[i]) moved[i] = state.enrolled.at(state.tree.nodes[i].hash).moved;
  for (const quota::Part& part : quota::target_parts(state.tree, state.inputs.splits, counts, moved))
    if (part.kueue > 0)
      settled[{part.node, part.column}] = {quota::count_of(state.tree.nodes[part.node].total, part.column),
                                           part.kueue, 0};
  return settled;
}

}  // namespace cmb2kueue::cutover
