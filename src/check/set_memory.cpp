// Filling the memory of a set, one object at a time.
#include "set_memory.h"

#include <algorithm>

namespace cmb2kueue::check {

std::uint32_t Names::number(std::string_view text) {
  if (text.empty()) return 0;
  for (const std::uint32_t number : recent_)
    if (texts_[number] == text) return number;
  const auto found = numbers_.find(text);
  std::uint32_t number = static_cast<std::uint32_t>(texts_.size());
  if (found != numbers_.end()) {
    number = found->second;
  } else {
    texts_.emplace_back(text);
    numbers_.emplace(texts_.back(), number);
  }
  recent_[oldest_] = number;
  oldest_ = (oldest_ + 1) % recent_.size();
  return number;
}

std::uint32_t Names::find(std::string_view text) const {
  const auto found = numbers_.find(text);
  return found == numbers_.end() ? 0 : found->second;
}

namespace {

std::uint64_t both(std::uint32_t high, std::uint32_t low) {
  return (static_cast<std::uint64_t>(high) << 32) | low;
}

// Kueue's integers, those that fit none taken as the largest; check_groups has said so.
std::int64_t units(const base::Quantity& quantity, std::string_view resource) {
  return quantity.kueue_units(resource).value_or(INT64_MAX);
}

// Text that differs whenever two lists of names do.
void append_part(std::string& text, std::string_view part) {
  text += std::to_string(part.size());
  text += ':';
  text += part;
}

}  // namespace

bool SetMemory::first(const kueue::Object& object) {
  const kueue::Meta& meta = kueue::meta_of(object);
  const kueue::Kind kind = kueue::kind_of(object);
  // The key of somebody else's object says its group and kind as well.
  const NameId name = names.number(kind == kueue::Kind::other ? kueue::key_of(object).name : meta.name);
  return seen_[kind].insert(both(names.number(meta.name_space), name)).second;
}

PairId SetMemory::pair(std::string_view flavor, std::string_view resource) {
  const NameId flavor_id = names.number(flavor), resource_id = names.number(resource);
  const auto [slot, fresh] =
      pair_numbers_.try_emplace(both(flavor_id, resource_id), static_cast<PairId>(pairs.size()));
  if (fresh) pairs.emplace_back(flavor_id, resource_id);
  return slot->second;
}

std::string SetMemory::pair_text(PairId id) const {
  return names.text(pairs[id].first) + "/" + names.text(pairs[id].second);
}

std::uint32_t SetMemory::shape_of(const kueue::ClusterQueue& queue) {
  std::string& text = text_;
  text.clear();
  for (const kueue::ResourceGroup& group : queue.groups) {
    text += '|';
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      text += '/';
      append_part(text, flavor.flavor);
      for (const kueue::ResourceQuota& row : flavor.resources) append_part(text, row.resource);
    }
  }
  const auto [slot, fresh] = shape_numbers_.try_emplace(text, static_cast<std::uint32_t>(shapes.size()));
  if (!fresh) return slot->second;
  Shape shape;
  for (const kueue::ResourceGroup& group : queue.groups) {
    std::vector<NameId>& in_order = shape.flavors_by_group.emplace_back();
    for (const kueue::FlavorQuotas& flavor : group.flavors) in_order.push_back(names.number(flavor.flavor));
  }
  kueue::for_each_quota(queue, [&](const std::string& flavor, const kueue::ResourceQuota& row) {
    shape.pairs.push_back(pair(flavor, row.resource));
  });
  shapes.push_back(std::move(shape));
  return slot->second;
}

std::uint32_t SetMemory::selector_of(const kueue::Selector& selector) {
  std::string& text = text_;
  text.clear();
  for (const auto& [key, value] : selector.match_labels) {
    text += '=';
    append_part(text, key);
    append_part(text, value);
  }
  for (const kueue::SelectorTerm& term : selector.match_expressions) {
    text += '?';
    append_part(text, term.key);
    append_part(text, term.op);
    for (const std::string& value : term.values) append_part(text, value);
  }
  const auto [slot, fresh] = selector_numbers_.try_emplace(text, static_cast<std::uint32_t>(selectors.size()));
  if (fresh) selectors.push_back(selector);
  return slot->second;
}

Holding& SetMemory::holding(std::vector<Holding>& all, PairId pair) {
  auto found = std::lower_bound(all.begin(), all.end(), pair,
                                [](const Holding& one, PairId wanted) { return one.pair < wanted; });
  if (found == all.end() || found->pair != pair) {
    found = all.insert(found, Holding{});
    found->pair = pair;
  }
  return *found;
}

// Only round numbers tell: 64G and 64Gi, but not 123456789.
void SetMemory::spell(PairId pair, const kueue::ResourceQuota& row) {
  constexpr base::int128 giga = base::int128{1'000'000'000} * 1'000'000'000;
  constexpr base::int128 gibi = base::int128{1 << 30} * 1'000'000'000;
  if (row.nominal.nanos() < giga) return;
  const bool decimal = row.nominal.nanos() % giga == 0, binary = row.nominal.nanos() % gibi == 0;
  if (decimal == binary) return;
  (decimal ? spellings[pair].decimal : spellings[pair].binary) = true;
}

void SetMemory::remember_queue(const kueue::ClusterQueue& queue, base::Place place,
                               const std::function<base::Place(std::string_view)>& place_of) {
  const std::uint32_t index = static_cast<std::uint32_t>(queues.size());
  QueueRecord record{
      names.number(queue.meta.name), names.number(queue.cohort),     shape_of(queue), selects_nothing, place,
      place_of("spec.cohortName"),   place_of("spec.resourceGroups")};
  if (queue.namespace_selector) record.selector = selector_of(*queue.namespace_selector);
  queue_of.try_emplace(record.name, index);
  queues.push_back(record);
  for (const kueue::AdmissionCheckUse& use : queue.admission_checks)
    check_uses.push_back({names.number("AdmissionCheck.kueue.x-k8s.io/" + use.name), index});
  CohortRecord* cohort = record.cohort == 0 ? nullptr : &cohorts[record.cohort];
  if (cohort != nullptr) ++cohort->queues;
  auto next = shapes[record.shape].pairs.begin();  // in the order of the rows
  kueue::for_each_quota(queue, [&](const std::string&, const kueue::ResourceQuota& row) {
    const PairId id = *next++;
    if (row.resource == "memory") spell(id, row);
    if (cohort == nullptr) return;
    Holding& held = holding(cohort->holdings, id);
    const std::int64_t nominal = units(row.nominal, row.resource);
    held.queues += nominal;
    held.lendable += row.lending_limit ? std::min(nominal, units(*row.lending_limit, row.resource)) : nominal;
    ++held.listed;
    if (nominal == 0 && row.borrowing_limit && !row.borrowing_limit->is_zero()) borrowers.push_back({index, id});
  });
}

void SetMemory::remember_cohort(const kueue::Cohort& cohort, base::Place place, base::Place parent_place) {
  const NameId name = names.number(cohort.meta.name);
  const NameId parent = names.number(cohort.parent);
  if (parent != 0) ++cohorts[parent].children;
  CohortRecord& record = cohorts[name];
  record.parent = parent;
  record.object = true;
  record.place = place;
  record.parent_place = parent_place;
  kueue::for_each_quota(cohort, [&](const std::string& flavor, const kueue::ResourceQuota& row) {
    Holding& held = holding(record.holdings, pair(flavor, row.resource));
    held.nominal = units(row.nominal, row.resource);
    held.borrowing = row.borrowing_limit ? units(*row.borrowing_limit, row.resource) : -1;
    held.lending = row.lending_limit ? units(*row.lending_limit, row.resource) : -1;
  });
}

void SetMemory::remember(const kueue::Object& object, base::Place place,
                         const std::function<base::Place(std::string_view)>& place_of) {
  const kueue::Meta& meta = kueue::meta_of(object);
  if (const auto* queue = std::get_if<kueue::ClusterQueue>(&object))
    remember_queue(*queue, place, place_of);
  else if (const auto* cohort = std::get_if<kueue::Cohort>(&object))
    remember_cohort(*cohort, place, cohort->parent.empty() ? place : place_of("spec.parentName"));
  else if (const auto* local = std::get_if<kueue::LocalQueue>(&object))
    locals.push_back({names.number(meta.name), names.number(meta.name_space), names.number(local->cluster_queue),
                      place, place_of("spec.clusterQueue")});
  else if (const auto* flavor = std::get_if<kueue::ResourceFlavor>(&object))
    flavors[names.number(meta.name)] = {names.number(meta.name), names.number(flavor->topology), place};
  else if (std::holds_alternative<kueue::Namespace>(object))
    namespaces[names.number(meta.name)] = meta.labels;
  else if (std::holds_alternative<kueue::Other>(object))
    others.insert(names.number(kueue::key_of(object).name));
}

}  // namespace cmb2kueue::check
