// Looking shares up.
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

std::vector<std::uint32_t> chain_of(const Entitlements& tree, std::uint32_t node) {
  std::vector<std::uint32_t> chain;
  for (std::int32_t at = static_cast<std::int32_t>(node); at >= 0;
       at = tree.nodes[static_cast<std::size_t>(at)].parent)
    chain.push_back(static_cast<std::uint32_t>(at));
  return chain;
}

}  // namespace cmb2kueue::quota
