// A Tree from Cohort and ClusterQueue objects: parents before children, implicit cohorts made, cycles left out.
#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "cmb2kueue/quota/tree.h"

namespace cmb2kueue::quota {

namespace {

// Everything known about one cohort name before it becomes a node.
struct Draft {
  const kueue::Cohort* object = nullptr;
  std::string parent;
  std::int32_t node = -1;
  bool on_path = false, cyclic = false, done = false;
};

using Drafts = std::unordered_map<std::string, Draft>;

std::int64_t units(const base::Quantity& quantity, const std::string& resource) {
  return quantity.kueue_units(resource).value_or(quantity.negative() ? 0 : unlimited);
}

double weight_of(const std::optional<base::Quantity>& weight) {
  return weight ? static_cast<double>(weight->nanos()) / 1e9 : 1.0;
}

class Builder {
 public:
  Builder(Tree& tree, std::vector<std::string>& cyclic) : tree_(tree), cyclic_(cyclic) {}
  void build(const std::vector<kueue::Object>& objects);

 private:
  void collect(const std::vector<kueue::Object>& objects);
  void place(const std::string& name);
  void make_node(const std::string& name, Draft& draft);
  template <class ObjectWithGroups>
  std::vector<std::pair<std::uint32_t, Cell>> cells(const ObjectWithGroups& object);
  std::uint32_t column(const std::string& flavor, const std::string& resource);

  Tree& tree_;
  std::vector<std::string>& cyclic_;
  Drafts drafts_;
  std::vector<std::string> order_;  // names in order of first sight, for a result that does not hang on hashing
  std::vector<const kueue::ClusterQueue*> queues_;
  std::unordered_map<std::string, std::uint32_t> columns_;
};

std::uint32_t Builder::column(const std::string& flavor, const std::string& resource) {
  const auto [slot, fresh] = columns_.try_emplace(flavor + '\0' + resource, 0);
  if (fresh) slot->second = tree_.column({flavor, resource});
  return slot->second;
}

template <class ObjectWithGroups>
std::vector<std::pair<std::uint32_t, Cell>> Builder::cells(const ObjectWithGroups& object) {
  std::vector<std::pair<std::uint32_t, Cell>> found;
  kueue::for_each_quota(object, [&](const std::string& flavor, const kueue::ResourceQuota& quota) {
    Cell cell;
    cell.nominal = units(quota.nominal, quota.resource);
    if (quota.borrowing_limit) cell.borrowing = units(*quota.borrowing_limit, quota.resource);
    if (quota.lending_limit) cell.lending = units(*quota.lending_limit, quota.resource);
    found.emplace_back(column(flavor, quota.resource), cell);
  });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  found.erase(
      std::unique(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      found.end());
  return found;
}

void Builder::collect(const std::vector<kueue::Object>& objects) {
  const auto see = [&](const std::string& name) -> Draft& {
    const auto [slot, fresh] = drafts_.try_emplace(name);
    if (fresh) order_.push_back(name);
    return slot->second;
  };
  for (const kueue::Object& object : objects) {
    if (const kueue::Cohort* cohort = std::get_if<kueue::Cohort>(&object)) {
      Draft& draft = see(cohort->meta.name);
      draft.object = cohort;
      draft.parent = cohort->parent;
      if (!cohort->parent.empty()) see(cohort->parent);
    } else if (const kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object)) {
      queues_.push_back(queue);
      if (!queue->cohort.empty()) see(queue->cohort);
    }
  }
}

void Builder::make_node(const std::string& name, Draft& draft) {
  Tree::Node node;
  node.name = name;
  if (!draft.parent.empty()) node.parent = drafts_.at(draft.parent).node;
  if (draft.object != nullptr) {
    node.weight = weight_of(draft.object->weight);
    node.cells = cells(*draft.object);
  }
  draft.node = tree_.add(std::move(node));
}

// Makes the nodes of a cohort and its ancestors, the root first. Whoever is on or below a cycle has no root.
void Builder::place(const std::string& name) {
  std::vector<std::string> chain;
  bool cyclic = false;
  for (std::string at = name; !at.empty(); at = drafts_.at(at).parent) {
    Draft& draft = drafts_.at(at);
    if (draft.done) {
      cyclic = draft.cyclic;
      break;
    }
    if (draft.on_path) {
      cyclic = true;
      break;
    }
    draft.on_path = true;
    chain.push_back(at);
  }
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    Draft& draft = drafts_.at(*at);
    draft.on_path = false;
    draft.done = true;
    draft.cyclic = cyclic;
    if (cyclic)
      cyclic_.push_back(*at);
    else
      make_node(*at, draft);
  }
}

void Builder::build(const std::vector<kueue::Object>& objects) {
  collect(objects);
  for (const std::string& name : order_) place(name);
  for (const kueue::ClusterQueue* queue : queues_) {
    const Draft* cohort = queue->cohort.empty() ? nullptr : &drafts_.at(queue->cohort);
    if (cohort != nullptr && cohort->cyclic) continue;
    Tree::Node node;
    node.name = queue->meta.name;
    node.queue = true;
    node.parent = cohort == nullptr ? -1 : cohort->node;
    node.weight = weight_of(queue->weight);
    node.cells = cells(*queue);
    tree_.add(std::move(node));
  }
  std::sort(cyclic_.begin(), cyclic_.end());
}

}  // namespace

Tree Tree::from_objects(const std::vector<kueue::Object>& objects) {
  Tree tree;
  Builder(tree, tree.cyclic_).build(objects);
  tree.compute();
  return tree;
}

}  // namespace cmb2kueue::quota
