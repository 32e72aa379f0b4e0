// metadata.managedFields: who wrote which field last (Kubernetes v1.35, apimachinery/pkg/apis/meta/v1,
// ManagedFieldsEntry; structured-merge-diff's FieldsV1: "f:name", "k:{...}", "v:...").
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "json.h"

namespace cmb2kueue::target {

struct FieldsEntry {
  std::string manager, operation, subresource, time;  // operation: "Apply", "Update"
  std::vector<std::string> paths;  // leaves: "spec.resourceGroups"; list keys as [name=x]; sorted
};

// The entries of a live object, in its order.
std::vector<FieldsEntry> managed_fields(doc::Node object);

// The path of a conflict as the server names it, in the spelling used here: ".spec.checks[name=\"x\"].on" becomes
// "spec.checks[name=x].on".
std::string path_of_cause(std::string_view field);

// What is there, also below keys with dots in them and in lists with keys; a node that does not exist else.
doc::Node field_at(doc::Node object, std::string_view path);

// Managers other than `except` that own the field or something below it, outside status.
std::vector<std::string> owners_of(doc::Node object, const std::string& path, const std::string& except);

// The list as JSON with the operation of `manager`'s entry turned from Update to Apply, as if it had been applied
// from the start, and joined with what it applied before; finalizers are nobody's. "" when there is nothing to
// turn.
std::string as_applied(doc::Node object, const std::string& manager);

// The list as JSON without what these managers own outside the status; "" when there is nothing to leave out.
std::string without_owners(doc::Node object, const std::vector<std::string>& managers);

// The snapshot's entries, with the live object's own entries of the status: what managedFields has to be.
std::string ownership_to_restore(doc::Node snapshot, doc::Node live);

// Whether two such lists hold the same entries; the order is the server's own.
bool same_ownership(doc::Node one, doc::Node other);

}  // namespace cmb2kueue::target
