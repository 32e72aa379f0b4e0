// Looking shares, nodes and columns up.
#include "cmb2kueue/quota/entitlements.h"

#include <algorithm>

namespace cmb2kueue::quota {

std::int64_t count_of(const Shares& shares, std::uint32_t column) {
  const auto found =
      std::lower_bound(shares.begin(), shares.end(), column,
                       [](const Share& share, std::uint32_t wanted) { return share.column < wanted; });
  return found != shares.end() && found->column == column ? found->count : 0;
}

std::int32_t find_node(const Entitlements& tree, const std::string& hash) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].hash == hash) return static_cast<std::int32_t>(i);
  return -1;
}

std::int32_t find_column(const Entitlements& tree, std::string_view flavor, std::string_view resource) {
  for (std::size_t i = 0; i < tree.columns.size(); ++i)
    if (tree.columns[i].flavor == flavor && tree.columns[i].resource == resource)
      return static_cast<std::int32_t>(i);
  return -1;
}

std::vector<std::uint32_t> chain_of(const Entitlements& tree, std::uint32_t node) {
  std::vector<std::uint32_t> chain;
  for (std::int32_t at = static_cast<std::int32_t>(node); at >= 0;
       at = tree.nodes[static_cast<std::size_t>(at)].parent)
    chain.push_back(static_cast<std::uint32_t>(at));
  return chain;
}

std::vector<std::uint32_t> columns_of(const Entitlements& tree, std::uint32_t node) {
  std::vector<std::uint32_t> columns;
  if (tree.nodes[node].leaf) {
    columns = tree.nodes[node].columns;
    std::sort(columns.begin(), columns.end());
  } else {
    for (const Share& total : tree.nodes[node].total) columns.push_back(total.column);
  }
  return columns;
}

namespace {

std::int32_t found_in(const std::unordered_map<std::string_view, std::int32_t>& names, std::string_view name) {
  const auto found = names.find(name);
  return found == names.end() ? -1 : found->second;
}

}  // namespace

NodeIndex::NodeIndex(const Entitlements& tree) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const EntitlementNode& node = tree.nodes[i];
    hashes_.emplace(node.hash, static_cast<std::int32_t>(i));
    (node.leaf ? leaves_ : internals_).emplace(node.object, static_cast<std::int32_t>(i));
  }
}

std::int32_t NodeIndex::by_hash(std::string_view hash) const {
  return found_in(hashes_, hash);
}
std::int32_t NodeIndex::leaf_by_object(std::string_view object) const {
  return found_in(leaves_, object);
}
std::int32_t NodeIndex::internal_by_object(std::string_view object) const {
  return found_in(internals_, object);
}

}  // namespace cmb2kueue::quota
