// Blocks about an export and its translation.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/report/documents.h"

namespace cmb2kueue::report {

namespace {

using base::Quantity;
using model::no_tenant;
using model::TenantIndex;

constexpr std::size_t many_rows = 40;

std::string amount_text(const model::Model& model, const model::Amounts& amounts) {
  std::string text;
  for (const model::Amount& amount : amounts)
    text += (text.empty() ? "" : " ") + model.resources[amount.resource].name + "=" +
            Quantity::of(amount.count, model.resources[amount.resource].unit).to_string();
  return text;
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace

Facts export_facts(const model::Model& model) {
  std::uint64_t leaves = 0, reserving = 0, limited = 0;
  std::uint32_t depth = 0;
  for (const model::Tenant& tenant : model.tenants) {
    leaves += tenant.type == model::TenantType::leaf ? 1 : 0;
    reserving += tenant.reservation ? 1 : 0;
    limited += tenant.concurrency_limit > 0 ? 1 : 0;
    depth = std::max(depth, tenant.depth + 1);
  }
  Facts facts{"export", "Export", {}};
  facts.facts = {{"system", "system", model.system},
                 {"exportId", "export id", model.export_id},
                 {"exportedAt", "exported at", model.exported_at},
                 {"tenants", "tenants", number(model.tenants.size()), true},
                 {"leaves", "leaf tenants", number(leaves), true},
                 {"internal", "internal tenants", number(model.tenants.size() - leaves), true},
                 {"levels", "levels", number(depth), true},
                 {"reserving", "with a reservation", number(reserving), true},
                 {"limited", "with a concurrency limit", number(limited), true},
                 {"cells", "cells", number(model.cells.size()), true},
                 {"sharedPools", "shared pools", number(model.pools.size()), true}};
  return facts;
}

Tree tenant_tree(const model::Model& model, TenantIndex root) {
  Tree tree{"tenants", "Tenants", {"type", "reserved", "weight", "limit"}, {}, many_rows};
  const TenantIndex from = root == no_tenant ? 0 : root;
  const TenantIndex to =
      root == no_tenant ? static_cast<TenantIndex>(model.tenants.size()) : model::subtree_end(model, root);
  const std::uint32_t top = from < model.tenants.size() ? model.tenants[from].depth : 0;
  for (TenantIndex i = from; i < to; ++i) {
    const model::Tenant& tenant = model.tenants[i];
    tree.lines.push_back({tenant.depth - (root == no_tenant ? 0 : top),
                          tenant.name,
                          {tenant.type == model::TenantType::leaf ? "leaf" : "internal",
                           tenant.reservation ? amount_text(model, tenant.reservation->total) : "",
                           tenant.weight ? number(*tenant.weight) : "",
                           tenant.concurrency_limit > 0 ? number(tenant.concurrency_limit) : ""}});
  }
  return tree;
}

Table conservation_table(const translate::Translation& translation) {
  Table table{"conservation", "Conservation", {}, {}, 0, ""};
  table.columns = {{"flavor", "flavor"}, {"resource", "resource"},    {"reserved", "reserved"},
                   {"shared", "shared"}, {"nominal", "in manifests"}, {"equal", "equal"}};
  if (translation.cells.size() > 1)
    for (const quota::Entitlements& cell : translation.cells)
      table.columns.push_back({"cell " + cell.cell, cell.cell});
  for (const translate::Conservation& row : translation.conservation) {
    const auto text = [&](std::int64_t count) { return Quantity::of(count, row.unit).to_string(); };
    std::vector<std::string> cells = {row.flavor,       row.resource,      text(row.reserved),
                                      text(row.shared), text(row.nominal), row.equal() ? "yes" : "NO"};
    if (translation.cells.size() > 1)
      for (const std::int64_t count : row.per_cell) cells.push_back(text(count));
    table.rows.push_back(std::move(cells));
  }
  if (translation.skipped > 0)
    table.note =
        base::counted(translation.skipped, "tenant") + " left out by the mapping: what they reserve is not here";
  return table;
}

Table ledger_table(const translate::Ledger& ledger, const model::Model& model, const base::SourceFiles& files,
                   TenantIndex root) {
  Table table{"ledger", "Loss ledger", {}, {}, many_rows, ""};
  table.columns = {{"class", "class"},       {"code", "code"},
                   {"field", "field"},       {"what", "what is lost or changes"},
                   {"remedy", "what to do"}, {"count", "times", true},
                   {"first", "first place"}};
  const TenantIndex end = root == no_tenant ? no_tenant : model::subtree_end(model, root);
  for (const translate::LedgerEntry& entry : ledger) {
    std::uint64_t count = 0;
    base::Place first;
    for (const translate::LedgerItem& item : entry.items) {
      if (root != no_tenant && item.tenant != no_tenant && (item.tenant < root || item.tenant >= end)) continue;
      if (count++ == 0) first = item.place;
    }
    if (count > 0)
      table.rows.push_back({to_string(entry.loss), entry.code, entry.field, entry.what, entry.remedy, number(count),
                            files.describe(first)});
  }
  return table;
}

Facts ledger_facts(const translate::Ledger& ledger) {
  std::map<model::LossClass, std::uint64_t> counts;
  for (const translate::LedgerEntry& entry : ledger) counts[entry.loss] += entry.items.size();
  Facts facts{"losses", "Losses by class", {}};
  for (const model::LossClass loss :
       {model::LossClass::gap, model::LossClass::lossy, model::LossClass::emulated, model::LossClass::exact})
    facts.facts.push_back({to_string(loss), to_string(loss), number(counts[loss]), true});
  return facts;
}

}  // namespace cmb2kueue::report
