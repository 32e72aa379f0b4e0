// Lookups fail the test by throwing: what is asked for by name is there.
#include "translated.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::translate {

mapping::Mapping plain_mapping() {
  mapping::Mapping mapping;
  mapping.semantics = mapping::ReservationSemantics::inclusive;
  mapping.shared_pools = mapping::SharedPools::from_export;
  mapping.resources = {{"cpu", "cpu", false, "", {}},
                       {"memoryMB", "memory", false, "", {}},
                       {"diskMB", "ephemeral-storage", false, "", {}},
                       {"networkMbps", "titus/network", false, "", {}},
                       {"gpu", "nvidia.com/gpu", false, "", {}}};
  mapping.flavors.emplace_back().name = "default";
  mapping.rules.emplace_back().flavors = {"default"};
  mapping.priorities = {
      {"BestEffort", 1000, {0}}, {"Normal", 2000, {0}}, {"Preferred", 3000, {0}}, {"Critical", 4000, {0}}};
  mapping.split_internal.kind = mapping::SplitKind::by_moved_reservation;
  mapping.split_pool = mapping.split_limit = mapping.split_internal;
  return mapping;
}

void add_flavor(mapping::Mapping& mapping, const std::string& name, const std::string& pool) {
  mapping::Flavor flavor;
  flavor.name = name;
  flavor.pools = {pool};
  mapping.flavors.push_back(flavor);
  mapping::Rule rule;
  rule.match.pool = pool;
  rule.flavors = {name};
  mapping.rules.insert(mapping.rules.begin(), rule);
}

Translated::Translated(const model::Model& model, const mapping::Mapping& mapping, Purpose purpose)
    : model_(model), mapping_(mapping) {
  base::Result<Translation> result = translate(model_, mapping_, purpose, findings_);
  status_ = result.status();
  if (result.ok()) out_ = std::move(result).value();
}

std::vector<std::string> Translated::said(const std::string& rule) const {
  std::vector<std::string> lines;
  for (const base::FoldedFinding& finding : findings_.sorted())
    for (const base::FoldedFinding::Instance& instance : finding.instances)
      if (rule.empty() || finding.rule == rule)
        lines.push_back(fmt::format("{}{} {}: {}", rule.empty() ? finding.rule + " " : "",
                                    to_string(finding.severity), instance.subject, finding.message));
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::uint32_t Translated::index(const std::string& id) const {
  const std::vector<quota::EntitlementNode>& nodes = out_.cells.at(0).nodes;
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const quota::EntitlementNode& node) {
    return id.empty() ? node.parent < 0 : node.id == id;
  });
  if (found == nodes.end()) throw std::invalid_argument("no node " + id);
  return static_cast<std::uint32_t>(found - nodes.begin());
}

const quota::EntitlementNode& Translated::node(const std::string& id, std::size_t cell) const {
  return out_.cells.at(cell).nodes[index(id)];
}

std::int64_t Translated::total(const std::string& id, const std::string& pair, std::size_t cell) const {
  const std::vector<quota::Column>& columns = out_.cells.at(cell).columns;
  for (std::uint32_t i = 0; i < columns.size(); ++i)
    if (columns[i].flavor + "/" + columns[i].resource == pair) return quota::count_of(node(id, cell).total, i);
  throw std::invalid_argument("no column " + pair);
}

std::vector<kueue::Object> Translated::objects(std::size_t cell, bool end_state) const {
  std::vector<kueue::Object> found;
  all_objects(model_, mapping_, out_, cell, end_state,
              [&](const kueue::Object& object, const Origin&) { found.push_back(object); });
  return found;
}

namespace {

template <class Kind>
Kind named(const std::vector<kueue::Object>& objects, const std::string& name) {
  for (const kueue::Object& object : objects)
    if (std::holds_alternative<Kind>(object) && kueue::meta_of(object).name == name) return std::get<Kind>(object);
  throw std::invalid_argument("no object " + name);
}

}  // namespace

kueue::ClusterQueue Translated::queue(const std::string& id, std::size_t cell) const {
  return named<kueue::ClusterQueue>(objects(cell), node(id, cell).object);
}

kueue::Cohort Translated::cohort(const std::string& id, std::size_t cell) const {
  return named<kueue::Cohort>(objects(cell), node(id, cell).object);
}

kueue::LocalQueue Translated::local_queue(const std::string& id, std::size_t cell) const {
  return named<kueue::LocalQueue>(objects(cell), node(id, cell).object);
}

std::string Translated::manifests() const {
  std::string text;
  for (std::size_t cell = 0; cell < out_.cells.size(); ++cell)
    for (kueue::Object& object : objects(cell)) {
      kueue::meta_of(object).annotations.clear();
      text += kueue::to_yaml(object) + "---\n";
    }
  return text;
}

std::vector<std::string> Translated::ledger() const {
  std::vector<std::string> lines;
  for (const LedgerEntry& entry : out_.ledger)
    for (const LedgerItem& item : entry.items)
      lines.push_back(fmt::format("{} {} {} {}", entry.code, entry.field,
                                  item.tenant == model::no_tenant ? "*" : model_.tenants[item.tenant].id,
                                  item.value));
  return lines;
}

std::string annotation(const kueue::Meta& meta, const std::string& name) {
  for (const auto& [key, value] : meta.annotations)
    if (key == "cmb2kueue.io/" + name) return value;
  return "";
}

}  // namespace cmb2kueue::translate
