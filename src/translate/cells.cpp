// Dividing what tenants have over cells, exactly: subtraction came first, the largest remainder comes now.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cmb2kueue/mapping/naming.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using model::TenantIndex;
using quota::EntitlementNode;
using quota::Share;

std::vector<std::uint32_t> by_name(const Work& work,
                                   const std::vector<std::pair<std::string, std::uint32_t>>& named) {
  std::vector<std::uint32_t> percent;
  for (const model::Cell& cell : work.model.cells) {
    const auto found =
        std::find_if(named.begin(), named.end(), [&](const auto& one) { return one.first == cell.name; });
    percent.push_back(found == named.end() ? 0 : found->second);
  }
  return percent;
}

std::uint64_t sum_of(const std::vector<std::uint32_t>& percent) {
  return std::accumulate(percent.begin(), percent.end(), std::uint64_t{0});
}

// A leaf's reservation in whole instances, so that a cell can run what it was given.
bool by_instances(const Work& work, TenantIndex tenant, std::int64_t count) {
  const model::Tenant& one = work.model.tenants[tenant];
  return work.mapping.cell_split == mapping::CellSplit::instance && one.type == model::TenantType::leaf &&
         one.reservation && one.reservation->instances > 0 && count % one.reservation->instances == 0;
}

void make_nodes(const Work& work, std::vector<std::int32_t>& node_of, std::vector<EntitlementNode>& nodes) {
  for (TenantIndex i = 0; i < work.tenants.size(); ++i) {
    if (work.tenants[i].skipped) continue;
    const model::Tenant& tenant = work.model.tenants[i];
    EntitlementNode node;
    node.hash = mapping::tenant_hash(tenant.id);
    node.id = tenant.id;
    node.object = object_name_of(tenant, node.hash, work.mapping);
    node.display = tenant.path;
    node.parent = tenant.parent == no_tenant ? 0 : node_of[tenant.parent];
    node.tenant = i;
    node.leaf = tenant.type == model::TenantType::leaf;
    node.weight = work.tenants[i].weight;
    node.limit_role = work.tenants[i].limit_role;
    node.lendable = work.tenants[i].lends;
    node_of[i] = static_cast<std::int32_t>(nodes.size());
    nodes.push_back(std::move(node));
  }
}

void list_columns(const Work& work, std::vector<EntitlementNode>& nodes) {
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    EntitlementNode& node = nodes[n];
    if (!node.leaf) continue;
    for (const std::uint16_t flavor : work.flavors_of(node.tenant))
      for (const std::uint16_t resource : work.covered) node.columns.push_back(work.column(flavor, resource));
    std::sort(node.columns.begin(), node.columns.end());
    if (work.tenants[node.tenant].under_limit) node.columns.push_back(work.limit_column);
  }
}

class CellSplitter {
 public:
  CellSplitter(Work& work, Translation& out) : work_(work), out_(out) {}
  void node(std::size_t index);

 private:
  void divide_share(const Share& share);
  void shares(std::size_t index, const quota::Shares& from, quota::Shares EntitlementNode::*into);
  void limit(std::size_t index);

  Work& work_;
  Translation& out_;
  std::vector<std::uint32_t> percent_;
  std::vector<std::int64_t> parts_;  // of the share at hand, kept so that a million of them allocate nothing
  TenantIndex tenant_ = no_tenant;
  bool rounded_ = false;
};

void CellSplitter::divide_share(const Share& share) {
  if (!by_instances(work_, tenant_, share.count)) return divide(share.count, percent_, parts_);
  const std::int64_t instances = work_.model.tenants[tenant_].reservation->instances;
  divide(instances, percent_, parts_);
  for (std::int64_t& part : parts_) part *= share.count / instances;
}

void CellSplitter::shares(std::size_t index, const quota::Shares& from, quota::Shares EntitlementNode::*into) {
  for (quota::Entitlements& tree : out_.cells) (tree.nodes[index].*into).reserve(from.size());
  for (const Share& share : from) {
    divide_share(share);
    for (std::size_t c = 0; c < parts_.size(); ++c) {
      (out_.cells[c].nodes[index].*into).push_back({share.column, parts_[c]});
      rounded_ |=
          static_cast<base::int128>(parts_[c]) * 100 != static_cast<base::int128>(share.count) * percent_[c];
    }
  }
}

void CellSplitter::limit(std::size_t index) {
  const std::uint32_t limit = work_.model.tenants[tenant_].concurrency_limit;
  if (limit == 0) return;
  divide(limit, percent_, parts_);
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    out_.cells[c].nodes[index].total.push_back({work_.limit_column, parts_[c]});
    if (parts_[c] == 0)
      work_.report("T-LIMIT-CLOSED-IN-CELL",
                   fmt::format("the limit {} leaves nothing for the cell {}", limit, work_.model.cells[c].name),
                   "nothing starts there; give the tenant other percentages, or a larger limit", tenant_,
                   work_.model.tenants[tenant_].limit_place);
  }
}

void CellSplitter::node(std::size_t index) {
  tenant_ = out_.cells[0].nodes[index].tenant;
  const std::vector<std::pair<std::string, std::uint32_t>>& own = work_.model.tenants[tenant_].cell_percent;
  percent_ = percentages(work_, tenant_);
  if (!own.empty() && sum_of(by_name(work_, own)) != 100)
    work_.report("T-CELL-PERCENT",
                 fmt::format("its percentages over the cells sum to {}, not 100", sum_of(by_name(work_, own))),
                 "correct the capacity group's distribution", tenant_, work_.model.tenants[tenant_].place);
  rounded_ = false;
  shares(index, work_.tenants[tenant_].reserved, &EntitlementNode::reserved);
  shares(index, work_.tenants[tenant_].own, &EntitlementNode::total);
  limit(index);
  if (rounded_)
    work_.report("T-CELL-ROUNDED",
                 fmt::format("a cell's share is rounded to whole {}; the cells still sum to the whole",
                             work_.mapping.cell_split == mapping::CellSplit::unit ? "units" : "units or instances"),
                 "nothing has to be done; cells.splitBy: instance keeps instances whole", tenant_,
                 work_.model.tenants[tenant_].reservation_place);
}

}  // namespace

// Those of the mapping before those of the export. Where neither sums to 100 everything stays in the first cell, so
// that nothing is lost while the error is being mended.
void settle_percentages(Work& work) {
  const bool mapped = !work.mapping.cell_percent.empty();
  if (mapped)
    work.percent = by_name(work, work.mapping.cell_percent);
  else
    for (const model::Cell& cell : work.model.cells) work.percent.push_back(cell.percent);
  if (sum_of(work.percent) == 100) return;
  work.report("T-CELL-PERCENT",
              fmt::format("the percentages of the export's cells sum to {}, not 100", sum_of(work.percent)),
              mapped ? "correct cells.percent in the mapping; cells that the export does not have count nothing"
                     : "correct them in the export, or give cells.percent in the mapping",
              no_tenant, {});
  work.percent.assign(work.percent.size(), 0);
  work.percent[0] = 100;
}

std::vector<std::uint32_t> percentages(const Work& work, TenantIndex tenant) {
  if (work.model.tenants[tenant].cell_percent.empty()) return work.percent;
  std::vector<std::uint32_t> own = by_name(work, work.model.tenants[tenant].cell_percent);
  return sum_of(own) == 100 ? own : work.percent;
}

void divide(std::int64_t count, const std::vector<std::uint32_t>& percent, std::vector<std::int64_t>& parts) {
  parts.clear();
  std::int64_t left = count;
  for (const std::uint32_t one : percent) {
    parts.push_back(static_cast<std::int64_t>(static_cast<base::int128>(count) * one / 100));
    left -= parts.back();
  }
  // The odd units, fewer than there are parts, go where the remainder is largest: who has one is above its share.
  for (std::size_t round = 0; left > 0 && round < parts.size(); ++round, --left) {
    std::size_t most = 0;
    base::int128 missing = -100;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const base::int128 remainder =
          static_cast<base::int128>(count) * percent[i] - static_cast<base::int128>(parts[i]) * 100;
      if (remainder <= missing) continue;
      missing = remainder;
      most = i;
    }
    ++parts[most];
  }
}

std::vector<std::int64_t> divide(std::int64_t count, const std::vector<std::uint32_t>& percent) {
  std::vector<std::int64_t> parts;
  divide(count, percent, parts);
  return parts;
}

// Pinned names are sorted by tenant id.
std::string object_name_of(const model::Tenant& tenant, const std::string& hash, const mapping::Mapping& mapping) {
  const auto found = std::lower_bound(mapping.pinned_names.begin(), mapping.pinned_names.end(), tenant.id,
                                      [](const auto& pin, const std::string& id) { return pin.first < id; });
  if (found != mapping.pinned_names.end() && found->first == tenant.id) return found->second;
  return mapping::object_name_with(tenant.name, hash);
}

void split_over_cells(Work& work, Translation& out) {
  std::vector<std::int32_t> node_of(work.tenants.size(), 0);
  std::vector<EntitlementNode> nodes;
  nodes.reserve(work.tenants.size() + 1);
  nodes.resize(1);
  nodes[0].hash = "root";
  nodes[0].id = nodes[0].display = "(root)";
  nodes[0].tenant = no_tenant;
  make_nodes(work, node_of, nodes);
  list_columns(work, nodes);
  for (const model::Cell& cell : work.model.cells) {
    const bool last = &cell == &work.model.cells.back();
    out.cells.push_back({cell.name, work.columns, last ? std::move(nodes) : nodes});
    out.cells.back().nodes[0].object = mapping::root_name(cell.name);
  }
  CellSplitter splitter(work, out);
  for (std::size_t n = 1; n < out.cells[0].nodes.size(); ++n) splitter.node(n);
}

}  // namespace cmb2kueue::translate
