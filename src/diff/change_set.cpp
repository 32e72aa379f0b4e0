// Comparing sets: sort both by key, walk them together, compare flattened fields the same way. Objects are
// flattened one pair at a time, so what a comparison holds besides its result does not grow with the sets.
#include "cmb2kueue/diff/change_set.h"

#include <algorithm>

#include "flatten.h"

namespace cmb2kueue::diff {

namespace {

using Keyed = std::vector<std::pair<kueue::ObjectKey, const kueue::Object*>>;

Keyed sorted(const std::vector<kueue::Object>& objects) {
  Keyed keyed;
  for (const kueue::Object& object : objects) keyed.emplace_back(kueue::key_of(object), &object);
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  // Of objects given twice the last counts, as when they are applied one after the other.
  Keyed unique;
  for (std::pair<kueue::ObjectKey, const kueue::Object*>& one : keyed) {
    if (!unique.empty() && unique.back().first == one.first)
      unique.back().second = one.second;
    else
      unique.push_back(std::move(one));
  }
  return unique;
}

using Flat = std::map<std::string, FlatValue>;

std::vector<FieldChange> field_changes(const kueue::Object* before, const kueue::Object* after) {
  const Flat olds = before == nullptr ? Flat() : flatten(*before);
  const Flat news = after == nullptr ? Flat() : flatten(*after);
  std::vector<FieldChange> changes;
  auto o = olds.begin();
  auto n = news.begin();
  while (o != olds.end() || n != news.end()) {
    const bool take_old = n == news.end() || (o != olds.end() && o->first <= n->first);
    const bool take_new = o == olds.end() || (n != news.end() && n->first <= o->first);
    const auto& [path, value] = take_old ? *o : *n;
    if (!take_old || !take_new || o->second.value != n->second.value)
      changes.push_back({path, take_old ? o->second.value : "", take_new ? n->second.value : "", value.cosmetic});
    if (take_old) ++o;
    if (take_new) ++n;
  }
  return changes;
}

void add(ChangeSet& set, Change change, bool keep_same) {
  switch (change.action) {
    case Action::create:
      ++set.creates;
      break;
    case Action::remove:
      ++set.removes;
      break;
    case Action::same:
      ++set.same;
      break;
    case Action::update:
      ++(change.cosmetic() ? set.cosmetic : set.updates);
      break;
  }
  if (change.action != Action::same || keep_same) set.changes.push_back(std::move(change));
}

}  // namespace

const char* to_string(Action action) {
  switch (action) {
    case Action::create:
      return "create";
    case Action::update:
      return "update";
    case Action::remove:
      return "remove";
    case Action::same:
      return "same";
  }
  return "same";
}

bool Change::cosmetic() const {
  return action == Action::update &&
         std::all_of(fields.begin(), fields.end(), [](const FieldChange& field) { return field.cosmetic; });
}

ChangeSet change_set(const std::vector<kueue::Object>& before, const std::vector<kueue::Object>& after,
                     bool keep_same) {
  ChangeSet set;
  const Keyed olds = sorted(before), news = sorted(after);
  std::size_t o = 0, n = 0;
  while (o < olds.size() || n < news.size()) {
    const bool take_old = n == news.size() || (o < olds.size() && olds[o].first <= news[n].first);
    const bool take_new = o == olds.size() || (n < news.size() && news[n].first <= olds[o].first);
    Change change;
    change.key = take_old ? olds[o].first : news[n].first;
    if (!take_old || !take_new || *olds[o].second != *news[n].second)  // most objects are equal as they stand
      change.fields = field_changes(take_old ? olds[o].second : nullptr, take_new ? news[n].second : nullptr);
    if (!take_old)
      change.action = Action::create;
    else if (!take_new)
      change.action = Action::remove;
    else
      change.action = change.fields.empty() ? Action::same : Action::update;
    o += take_old ? 1 : 0;
    n += take_new ? 1 : 0;
    add(set, std::move(change), keep_same);
  }
  return set;
}

}  // namespace cmb2kueue::diff
