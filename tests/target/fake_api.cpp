#include "fake_api.h"

#include <algorithm>
#include <charconv>

#include "fake_ownership.h"

namespace cmb2kueue::target {

using nlohmann::json;
using Query = std::map<std::string, std::string>;

namespace {

std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    int value = 0;
    std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

Query query_of(const std::string& path) {
  Query query;
  std::size_t begin = std::min(path.find('?'), path.size());
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('&', begin + 1), path.size());
    const std::string pair = path.substr(begin + 1, end - begin - 1);
    const std::size_t equal = std::min(pair.find('='), pair.size());
    query[pair.substr(0, equal)] = decoded(pair.substr(std::min(equal + 1, pair.size())));
    begin = end;
  }
  return query;
}

HttpResponse nothing_there(const std::string& path) {
  return status_answer(404, "NotFound", path + " not found");
}

// "/api/v1/namespaces/a" of a collection in a namespace, "" of others.
std::string namespace_of(const std::string& collection) {
  const std::size_t begin = collection.find("/namespaces/");
  if (begin == std::string::npos) return "";
  const std::size_t name = begin + std::string("/namespaces/").size();
  return "/api/v1/namespaces/" + collection.substr(name, collection.find('/', name) - name);
}

HttpResponse conflict(const std::string& why) {
  return status_answer(409, "Conflict", why);
}

// What a write says it was made from, against what is there.
bool outdated(const json& there, const json& metadata) {
  return (metadata.contains("uid") && metadata.at("uid") != there.at("metadata").at("uid")) ||
         (metadata.contains("resourceVersion") &&
          metadata.at("resourceVersion") != there.at("metadata").at("resourceVersion"));
}

bool repoints(const json& there, const json& wanted) {
  const json::json_pointer queue("/spec/clusterQueue");
  return there.value("kind", "") == "LocalQueue" && there.contains(queue) && wanted.contains(queue) &&
         there.at(queue) != wanted.at(queue);
}

void erase(json& object, const std::string& leaf) {
  json::json_pointer pointer(leaf);
  const std::string last = pointer.back();
  pointer.pop_back();
  if (object.contains(pointer)) object[pointer].erase(last);
}

}  // namespace

HttpResponse json_answer(int status, const json& body) {
  HttpResponse answer;
  answer.status = status;
  answer.body = body.dump();
  return answer;
}

HttpResponse status_answer(int status, const std::string& reason, const std::string& message, const json& causes) {
  return json_answer(status, {{"kind", "Status"},
                              {"apiVersion", "v1"},
                              {"status", "Failure"},
                              {"reason", reason},
                              {"message", message},
                              {"details", {{"causes", causes}}},
                              {"code", status}});
}

HttpResponse FakeApi::handle(const HttpRequest& request) {
  const std::string path = request.path.substr(0, request.path.find('?'));
  const Query query = query_of(request.path);
  const std::string manager = query.contains("fieldManager") ? query.at("fieldManager") : "unnamed";
  const bool writes = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  const json body = writes ? json::parse(request.body, nullptr, false) : json();
  if (body.is_discarded()) return status_answer(400, "BadRequest", "the body is no JSON");
  if (request.method == "POST") return create(path, manager, body);
  if (request.method == "PUT") return replace(path, manager, body);
  if (request.method == "DELETE") return remove(path, request.body);
  if (request.method == "PATCH")
    return request.content_type == "application/apply-patch+yaml" ? apply(path, query, body) : patch(path, body);
  if (query.contains("limit")) return list(path, query);
  const auto found = objects.find(path);
  return found == objects.end() ? nothing_there(path) : json_answer(200, found->second);
}

json& FakeApi::plant(const std::string& path, json object, const std::string& manager) {
  object["metadata"]["uid"] = "uid-" + std::to_string(++uid_);
  object["metadata"]["resourceVersion"] = std::to_string(++version_);
  set_owned(object, manager, "Update", leaves_of(object));
  return objects[path] = std::move(object);
}

void FakeApi::touch(const std::string& path) {
  objects.at(path)["metadata"]["resourceVersion"] = std::to_string(++version_);
}

HttpResponse FakeApi::store(const std::string& path, json object) {
  objects[path] = std::move(object);
  touch(path);
  return json_answer(200, objects[path]);
}

HttpResponse FakeApi::list(const std::string& path, const Query& query) {
  const std::string selector = query.contains("labelSelector") ? query.at("labelSelector") : "";
  const std::string key = selector.substr(0, selector.find('='));
  json items = json::array();
  for (const auto& [name, object] : objects) {
    if (!name.starts_with(path + "/") || name.find('/', path.size() + 1) != std::string::npos) continue;
    const json labels = object.at("metadata").value("labels", json::object());
    if (selector.empty() || key + "=" + labels.value(key, "") == selector) items.push_back(object);
  }
  const std::size_t begin = query.contains("continue") ? std::stoul(query.at("continue").substr(1)) : 0;
  const std::size_t end = std::min({begin + std::stoul(query.at("limit")), begin + page_size, items.size()});
  json answer = {{"kind", "List"}, {"metadata", json::object()}, {"items", json::array()}};
  for (std::size_t i = begin; i < end; ++i) answer["items"].push_back(items[i]);
  // A token that does not survive unless it is escaped.
  if (end < items.size()) answer["metadata"]["continue"] = "&" + std::to_string(end);
  return json_answer(200, answer);
}

HttpResponse FakeApi::create(const std::string& collection, const std::string& manager, json object) {
  const std::string home = namespace_of(collection);
  if (!home.empty() && !objects.contains(home)) return nothing_there(home);
  const std::string path = collection + "/" + object.at("metadata").at("name").get<std::string>();
  if (objects.contains(path)) return status_answer(409, "AlreadyExists", path + " already exists");
  return json_answer(201, plant(path, std::move(object), manager));
}

HttpResponse FakeApi::replace(const std::string& path, const std::string& manager, json object) {
  const auto found = objects.find(path);
  if (found == objects.end()) return nothing_there(path);
  const json& there = found->second;
  if (outdated(there, object.at("metadata"))) return conflict("the object has been modified");
  if (repoints(there, object)) return status_answer(422, "Invalid", "field is immutable");
  for (const char* field : {"uid", "deletionTimestamp"})
    if (there.at("metadata").contains(field)) object["metadata"][field] = there.at("metadata").at(field);
  if (there.contains("status")) object["status"] = there.at("status");
  if (!object["metadata"].contains("managedFields")) {
    object["metadata"]["managedFields"] = there.at("metadata").value("managedFields", json::array());
    Leaves mine = owned_by(object, manager, "Update");
    for (const std::string& leaf : leaves_of(object)) {
      const json::json_pointer pointer(leaf);
      if (there.contains(pointer) && there.at(pointer) == object.at(pointer)) continue;
      disown(object, leaf, "");
      mine.insert(leaf);
    }
    for (const std::string& leaf : leaves_of(there))
      if (!object.contains(json::json_pointer(leaf))) disown(object, leaf, "");
    set_owned(object, manager, "Update", mine);
  }
  return store(path, std::move(object));
}

HttpResponse FakeApi::apply(const std::string& path, const Query& query, const json& wanted) {
  const auto found = objects.find(path);
  if (found == objects.end()) return nothing_there(path);
  json object = found->second;
  const std::string& manager = query.at("fieldManager");
  if (outdated(object, wanted.at("metadata"))) return conflict("the object has been modified");
  if (repoints(object, wanted)) return status_answer(422, "Invalid", "field is immutable");
  const Leaves leaves = leaves_of(wanted);
  json causes = json::array();
  for (const std::string& leaf : leaves) {
    const json::json_pointer pointer(leaf);
    if (object.contains(pointer) && object.at(pointer) == wanted.at(pointer)) continue;
    std::string field;
    for (json::json_pointer step = pointer; !step.empty(); step.pop_back()) field = "." + step.back() + field;
    for (const std::string& owner : other_owners(object, leaf, manager))
      causes.push_back({{"reason", "FieldManagerConflict"},
                        {"field", field},
                        {"message", "conflict with \"" + owner + "\" using v1"}});
    if (query.contains("force")) disown(object, leaf, manager);
  }
  if (!causes.empty() && !query.contains("force"))
    return status_answer(409, "Conflict", "Apply failed with conflicts", causes);
  for (const std::string& leaf : owned_by(object, manager, "Apply"))
    if (!leaves.contains(leaf) && other_owners(object, leaf, manager).empty()) erase(object, leaf);
  for (const std::string& leaf : leaves) object[json::json_pointer(leaf)] = wanted.at(json::json_pointer(leaf));
  set_owned(object, manager, "Apply", leaves);
  return query.contains("dryRun") ? json_answer(200, object) : store(path, std::move(object));
}

HttpResponse FakeApi::patch(const std::string& path, const json& operations) {
  const auto found = objects.find(path);
  if (found == objects.end()) return nothing_there(path);
  json object = found->second.patch(operations);
  if (outdated(found->second, object.at("metadata"))) return conflict("the object has been modified");
  return store(path, std::move(object));
}

HttpResponse FakeApi::remove(const std::string& path, const std::string& body) {
  const auto found = objects.find(path);
  if (found == objects.end()) return nothing_there(path);
  const json options = body.empty() ? json::object() : json::parse(body);
  if (outdated(found->second, options.value("preconditions", json::object())))
    return conflict("the preconditions do not hold");
  if (!found->second["metadata"].value("finalizers", json::array()).empty()) {
    found->second["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z";
    touch(path);
    return json_answer(200, found->second);
  }
  objects.erase(found);
  return status_answer(200, "", "");
}

}  // namespace cmb2kueue::target
