// Comparing sets: sort both by key, walk them together, compare flattened fields.
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
  return keyed;
}

std::vector<FieldChange> field_changes(const kueue::Object* before, const kueue::Object* after) {
  const std::map<std::string, FlatValue> old_fields =
      before == nullptr ? std::map<std::string, FlatValue>() : flatten(*before);
  const std::map<std::string, FlatValue> new_fields =
      after == nullptr ? std::map<std::string, FlatValue>() : flatten(*after);
  std::vector<FieldChange> changes;
  for (const auto& [path, value] : old_fields) {
    const auto found = new_fields.find(path);
    if (found == new_fields.end())
      changes.push_back({path, value.value, "", value.cosmetic});
    else if (found->second.value != value.value)
      changes.push_back({path, value.value, found->second.value, value.cosmetic});
  }
  for (const auto& [path, value] : new_fields)
    if (!old_fields.contains(path)) changes.push_back({path, "", value.value, value.cosmetic});
  std::sort(changes.begin(), changes.end(),
            [](const FieldChange& a, const FieldChange& b) { return a.path < b.path; });
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
