// The arithmetic.
#include "capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cutover {

namespace {

// What is passed on to the parent of a node that uses `used` and has `own`.
std::int64_t overflow(const quota::EntitlementNode& node, bool limit, std::int64_t used, std::int64_t own) {
  if (limit && node.limit_role != quota::LimitRole::own_leaf && node.limit_role != quota::LimitRole::outermost)
    return used;  // counted here, carried by the outermost limit above
  return std::max<std::int64_t>(0, used - own);
}

std::int64_t ceiling_at(const Allotments& allotments, const quota::EntitlementNode& node, std::uint32_t index,
                        std::uint32_t column) {
  const auto found = allotments.find({index, column});
  return found == allotments.end() ? quota::count_of(node.total, column) : found->second.ceiling();
}

}  // namespace

std::int64_t counts_of(const base::Quantity& quantity, base::Unit unit) {
  const base::int128 size = base::Quantity::of(1, unit).nanos();
  const base::int128 count = (quantity.nanos() + size - 1) / size;
  return count > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(count);
}

std::string pair_name(const quota::Entitlements& tree, const AllotmentKey& at) {
  return fmt::format("{} {}/{}", tree.nodes[at.first].display, tree.columns[at.second].flavor,
                     tree.columns[at.second].resource);
}

std::string amount(const quota::Entitlements& tree, std::uint32_t column, std::int64_t count) {
  return base::Quantity::of(count, tree.columns[column].unit).to_string();
}

std::vector<Pair> pairs_of(const State& now, const State& wanted, const std::string& tenant_hash) {
  std::vector<Pair> pairs;
  const std::int32_t leaf = quota::find_node(now.tree, tenant_hash);
  if (leaf < 0) return pairs;
  const Allotments target = settled_allotments(wanted);
  for (const std::uint32_t node : quota::chain_of(now.tree, static_cast<std::uint32_t>(leaf)))
    for (const quota::Share& total : now.tree.nodes[node].total) {
      if (total.count <= 0) continue;
      const AllotmentKey at{node, total.column};
      const auto heading = target.find(at);
      pairs.push_back(
          {at, present_allotment(now, node, total.column), heading == target.end() ? 0 : heading->second.kueue});
    }
  return pairs;
}

Uses occupied(const quota::Entitlements& tree, const Uses& leaf_use,
              const std::function<std::int64_t(const AllotmentKey&)>& own) {
  std::set<std::uint32_t> columns;
  for (const auto& [at, used] : leaf_use) columns.insert(at.second);
  Uses result;
  for (const std::uint32_t column : columns) {
    const bool limit = tree.columns[column].limit;
    std::vector<std::int64_t> used(tree.nodes.size());
    for (const auto& [at, count] : leaf_use)
      if (at.second == column) used[at.first] = count;
    for (std::uint32_t i = static_cast<std::uint32_t>(tree.nodes.size()); i-- > 0;) {
      if (used[i] == 0) continue;
      const quota::EntitlementNode& node = tree.nodes[i];
      const std::int64_t part = own({i, column});
      result[{i, column}] = i == 0 ? used[i] : std::min(used[i], part);
      if (node.parent >= 0) used[static_cast<std::size_t>(node.parent)] += overflow(node, limit, used[i], part);
    }
  }
  return result;
}

base::Result<Uses> uses_of(const quota::Entitlements& tree, const std::vector<hooks::Use>& reported) {
  std::unordered_map<std::string_view, std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].leaf) leaves.emplace(tree.nodes[i].id, i);
  Uses uses;
  for (const hooks::Use& use : reported) {
    const auto leaf = leaves.find(use.tenant);
    const std::int32_t column = quota::find_column(tree, use.flavor, use.resource);
    if (leaf == leaves.end() || column < 0)
      return base::Status(base::ErrorKind::cluster,
                          fmt::format("hook usage: {} {}/{} is nothing in the tree of this cell",
                                      base::quoted(use.tenant), use.flavor, use.resource),
                          "the hook reports leaves by id, and the flavors and resources that ceilings name");
    std::int64_t& sum = uses[{leaf->second, static_cast<std::uint32_t>(column)}];
    sum += counts_of(use.used, tree.columns[static_cast<std::size_t>(column)].unit);
  }
  return uses;
}

Allotment lowered(const Pair& pair) {
  Allotment low = pair.now;
  const std::int64_t kueue = std::min(low.kueue, pair.target);
  low.held += low.kueue - kueue;
  low.kueue = kueue;
  return low;
}

std::int64_t kept_by_kueue(const Allotment& allotment, const Uses* use, const AllotmentKey& at) {
  if (use == nullptr) return allotment.held;
  const auto found = use->find(at);
  const std::int64_t used = found == use->end() ? 0 : found->second;
  return std::clamp<std::int64_t>(used - allotment.kueue, 0, allotment.held);
}

std::int64_t wanted_ceiling(const Pair& pair, std::int64_t kept) {
  return pair.now.total - std::max(pair.target, pair.now.kueue + kept);
}

Allotment freed(const Pair& pair, std::int64_t used_by_cmb, std::int64_t kept) {
  Allotment after = pair.now;
  const std::int64_t cmb = std::max(after.ceiling(), std::min(used_by_cmb, after.cmb()));
  after.held += after.cmb() - cmb;
  const std::int64_t raise =
      std::clamp<std::int64_t>(after.held - kept, 0, std::max<std::int64_t>(0, pair.target - after.kueue));
  after.kueue += raise;
  after.held -= raise;
  return after;
}

std::vector<hooks::Ceiling> ceilings_on_the_way(const State& state, const std::string& tenant_hash,
                                                const Allotments& after, const std::vector<AllotmentKey>& changed) {
  std::set<std::uint32_t> columns;
  for (const AllotmentKey& at : changed) columns.insert(at.second);
  std::vector<hooks::Ceiling> ceilings;
  const quota::Entitlements& tree = state.tree;
  const std::int32_t leaf = quota::find_node(tree, tenant_hash);
  if (leaf < 0) return ceilings;
  for (const std::uint32_t column : columns) {
    std::vector<std::int64_t> subtree(tree.nodes.size());
    for (std::uint32_t i = static_cast<std::uint32_t>(tree.nodes.size()); i-- > 0;) {
      const std::int64_t own = ceiling_at(after, tree.nodes[i], i, column);
      subtree[i] += own;
      if (tree.nodes[i].parent >= 0) subtree[static_cast<std::size_t>(tree.nodes[i].parent)] += subtree[i];
    }
    const quota::Column& named = tree.columns[column];
    for (const std::uint32_t node : quota::chain_of(tree, static_cast<std::uint32_t>(leaf))) {
      const quota::EntitlementNode& one = tree.nodes[node];
      const bool has = quota::count_of(one.total, column) > 0;
      if (named.limit && !has) continue;  // no limit there, before and after
      const std::int64_t own = ceiling_at(after, one, node, column);
      ceilings.push_back({one.id, one.display, named.flavor, named.resource, base::Quantity::of(own, named.unit),
                          base::Quantity::of(named.limit ? own : subtree[node], named.unit),
                          named.limit && own == 0});
    }
  }
  return ceilings;
}

std::optional<Allotment> kept_form(Allotment allotment) {
  if (allotment.told && *allotment.told == allotment.total) allotment.told.reset();
  if (allotment.kueue == 0 && allotment.held == 0 && !allotment.told) return std::nullopt;
  return allotment;
}

bool reaches_canary(const State& state, const std::string& tenant_hash, std::string& missing) {
  const quota::Entitlements& tree = state.tree;
  const std::int32_t leaf = quota::find_node(tree, tenant_hash);
  if (leaf < 0) return false;
  for (const std::uint32_t column : tree.nodes[static_cast<std::size_t>(leaf)].columns) {
    std::int64_t whole = 0, now = 0;
    bool shut = false;  // every limit on the way lets something pass
    for (const std::uint32_t node : quota::chain_of(tree, static_cast<std::uint32_t>(leaf))) {
      const std::int64_t total = quota::count_of(tree.nodes[node].total, column);
      const std::int64_t part = present_allotment(state, node, column).kueue;
      whole += total;
      now += part;
      shut |= tree.columns[column].limit && total > 0 && part == 0;
    }
    const std::int64_t unit = tree.columns[column].unit == base::Unit::milli ? 1000 : 1;
    if (!shut && now >= std::min(whole, unit)) continue;
    missing = fmt::format("{}/{}", tree.columns[column].flavor, tree.columns[column].resource);
    return false;
  }
  return true;
}

}  // namespace cmb2kueue::cutover
