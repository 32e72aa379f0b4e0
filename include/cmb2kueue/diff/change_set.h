// The difference between two sets of objects by value: spelling, order without meaning, defaults and server-owned
// fields are never a difference.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::diff {

enum class Action { create, update, remove, same };
const char* to_string(Action action);

// Values are printed canonically (1e3, 1k and 1000 are all "1k"), defaults as if they were written, an empty text
// as two quotation marks. Entries of lists are keyed by name: quota rows by flavor and resource, taints and
// tolerations by key and effect. "spec.resourceGroups" itself says which flavors are tried in which order for which
// resources.
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

// Sorted by key; objects that are the same are left out unless `keep_same`. Of objects given twice on one side the
// last counts. n log n in objects, linear in their fields.
struct ChangeSet {
  std::vector<Change> changes;
  std::size_t creates = 0, updates = 0, removes = 0, cosmetic = 0, same = 0;
  bool differs() const { return creates + updates + removes > 0; }  // cosmetic updates do not count
};
ChangeSet change_set(const std::vector<kueue::Object>& before, const std::vector<kueue::Object>& after,
                     bool keep_same = false);

// A unified diff of two texts, of canonical YAML as a rule, as `diff -u` prints it with these names and lines of
// context; "" when equal. It always applies and is as short as can be up to 1,500 changed lines, past which what
// stands between the common ends is replaced whole.
std::string unified(const std::string& name_before, const std::string& text_before, const std::string& name_after,
                    const std::string& text_after, int context = 3);

}  // namespace cmb2kueue::diff
