// The table of formats, recognising one, and what every model gets whatever it was read from.
#include "cmb2kueue/source/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "draft.h"
#include "readers.h"

namespace cmb2kueue::source {

namespace {

struct Row {
  Format format;
  bool (*recognises)(doc::Node root);
  base::Result<model::Model> (*read)(base::SourceFiles&, doc::Node, const Options&, base::Findings&);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {{"cmb", "CMB tenant export, cmb-export/v1alpha1, JSON or YAML"}, is_cmb_export, read_cmb_export},
      {{"yunikorn", "Apache YuniKorn queues.yaml, bare or in its ConfigMap"}, is_yunikorn, read_yunikorn},
  };
  return table;
}

base::Result<const Row*> choose(doc::Node root, const std::string& name) {
  std::vector<std::string> names;
  for (const Row& row : rows()) {
    if (name.empty() ? row.recognises(root) : row.format.name == name) return &row;
    names.emplace_back(row.format.name);
  }
  if (!name.empty())
    return base::Status(base::ErrorKind::usage,
                        "there is no export format " + base::quoted(name) + base::did_you_mean(name, names),
                        fmt::format("--from takes {}", fmt::join(names, " or ")));
  return base::Status(base::ErrorKind::input, "this is no export of a format this tool knows",
                      fmt::format("name the format with --from: {}", fmt::join(names, " or ")), root.place());
}

void hash_amounts(std::string& all, const model::Amounts& amounts) {
  for (const model::Amount& amount : amounts)
    fmt::format_to(std::back_inserter(all), " {}={}", amount.resource, amount.count);
}

void hash_tenant(std::string& all, const model::Tenant& t) {
  fmt::format_to(std::back_inserter(all), "|t {} {} {} {} {} {} {} {} {} {} {}", t.id, t.path,
                 static_cast<int>(t.type), static_cast<int>(t.state), t.parent, t.concurrency_limit,
                 t.weight ? static_cast<int64_t>(*t.weight) : -1, t.capacity_group, t.resource_pool,
                 t.priority_offset, t.request_pending);
  for (const auto& [key, value] : t.attributes) all += " a" + key + "=" + value;
  for (const auto& [cell, percent] : t.cell_percent) all += " c" + cell + "=" + std::to_string(percent);
  if (t.reservation) {
    all += t.reservation->lendable ? " L" : " R";
    hash_amounts(all, t.reservation->total);
    hash_amounts(all, t.reservation->shape);
  }
  all += " M";
  hash_amounts(all, t.maximum);
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> table = [] {
    std::vector<Format> all;
    for (const Row& row : rows()) all.push_back(row.format);
    return all;
  }();
  return table;
}

std::uint64_t fingerprint(const model::Model& m) {
  std::string all = m.system;
  for (const model::Resource& one : m.resources)
    all += "|r " + one.name + std::to_string(static_cast<int>(one.unit));
  for (const model::Cell& one : m.cells) all += "|c " + one.name + " " + std::to_string(one.percent);
  for (const model::SharedPool& pool : m.pools) {
    all += "|p " + pool.name + " " + pool.cell + " " + pool.resource_pool;
    hash_amounts(all, pool.capacity);
    for (const model::TenantIndex member : pool.members) all += " m" + std::to_string(member);
  }
  std::uint64_t hash = base::fnv1a(all);
  for (const model::Tenant& tenant : m.tenants) {
    all.clear();
    hash_tenant(all, tenant);
    hash = base::fnv1a(all, hash);
  }
  for (const model::FieldFact& fact : m.facts)
    hash = (hash ^ fact.value ^ fact.tenant ^ base::fnv1a(m.fields[fact.field].field)) * 1099511628211ULL;
  return hash;
}

// Notes in one order whatever the order of the file: by field name, then tenant, then value.
void order_facts(model::Model& m) {
  std::vector<std::uint16_t> by_name(m.fields.size()), rank(m.fields.size());
  for (std::uint16_t i = 0; i < by_name.size(); ++i) by_name[i] = i;
  std::sort(by_name.begin(), by_name.end(), [&](std::uint16_t a, std::uint16_t b) {
    return std::tie(m.fields[a].code, m.fields[a].field) < std::tie(m.fields[b].code, m.fields[b].field);
  });
  std::vector<model::FieldNote> fields;
  for (std::uint16_t i = 0; i < by_name.size(); ++i) {
    rank[by_name[i]] = i;
    fields.push_back(m.fields[by_name[i]]);
  }
  m.fields = std::move(fields);
  for (model::FieldFact& fact : m.facts) fact.field = rank[fact.field];
  std::sort(m.facts.begin(), m.facts.end(), [](const model::FieldFact& a, const model::FieldFact& b) {
    return std::tie(a.field, a.tenant, a.value, a.place.offset) <
           std::tie(b.field, b.tenant, b.value, b.place.offset);
  });
}

base::Result<model::Model> read_export(base::SourceFiles& files, std::uint32_t file, const Options& options,
                                       base::Findings& findings) {
  const base::Result<doc::Document> document = doc::parse_one(files, file);
  if (!document.ok()) return document.status();
  const doc::Node root = document.value().root();
  const base::Result<const Row*> row = choose(root, options.format);
  if (!row.ok()) return row.status();
  base::Result<model::Model> model = row.value()->read(files, root, options, findings);
  if (!model.ok()) return model;
  order_facts(model.value());
  model->content = fingerprint(model.value());
  return model;
}

}  // namespace cmb2kueue::source
