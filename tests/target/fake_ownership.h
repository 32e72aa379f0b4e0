// metadata.managedFields as the fake API server keeps it: leaves as JSON pointers, lists are one leaf.
#pragma once
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace cmb2kueue::target {

using Leaves = std::set<std::string>;  // "/spec/cohortName"

// Labels, annotations and everything outside metadata and status.
Leaves leaves_of(const nlohmann::json& object);
nlohmann::json fields_v1(const Leaves& leaves);
Leaves leaves_of_fields(const nlohmann::json& fields);

// What the entry of (manager, operation) owns; nothing where there is none.
Leaves owned_by(const nlohmann::json& object, const std::string& manager, const std::string& operation);
void set_owned(nlohmann::json& object, const std::string& manager, const std::string& operation,
               const Leaves& leaves);
// Managers other than `except` with an entry that holds the leaf.
std::set<std::string> other_owners(const nlohmann::json& object, const std::string& leaf,
                                   const std::string& except);
// Takes the leaf from everybody but `except`.
void disown(nlohmann::json& object, const std::string& leaf, const std::string& except);

}  // namespace cmb2kueue::target
