// The table of formats, recognising one, and what every model gets whatever it was read from.
#include "cmb2kueue/source/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "draft.h"
#include "proto_json.h"
#include "readers.h"

namespace cmb2kueue::source {

namespace {

struct Row {
  Format format;
  bool (*recognises)(doc::Node root);
  base::Result<model::Model> (*read)(base::SourceFiles&, doc::Document, const Options&, base::Findings&);
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

// Gathers a fingerprint. Every part says its length, so that no two models run into the same text.
class Hash {
 public:
  void text(std::string_view text) {
    number(static_cast<std::int64_t>(text.size()));
    value_ = base::fnv1a(text, value_);
  }
  void number(std::int64_t number) { value_ = (value_ ^ number_hash(number)) * 1099511628211ULL; }
  void amounts(const model::Amounts& amounts) {
    number(static_cast<std::int64_t>(amounts.size()));
    for (const model::Amount& amount : amounts) {
      number(amount.resource);
      number(amount.count);
    }
  }
  void percentages(const std::vector<std::pair<std::string, std::uint32_t>>& cells) {
    number(static_cast<std::int64_t>(cells.size()));
    for (const auto& [cell, percent] : cells) {
      text(cell);
      number(percent);
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = base::fnv1a("");
};

void hash_tenant(Hash& hash, const model::Tenant& t) {
  for (const std::string* text : {&t.id, &t.name, &t.email, &t.description, &t.capacity_group, &t.resource_pool})
    hash.text(*text);
  for (const std::int64_t number :
       {static_cast<std::int64_t>(t.type), static_cast<std::int64_t>(t.state), static_cast<std::int64_t>(t.parent),
        static_cast<std::int64_t>(t.concurrency_limit), t.weight ? static_cast<std::int64_t>(*t.weight) : -1,
        static_cast<std::int64_t>(t.priority_offset), static_cast<std::int64_t>(t.request_pending),
        static_cast<std::int64_t>(t.attributes.size())})
    hash.number(number);
  for (const auto& [key, value] : t.attributes) {
    hash.text(key);
    hash.text(value);
  }
  hash.percentages(t.cell_percent);
  hash.number(t.reservation ? t.reservation->instances : -1);
  if (t.reservation) {
    hash.number(t.reservation->lendable ? 1 : 0);
    hash.amounts(t.reservation->total);
    hash.amounts(t.reservation->shape);
  }
  hash.amounts(t.maximum);
}

void hash_pools(Hash& hash, const model::Model& m) {
  for (const model::Cell& one : m.cells) {
    hash.text(one.name);
    hash.number(one.percent);
    hash.number(one.kueue_enabled ? 1 : 0);
    hash.text(one.kube_context);
  }
  for (const model::SharedPool& pool : m.pools) {
    for (const std::string* text : {&pool.name, &pool.cell, &pool.resource_pool}) hash.text(*text);
    hash.amounts(pool.capacity);
    hash.number(pool.all_members ? -1 : static_cast<std::int64_t>(pool.members.size()));
    for (const model::TenantIndex member : pool.members) hash.number(member);
  }
  for (const model::CapacityGroup& group : m.capacity_groups) {
    for (const std::string* text : {&group.name, &group.resource_pool, &group.tier}) hash.text(*text);
    hash.amounts(group.total);
    hash.percentages(group.cell_percent);
  }
}

void hash_priorities(Hash& hash, const model::PriorityPolicy& policy) {
  hash.text(policy.system_default);
  for (const auto& [name, base] : policy.class_base) {
    hash.text(name);
    hash.number(base);
  }
  hash.number(policy.value_range ? static_cast<std::int64_t>(*policy.value_range) : -1);
}

// A stable sort by a small key, in linear time: facts are many, fields and tenants are numbers already. `sorted` is
// room for them.
template <class Key>
void counting_sort(std::vector<model::FieldFact>& facts, std::vector<model::FieldFact>& sorted, std::size_t keys,
                   Key key) {
  std::vector<std::size_t> start(keys + 1, 0);
  for (const model::FieldFact& fact : facts) ++start[key(fact) + 1];
  for (std::size_t i = 1; i <= keys; ++i) start[i] += start[i - 1];
  sorted.resize(facts.size());
  for (const model::FieldFact& fact : facts) sorted[start[key(fact)]++] = fact;
  facts.swap(sorted);
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
  Hash hash;
  hash.text(m.system);
  for (const model::Resource& one : m.resources) {
    hash.text(one.name);
    hash.number(static_cast<std::int64_t>(one.unit));
  }
  hash.number(m.pools_given ? 1 : 0);
  hash_pools(hash, m);
  hash_priorities(hash, m.priorities);
  for (const model::Tenant& tenant : m.tenants) hash_tenant(hash, tenant);
  std::vector<std::uint64_t> names;
  for (const model::FieldNote& note : m.fields) names.push_back(base::fnv1a(note.field));
  for (const model::FieldFact& fact : m.facts) {
    hash.number(static_cast<std::int64_t>(fact.value));
    hash.number(static_cast<std::int64_t>(names[fact.field] ^ fact.tenant));
  }
  return hash.value();
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
  std::vector<model::FieldFact> room;
  counting_sort(m.facts, room, m.tenants.size() + 1,
                [&](const model::FieldFact& fact) { return std::min<std::size_t>(fact.tenant, m.tenants.size()); });
  counting_sort(m.facts, room, m.fields.size(),
                [](const model::FieldFact& fact) { return std::size_t{fact.field}; });
  for (auto from = m.facts.begin(); from != m.facts.end();) {
    const auto to = std::find_if(from, m.facts.end(), [&](const model::FieldFact& fact) {
      return fact.field != from->field || fact.tenant != from->tenant;
    });
    std::sort(from, to, [](const model::FieldFact& a, const model::FieldFact& b) {
      return std::tie(a.value, a.place.offset) < std::tie(b.value, b.place.offset);
    });
    from = to;
  }
}

base::Result<model::Model> read_export(base::SourceFiles& files, std::uint32_t file, const Options& options,
                                       base::Findings& findings) {
  base::Result<doc::Document> document = doc::parse_one(files, file);
  if (!document.ok()) return document.status();
  const base::Result<const Row*> row = choose(document.value().root(), options.format);
  if (!row.ok()) return row.status();
  base::Result<model::Model> model = row.value()->read(files, std::move(document).value(), options, findings);
  if (!model.ok()) return model;
  order_facts(model.value());
  model->content = fingerprint(model.value());
  return model;
}

}  // namespace cmb2kueue::source
