// Objects from entitlements, one at a time. What is written here is the end state; what Kueue holds on the way
// there is set on these same objects by their quota rows.
#include "cmb2kueue/kueue/objects.h"

#include <algorithm>
#include <iterator>

#include "annotations.h"
#include "cmb2kueue/mapping/naming.h"
#include "cmb2kueue/translate/translate.h"
#include "priorities.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using base::Quantity;
using base::Unit;
using quota::Column;
using quota::EntitlementNode;
using quota::Entitlements;
using quota::LimitRole;
using quota::Share;

class ObjectMaker {
 public:
  ObjectMaker(const model::Model& model, const mapping::Mapping& mapping, const Entitlements& tree, bool end_state)
      : model_(model),
        mapping_(mapping),
        tree_(tree),
        end_state_(end_state),
        lend_(mapping.preset == mapping::Preset::lend) {}

  kueue::Cohort cohort(const EntitlementNode& node) const;
  // Of one leaf; both say the same about the tenant.
  kueue::ClusterQueue cluster_queue(const EntitlementNode& node, kueue::Meta meta,
                                    const std::string& name_space) const;
  kueue::LocalQueue local_queue(const EntitlementNode& node, kueue::Meta meta, std::string name_space) const;
  kueue::Meta tenant_meta(const EntitlementNode& node) const;
  kueue::ResourceFlavor flavor(const std::string& name) const;
  kueue::Namespace name_space(const std::string& name) const;
  kueue::Namespace name_space_of(const EntitlementNode& node) const;
  kueue::Meta shared_meta(const std::string& name) const;
  std::string namespace_of(const EntitlementNode& node) const {
    return mapping::namespace_of(mapping_, model_.tenants[node.tenant], node.object);
  }

 private:
  kueue::ResourceQuota row(const EntitlementNode& node, std::uint32_t column) const;
  void limit_row(const EntitlementNode& node, std::int64_t count, kueue::ResourceQuota& row) const;
  std::vector<kueue::ResourceGroup> groups(const EntitlementNode& node,
                                           const std::vector<std::uint32_t>& columns) const;
  std::vector<std::uint32_t> cohort_columns(const EntitlementNode& node) const;
  bool is_lent(const EntitlementNode& node) const { return lend_ || node.lendable; }

  const model::Model& model_;
  const mapping::Mapping& mapping_;
  const Entitlements& tree_;
  const bool end_state_;
  const bool lend_;
};

kueue::Meta ObjectMaker::shared_meta(const std::string& name) const {
  kueue::Meta meta;
  meta.name = name;
  meta.labels = {{kueue::label_managed_by, kueue::managed_by}};
  if (end_state_) meta.annotations = {{kueue::annotation_end_state, "true"}};
  return meta;
}

kueue::Meta ObjectMaker::tenant_meta(const EntitlementNode& node) const {
  kueue::Meta meta = shared_meta(node.object);
  if (node.tenant == model::no_tenant) return meta;
  meta.labels.emplace_back(kueue::label_tenant, node.hash);
  Annotations made = annotations_of(model_, model_.tenants[node.tenant]);
  std::move(made.pairs.begin(), made.pairs.end(), std::back_inserter(meta.annotations));
  std::sort(meta.annotations.begin(), meta.annotations.end());
  return meta;
}

// The three shapes of a limit on pods, and plain rows for queues below a limit.
void ObjectMaker::limit_row(const EntitlementNode& node, std::int64_t count, kueue::ResourceQuota& row) const {
  const Quantity zero = Quantity::of(0, Unit::one);
  switch (node.limit_role) {
    case LimitRole::own_leaf:
    case LimitRole::outermost:
      row.nominal = Quantity::of(count, Unit::one);
      row.borrowing_limit = row.lending_limit = zero;
      return;
    case LimitRole::inner:
      row.borrowing_limit = Quantity::of(count, Unit::one);
      return;
    case LimitRole::none:
      return;
  }
}

kueue::ResourceQuota ObjectMaker::row(const EntitlementNode& node, std::uint32_t column) const {
  const Column& pair = tree_.columns[column];
  kueue::ResourceQuota row;
  row.resource = pair.resource;
  const std::int64_t count = quota::count_of(node.total, column);
  if (pair.limit) {
    limit_row(node, count, row);
    return row;
  }
  row.nominal = Quantity::of(count, pair.unit);
  if (node.parent >= 0 && !is_lent(node)) row.lending_limit = Quantity::of(0, pair.unit);
  for (const Share& limit : node.borrowing)
    if (limit.column == column) row.borrowing_limit = Quantity::of(limit.count, pair.unit);
  return row;
}

// One group for all flavors with the same resources in the same order, and the limit in a group of its own.
std::vector<kueue::ResourceGroup> ObjectMaker::groups(const EntitlementNode& node,
                                                      const std::vector<std::uint32_t>& columns) const {
  std::vector<kueue::ResourceGroup> groups;
  kueue::ResourceGroup capacity, limit;
  capacity.covered.reserve(columns.size());
  for (const std::uint32_t column : columns) {
    const Column& pair = tree_.columns[column];
    kueue::ResourceGroup& group = pair.limit ? limit : capacity;
    if (std::find(group.covered.begin(), group.covered.end(), pair.resource) == group.covered.end())
      group.covered.push_back(pair.resource);
    if (group.flavors.empty() || group.flavors.back().flavor != pair.flavor)
      group.flavors.push_back({pair.flavor, {}});
    group.flavors.back().resources.push_back(row(node, column));
  }
  if (!capacity.covered.empty()) groups.push_back(std::move(capacity));
  if (!limit.covered.empty()) groups.push_back(std::move(limit));
  return groups;
}

// Of a flavor that a Cohort holds anything of, all resources: flavors of one group list the same ones.
std::vector<std::uint32_t> ObjectMaker::cohort_columns(const EntitlementNode& node) const {
  std::vector<std::uint32_t> columns;
  const auto holds = [&](std::uint32_t column) {
    const auto same_flavor = [&](const Share& share) {
      return tree_.columns[share.column].flavor == tree_.columns[column].flavor;
    };
    return std::any_of(node.total.begin(), node.total.end(), same_flavor) ||
           std::any_of(node.borrowing.begin(), node.borrowing.end(), same_flavor);
  };
  for (std::uint32_t column = 0; column < tree_.columns.size(); ++column)
    if (holds(column)) columns.push_back(column);
  return columns;
}

kueue::Cohort ObjectMaker::cohort(const EntitlementNode& node) const {
  kueue::Cohort cohort;
  cohort.meta = tenant_meta(node);
  if (node.parent >= 0) {
    cohort.parent = tree_.nodes[static_cast<std::size_t>(node.parent)].object;
    cohort.weight = Quantity::of(node.weight, Unit::one);
  }
  cohort.groups = groups(node, cohort_columns(node));
  return cohort;
}

kueue::ClusterQueue ObjectMaker::cluster_queue(const EntitlementNode& node, kueue::Meta meta,
                                               const std::string& name_space) const {
  kueue::ClusterQueue queue;
  const mapping::Rule* rule = mapping::rule_for(mapping_, model_.tenants[node.tenant], mapping::Skips::decide);
  queue.meta = std::move(meta);
  queue.cohort = tree_.nodes[static_cast<std::size_t>(node.parent)].object;
  queue.groups = groups(node, node.columns);
  // Flavors are tried in the order of the rule, which need not be that of the columns.
  if (!queue.groups.empty() && rule != nullptr)
    std::stable_sort(queue.groups[0].flavors.begin(), queue.groups[0].flavors.end(),
                     [&](const kueue::FlavorQuotas& a, const kueue::FlavorQuotas& b) {
                       const std::vector<std::string>& order = rule->flavors;
                       return std::find(order.begin(), order.end(), a.flavor) <
                              std::find(order.begin(), order.end(), b.flavor);
                     });
  queue.queueing_strategy = strategy_of(mapping_, rule);
  queue.namespace_selector = kueue::Selector{{}, {{"kubernetes.io/metadata.name", "In", {name_space}}}};
  queue.when_can_borrow = "TryNextFlavor";
  queue.weight = Quantity::of(node.weight, Unit::one);
  if (reclaims(tree_, static_cast<std::uint32_t>(&node - tree_.nodes.data()), mapping_.preset))
    queue.reclaim_within_cohort = "Any";
  if (lend_) queue.within_cluster_queue = "LowerPriority";
  return queue;
}

kueue::LocalQueue ObjectMaker::local_queue(const EntitlementNode& node, kueue::Meta meta,
                                           std::string name_space) const {
  kueue::LocalQueue queue;
  queue.meta = std::move(meta);
  queue.meta.name_space = std::move(name_space);
  queue.cluster_queue = node.object;
  return queue;
}

kueue::ResourceFlavor ObjectMaker::flavor(const std::string& name) const {
  kueue::ResourceFlavor flavor;
  flavor.meta = shared_meta(name);
  for (const mapping::Flavor& one : mapping_.flavors) {
    if (one.name != name) continue;
    flavor.node_labels = one.node_labels;
    for (const mapping::Taint& taint : one.taints) flavor.taints.push_back({taint.key, taint.value, taint.effect});
    for (const mapping::Toleration& toleration : one.tolerations)
      flavor.tolerations.push_back({toleration.key, toleration.op, toleration.value, toleration.effect, {}});
  }
  return flavor;
}

kueue::Namespace ObjectMaker::name_space(const std::string& name) const {
  return {shared_meta(name)};
}

// A tenant's own namespace says whose it is.
kueue::Namespace ObjectMaker::name_space_of(const EntitlementNode& node) const {
  kueue::Namespace made = name_space(namespace_of(node));
  made.meta.labels.emplace_back(kueue::label_tenant, node.hash);
  return made;
}

std::vector<std::string> shared_namespaces(const mapping::Mapping& mapping) {
  std::vector<std::string> names;
  if (!mapping.namespaces.create || mapping.namespaces.strategy == mapping::NamespaceStrategy::per_tenant)
    return names;
  if (mapping.namespaces.strategy == mapping::NamespaceStrategy::shared) return {mapping.namespaces.name};
  for (const auto& [pattern, name] : mapping.namespaces.mapped) names.push_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

void shared_objects(const model::Model& model, const mapping::Mapping& mapping, const Translation& translation,
                    std::size_t cell, bool end_state, const ObjectSink& sink) {
  const Entitlements& tree = translation.cells[cell];
  const ObjectMaker maker(model, mapping, tree, end_state);
  for (const std::string& name : shared_namespaces(mapping)) sink(maker.name_space(name), {});
  std::string last;
  for (const Column& column : tree.columns) {
    if (column.flavor == last) continue;
    sink(maker.flavor(column.flavor), {});
    last = column.flavor;
  }
  for (kueue::WorkloadPriorityClass& one : priority_classes(mapping)) {
    one.meta = maker.shared_meta(one.meta.name);
    sink(std::move(one), {});
  }
  for (const EntitlementNode& node : tree.nodes) {
    if (node.leaf) continue;
    const base::Place place = node.tenant == model::no_tenant ? base::Place() : model.tenants[node.tenant].place;
    sink(maker.cohort(node), {node.tenant, place});
  }
}

void leaf_objects(const model::Model& model, const mapping::Mapping& mapping, const Translation& translation,
                  std::size_t cell, std::uint32_t index, bool end_state, const ObjectSink& sink) {
  const Entitlements& tree = translation.cells[cell];
  const EntitlementNode& node = tree.nodes[index];
  const ObjectMaker maker(model, mapping, tree, end_state);
  const Origin origin{node.tenant, model.tenants[node.tenant].place};
  if (mapping.namespaces.create && mapping.namespaces.strategy == mapping::NamespaceStrategy::per_tenant)
    sink(maker.name_space_of(node), origin);
  kueue::Meta meta = maker.tenant_meta(node);
  std::string name_space = maker.namespace_of(node);
  sink(maker.cluster_queue(node, meta, name_space), origin);
  sink(maker.local_queue(node, std::move(meta), std::move(name_space)), origin);
}

void all_objects(const model::Model& model, const mapping::Mapping& mapping, const Translation& translation,
                 std::size_t cell, bool end_state, const ObjectSink& sink) {
  shared_objects(model, mapping, translation, cell, end_state, sink);
  const std::vector<EntitlementNode>& nodes = translation.cells[cell].nodes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].leaf) leaf_objects(model, mapping, translation, cell, i, end_state, sink);
}

}  // namespace cmb2kueue::translate
