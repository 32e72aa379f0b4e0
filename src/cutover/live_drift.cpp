// Where live has moved away from what was promised, field by field, with the hands it went through.
#include <algorithm>
#include <map>

#include "cmb2kueue/cutover/cutover.h"
#include "cmb2kueue/diff/change_set.h"

namespace cmb2kueue::cutover {

namespace {

// "spec.resourceGroups[default/cpu].nominalQuota" is written by whoever owns "spec.resourceGroups".
bool covers(const std::string& owned, const std::string& field) {
  const std::size_t length = std::min(owned.size(), field.size());
  if (owned.compare(0, length, field, 0, length) != 0) return false;
  const std::string& longer = owned.size() > field.size() ? owned : field;
  return longer.size() == length || longer[length] == '.' || longer[length] == '[';
}

std::vector<std::string> managers_of(const std::vector<target::Ownership>& owners, const std::string& field) {
  std::vector<std::string> managers;
  for (const target::Ownership& one : owners)
    if (std::any_of(one.fields.begin(), one.fields.end(),
                    [&](const std::string& owned) { return covers(owned, field); }))
      managers.push_back(one.manager);
  return managers;
}

}  // namespace

base::Result<std::vector<Drift>> find_drift(const Context& context, const State& state) {
  std::vector<Drift> all;
  const std::vector<kueue::Object> promised = expected_objects(state);
  if (promised.empty()) return all;
  base::SourceFiles files;
  base::Findings ignored;  // verify says what cannot be read
  const base::Result<std::vector<target::Live>> live = context.target->list(files, ignored);
  if (!live.ok()) return live.status();
  std::map<kueue::ObjectKey, kueue::Object> wanted;
  for (const kueue::Object& object : promised) wanted.emplace(kueue::key_of(object), object);
  std::vector<kueue::Object> there;
  for (const target::Live& one : live.value())
    if (wanted.contains(kueue::key_of(one.object))) there.push_back(one.object);
  for (const diff::Change& change : diff::change_set(promised, there).changes) {
    if (change.cosmetic()) continue;
    if (change.action == diff::Action::remove) {
      all.push_back({change.key, "", "there", "absent", {}});
      continue;
    }
    base::Result<std::vector<target::Ownership>> owners = std::vector<target::Ownership>();
    if (context.target->cluster() != nullptr) owners = context.target->cluster()->owners(change.key);
    if (!owners.ok()) return owners.status();
    for (const diff::FieldChange& field : change.fields)
      if (!field.cosmetic)
        all.push_back({change.key, field.path, field.before.empty() ? "absent" : field.before,
                       field.after.empty() ? "absent" : field.after, managers_of(owners.value(), field.path)});
  }
  return all;
}

}  // namespace cmb2kueue::cutover
