#include "fake_ownership.h"

namespace cmb2kueue::target {

using nlohmann::json;

namespace {

void collect(const json& value, const std::string& path, Leaves& into) {
  if (!value.is_object() || value.empty()) {
    into.insert(path);
    return;
  }
  for (const auto& [key, child] : value.items()) {
    json::json_pointer step;
    step /= key;
    collect(child, path + step.to_string(), into);
  }
}

void collect_fields(const json& fields, const json::json_pointer& path, Leaves& into) {
  if (fields.empty()) into.insert(path.to_string());
  for (const auto& [key, child] : fields.items())
    if (key.starts_with("f:")) collect_fields(child, path / key.substr(2), into);
}

json& entries_of(json& object) {
  json& entries = object["metadata"]["managedFields"];
  if (!entries.is_array()) entries = json::array();
  return entries;
}

bool is_entry(const json& entry, const std::string& manager, const std::string& operation) {
  return entry.value("manager", "") == manager && entry.value("operation", "") == operation &&
         entry.value("subresource", "").empty();
}

}  // namespace

Leaves leaves_of(const json& object) {
  Leaves leaves;
  for (const auto& [key, value] : object.items())
    if (key != "metadata" && key != "status" && key != "kind" && key != "apiVersion")
      collect(value, "/" + key, leaves);
  const json metadata = object.value("metadata", json::object());
  for (const char* map : {"labels", "annotations"})
    if (metadata.contains(map)) collect(metadata.at(map), std::string("/metadata/") + map, leaves);
  return leaves;
}

json fields_v1(const Leaves& leaves) {
  json fields = json::object();
  for (const std::string& leaf : leaves) {
    json* place = &fields;
    std::vector<std::string> steps;
    for (json::json_pointer pointer(leaf); !pointer.empty(); pointer.pop_back())
      steps.insert(steps.begin(), pointer.back());
    for (const std::string& step : steps) {
      place = &(*place)["f:" + step];
      if (place->is_null()) *place = json::object();
    }
  }
  return fields;
}

Leaves leaves_of_fields(const json& fields) {
  Leaves leaves;
  if (!fields.empty()) collect_fields(fields, json::json_pointer(), leaves);
  return leaves;
}

Leaves owned_by(const json& object, const std::string& manager, const std::string& operation) {
  Leaves leaves;
  for (const json& entry : object.at("metadata").value("managedFields", json::array()))
    if (is_entry(entry, manager, operation)) leaves = leaves_of_fields(entry.at("fieldsV1"));
  return leaves;  // of several the last counts, as in the real one
}

void set_owned(json& object, const std::string& manager, const std::string& operation, const Leaves& leaves) {
  json kept = json::array();
  for (const json& entry : entries_of(object))
    if (!is_entry(entry, manager, operation)) kept.push_back(entry);
  if (!leaves.empty())
    kept.push_back({{"manager", manager},
                    {"operation", operation},
                    {"apiVersion", object.value("apiVersion", "")},
                    {"time", "2026-01-02T03:04:05Z"},
                    {"fieldsType", "FieldsV1"},
                    {"fieldsV1", fields_v1(leaves)}});
  entries_of(object) = kept;
}

std::set<std::string> other_owners(const json& object, const std::string& leaf, const std::string& except) {
  std::set<std::string> owners;
  for (const json& entry : object.at("metadata").value("managedFields", json::array()))
    if (entry.value("manager", "") != except && entry.value("subresource", "").empty() &&
        leaves_of_fields(entry.at("fieldsV1")).contains(leaf))
      owners.insert(entry.value("manager", ""));
  return owners;
}

void disown(json& object, const std::string& leaf, const std::string& except) {
  const json before = entries_of(object);
  for (const json& entry : before) {
    if (entry.value("manager", "") == except || !entry.value("subresource", "").empty()) continue;
    Leaves leaves = leaves_of_fields(entry.at("fieldsV1"));
    if (leaves.erase(leaf) > 0) set_owned(object, entry.value("manager", ""), entry.value("operation", ""), leaves);
  }
}

}  // namespace cmb2kueue::target
