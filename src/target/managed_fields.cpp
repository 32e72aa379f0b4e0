// Reading and rewriting metadata.managedFields.
#include "managed_fields.h"

#include <algorithm>
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

void write_entry(doc::Node entry, bool to_apply, doc::Sink& sink) {
  sink.open_map();
  for (const doc::Node field : doc::children(entry)) {
    sink.key(field.key());
    if (to_apply && field.key() == "operation")
      sink.text("Apply");
    else
      doc::copy(field, sink);
  }
  sink.close();
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

std::string as_applied(doc::Node object, const std::string& manager) {
  std::string out;
  doc::JsonSink sink(out, 0);
  bool any = false;
  sink.open_list();
  for (const doc::Node entry : doc::children(at(object, "metadata.managedFields"))) {
    const bool turn = text_at(entry, "manager") == manager && text_at(entry, "operation") == "Update" &&
                      text_at(entry, "subresource").empty();
    any |= turn;
    write_entry(entry, turn, sink);
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
