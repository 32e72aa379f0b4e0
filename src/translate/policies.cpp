// Decisions that work, but perhaps not as meant: queues that hold what they wait for, splits nobody has chosen,
// cells without Kueue, partitions that leave a cell open.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using quota::EntitlementNode;
using quota::Share;

void check_strategies(Work& work, const Translation& out) {
  const quota::Entitlements& tree = out.cells[0];
  for (std::uint32_t n = 1; n < tree.nodes.size(); ++n) {
    const EntitlementNode& node = tree.nodes[n];
    if (!node.leaf || strategy_of(work.mapping, work.tenants[node.tenant].rule) != "StrictFIFO") continue;
    if (reclaims(tree, n, work.mapping.preset)) continue;
    work.report("T-FIFO-HOLDS",
                "StrictFIFO without reclaim: while the first job waits, nobody else can use the shared capacity it "
                "waits for",
                "leave queueingStrategy at BestEffortFIFO, or use the preset lend", node.tenant,
                work.model.tenants[node.tenant].name_place);
  }
}

// What the split rules are for, of what there is to split.
struct Shared {
  bool internal = false, pool = false, limit = false;
};

Shared shared_amounts(const Work& work, const Translation& out) {
  Shared found;
  for (const quota::Entitlements& tree : out.cells)
    for (const EntitlementNode& node : tree.nodes)
      for (const Share& share : node.total) {
        if (node.leaf || share.count == 0) continue;
        (share.column == work.limit_column ? found.limit : node.parent < 0 ? found.pool : found.internal) = true;
      }
  return found;
}

void ask_about_splits(Work& work, const Translation& out) {
  if (work.mapping.partition) return;  // overrides them
  const Shared shared = work.purpose == Purpose::act ? Shared{true, true, true} : shared_amounts(work, out);
  std::vector<std::string> open;
  const auto ask = [&](bool needed, const mapping::Split& split, const char* name) {
    if (needed && split.kind == mapping::SplitKind::unset) open.emplace_back(name);
  };
  ask(shared.internal, work.mapping.split_internal, "internal");
  ask(shared.pool, work.mapping.split_pool, "pool");
  ask(shared.limit, work.mapping.split_limit, "limit");
  if (!open.empty())
    work.open_question(
        "T-SPLIT-UNSET",
        fmt::format("the mapping does not say how shared capacity is divided while tenants move: split.{}",
                    fmt::join(open, ", split.")),
        "add split with a rule: by-moved-reservation, by-moved-weight, percent or at-end");
}

void check_cells(Work& work) {
  for (const model::Cell& cell : work.model.cells)
    if (!cell.kueue_enabled)
      work.report("T-CELL-NO-KUEUE", fmt::format("the cell {} has no Kueue", base::quoted(cell.name)),
                  "its objects are made all the same; install Kueue there before tenants move", no_tenant,
                  cell.place);
}

void check_partition_cells(Work& work) {
  if (!work.mapping.partition) return;
  const std::vector<model::Cell>& cells = work.model.cells;
  for (const mapping::PartitionPart& part : work.mapping.partition->parts) {
    const bool known =
        std::any_of(cells.begin(), cells.end(), [&](const model::Cell& cell) { return cell.name == part.cell; });
    if (known || (part.cell.empty() && cells.size() == 1)) continue;
    work.findings.add(
        {"T-PARTITION", base::Severity::error,
         part.cell.empty() ? "the part does not say in which cell" : "there is no cell " + base::quoted(part.cell),
         "plan --propose-partition writes a section that fits", part.node, part.flavor + "/" + part.resource,
         part.place});
  }
}

}  // namespace

const std::string& strategy_of(const mapping::Mapping& mapping, const mapping::Rule* rule) {
  const bool own = rule != nullptr && !rule->queueing_strategy.empty();
  return own ? rule->queueing_strategy : mapping.queueing_strategy;
}

bool reclaims(const quota::Entitlements& tree, std::uint32_t leaf, mapping::Preset preset) {
  if (preset == mapping::Preset::lend) return true;
  for (std::int32_t at = static_cast<std::int32_t>(leaf); at >= 0;
       at = tree.nodes[static_cast<std::size_t>(at)].parent) {
    const EntitlementNode& node = tree.nodes[static_cast<std::size_t>(at)];
    if (node.lendable && std::any_of(node.total.begin(), node.total.end(), [&](const Share& share) {
          return share.count > 0 && !tree.columns[share.column].limit;
        }))
      return true;
  }
  return false;
}

void check_policies(Work& work, const Translation& out) {
  check_strategies(work, out);
  ask_about_splits(work, out);
  check_cells(work);
  check_partition_cells(work);
}

}  // namespace cmb2kueue::translate
