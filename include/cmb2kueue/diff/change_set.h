// The difference between two sets of objects by value: spelling, order without meaning, defaults and server-owned
// fields are never a difference.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::diff {

enum class Action { create, update, remove, same };
const char* to_string(Action action);

struct FieldChange {
  std::string path;    // "spec.resourceGroups[default/cpu].nominalQuota"
  std::string before;  // "" when absent
  std::string after;
  bool cosmetic = false;  // changes nothing Kueue acts upon (annotations, labels, descriptions, order of listing)
};

struct Change {
  kueue::ObjectKey key;
  Action action = Action::same;
  std::vector<FieldChange> fields;  // sorted by path; empty for same
  bool cosmetic() const;            // an update with cosmetic fields only
};

// Sorted by key; objects that are the same are left out unless `keep_same`.
struct ChangeSet {
  std::vector<Change> changes;
  std::size_t creates = 0, updates = 0, removes = 0, cosmetic = 0, same = 0;
  bool differs() const { return creates + updates + removes > 0; }  // cosmetic updates do not count
};
ChangeSet change_set(const std::vector<kueue::Object>& before, const std::vector<kueue::Object>& after,
                     bool keep_same = false);

// A unified diff of the canonical YAML of both sides, as `diff -u` prints it; "" when equal. `context` lines.
std::string unified(const std::string& name_before, const std::string& text_before, const std::string& name_after,
                    const std::string& text_after, int context = 3);

}  // namespace cmb2kueue::diff
