// Reading and rewriting metadata.managedFields.
#include "managed_fields.h"

#include <algorithm>
#include <map>
#include <set>

namespace cmb2kueue::target {

namespace {

// "f:spec" -> "spec", "k:{"name":"x"}" -> "[name=x]", "v:"x"" -> "[x]".
std::string step_of(std::string_view key) {
  if (key.starts_with("f:")) return std::string(key.substr(2));
  const base::Result<Json> parsed =
      Json::parse("[" + std::string(key.substr(std::min<std::size_t>(2, key.size()))) + "]");
  if (!parsed.ok()) return std::string(key);
  const doc::Node item = parsed->root().first_child();
  if (!item.is_map()) return "[" + std::string(item.text()) + "]";
  std::string out;
  for (const doc::Node part : doc::children(item))
    out += (out.empty() ? "" : ",") + std::string(part.key()) + "=" + std::string(part.text());
  return "[" + out + "]";
}

void collect(doc::Node fields, const std::string& path, std::vector<std::string>& leaves) {
  bool any = false;
  for (const doc::Node child : doc::children(fields)) {
    if (child.key() == ".") continue;
    any = true;
    const std::string step = step_of(child.key());
    collect(child, path.empty() || step.starts_with("[") ? path + step : path + "." + step, leaves);
  }
  if (!any && !path.empty()) leaves.push_back(path);
}

bool below(const std::string& leaf, const std::string& path) {
  return leaf == path || (leaf.starts_with(path) && (leaf[path.size()] == '.' || leaf[path.size()] == '[')) ||
         (path.starts_with(leaf) && (path[leaf.size()] == '.' || path[leaf.size()] == '['));
}

// A FieldsV1 as a tree, so that two can become one.
struct Fields {
  std::string key;
  std::vector<Fields> below;
};

void add(doc::Node from, Fields& to) {
  for (const doc::Node child : doc::children(from)) {
    std::vector<Fields>::iterator found = std::find_if(
        to.below.begin(), to.below.end(), [&](const Fields& field) { return field.key == child.key(); });
    if (found == to.below.end()) found = to.below.insert(found, Fields{std::string(child.key()), {}});
    add(child, *found);
  }
}

// A webhook put finalizers there during our own request. Applied without them they would be taken away.
void drop_finalizers(Fields& fields) {
  for (Fields& field : fields.below)
    if (field.key == "f:metadata")
      std::erase_if(field.below, [](const Fields& one) { return one.key == "f:finalizers"; });
  std::erase_if(fields.below, [](const Fields& field) {
    return field.key == "f:metadata" &&
           std::all_of(field.below.begin(), field.below.end(), [](const Fields& one) { return one.key == "."; });
  });
}

void write_fields(const Fields& fields, doc::Sink& sink) {
  sink.open_map();
  for (const Fields& field : fields.below) {
    sink.key(field.key);
    write_fields(field, sink);
  }
  sink.close();
}

void write_applied(doc::Node entry, const Fields& fields, doc::Sink& sink) {
  sink.open_map();
  for (const doc::Node field : doc::children(entry)) {
    sink.key(field.key());
    if (field.key() == "operation")
      sink.text("Apply");
    else if (field.key() == "fieldsV1")
      write_fields(fields, sink);
    else
      doc::copy(field, sink);
  }
  sink.close();
}

bool is_entry(doc::Node entry, const std::string& manager, const char* operation) {
  return text_at(entry, "manager") == manager && text_at(entry, "operation") == operation &&
         text_at(entry, "subresource").empty();
}

}  // namespace

std::vector<FieldsEntry> managed_fields(doc::Node object) {
  std::vector<FieldsEntry> entries;
  for (const doc::Node one : doc::children(at(object, "metadata.managedFields"))) {
    FieldsEntry entry{
        text_at(one, "manager"), text_at(one, "operation"), text_at(one, "subresource"), text_at(one, "time"), {}};
    collect(one.find("fieldsV1"), "", entry.paths);
    std::sort(entry.paths.begin(), entry.paths.end());
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string path_of_cause(std::string_view field) {
  std::string path;
  for (const char c : field)
    if (c != '"' && !(c == '=' && path.ends_with("["))) path += c;
  return path.starts_with(".") ? path.substr(1) : path;
}

namespace {

bool has_keys(doc::Node item, std::string_view keys) {
  while (!keys.empty()) {
    const std::string_view pair = keys.substr(0, keys.find(','));
    const std::size_t equal = std::min(pair.find('='), pair.size());
    if (text_at(item, pair.substr(0, equal)) != pair.substr(std::min(equal + 1, pair.size()))) return false;
    keys.remove_prefix(std::min(pair.size() + 1, keys.size()));
  }
  return true;
}

// The child that the path begins with, and how much of the path it takes; of several the longest name.
std::pair<doc::Node, std::size_t> first_step(doc::Node node, std::string_view path) {
  std::pair<doc::Node, std::size_t> best{doc::Node(), 0};
  const std::size_t close = path.find(']');
  for (const doc::Node child : doc::children(node)) {
    if (node.is_list()) {
      if (path.starts_with("[") && close != std::string_view::npos && has_keys(child, path.substr(1, close - 1)))
        return {child, close + 1};
      continue;
    }
    const std::size_t size = child.key().size();
    const bool fits =
        path.starts_with(child.key()) && (path.size() == size || path[size] == '.' || path[size] == '[');
    if (fits && size > best.second) best = {child, size};
  }
  return best;
}

}  // namespace

doc::Node field_at(doc::Node object, std::string_view path) {
  while (!path.empty() && object.exists()) {
    const std::pair<doc::Node, std::size_t> step = first_step(object, path);
    object = step.first;
    path.remove_prefix(step.second);
    if (path.starts_with(".")) path.remove_prefix(1);
  }
  return object;
}

std::vector<std::string> owners_of(doc::Node object, const std::string& path, const std::string& except) {
  std::set<std::string> owners;
  for (const FieldsEntry& entry : managed_fields(object)) {
    if (entry.manager == except || !entry.subresource.empty()) continue;
    if (std::any_of(entry.paths.begin(), entry.paths.end(),
                    [&](const std::string& leaf) { return below(leaf, path); }))
      owners.insert(entry.manager);
  }
  return {owners.begin(), owners.end()};
}

// What was applied before joins what is turned: of two applied entries of one manager the server keeps only the
// last (apimachinery v0.35, pkg/util/managedfields/internal/managedfields.go).
std::string as_applied(doc::Node object, const std::string& manager) {
  const doc::Node entries = at(object, "metadata.managedFields");
  std::map<std::string, Fields> turned;  // by API version
  for (const doc::Node entry : doc::children(entries)) {
    if (!is_entry(entry, manager, "Update")) continue;
    Fields fields;
    add(entry.find("fieldsV1"), fields);
    drop_finalizers(fields);
    if (!fields.below.empty()) turned.emplace(text_at(entry, "apiVersion"), std::move(fields));
  }
  if (turned.empty()) return "";
  for (const doc::Node entry : doc::children(entries)) {
    const auto joined = turned.find(text_at(entry, "apiVersion"));
    if (joined != turned.end() && is_entry(entry, manager, "Apply")) add(entry.find("fieldsV1"), joined->second);
  }
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_list();
  for (const doc::Node entry : doc::children(entries)) {
    const auto joined = turned.find(text_at(entry, "apiVersion"));
    if (joined != turned.end() && is_entry(entry, manager, "Update"))
      write_applied(entry, joined->second, sink);
    else if (joined == turned.end() || !is_entry(entry, manager, "Apply"))
      doc::copy(entry, sink);
  }
  sink.close();
  return out;
}

namespace {

// As they stand: the leaves of fieldsV1 are empty maps, which canonical text leaves out.
std::vector<std::string> entry_texts(doc::Node list) {
  std::vector<std::string> texts;
  for (const doc::Node entry : doc::children(list)) {
    std::string text;
    doc::JsonSink sink(text, 0);
    doc::copy(entry, sink);
    texts.push_back(std::move(text));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

bool same_ownership(doc::Node one, doc::Node other) {
  return entry_texts(one) == entry_texts(other);
}

std::string without_owners(doc::Node object, const std::vector<std::string>& managers) {
  std::string out;
  doc::JsonSink sink(out, 0);
  bool any = false;
  sink.open_list();
  for (const doc::Node entry : doc::children(at(object, "metadata.managedFields"))) {
    const bool named = std::find(managers.begin(), managers.end(), text_at(entry, "manager")) != managers.end();
    if (named && text_at(entry, "subresource").empty())
      any = true;
    else
      doc::copy(entry, sink);
  }
  sink.close();
  return any ? out : std::string();
}

std::string ownership_to_restore(doc::Node snapshot, doc::Node live) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_list();
  for (const doc::Node entry : doc::children(at(snapshot, "metadata.managedFields")))
    if (text_at(entry, "subresource").empty()) doc::copy(entry, sink);
  for (const doc::Node entry : doc::children(at(live, "metadata.managedFields")))
    if (!text_at(entry, "subresource").empty()) doc::copy(entry, sink);
  sink.close();
  return out;
}

}  // namespace cmb2kueue::target
