// Reading by path, canonical text, edited copies.
#include "json.h"

#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::target {

namespace {

base::Status no_json(const std::string& why) {
  return base::Status(base::ErrorKind::cluster, "the server's answer is no JSON: " + why,
                      "is this the address of a Kubernetes API server?");
}

}  // namespace

base::Result<Json> Json::parse(std::string text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  // Anything else would be read as YAML, and nearly every page of a proxy is some YAML.
  if (begin == std::string::npos || (text[begin] != '{' && text[begin] != '['))
    return no_json("it begins with " + base::quoted(text.substr(std::min(begin, text.size())), 40));
  return parse_lenient(std::move(text));
}

base::Result<Json> Json::parse_lenient(std::string text) {
  Json json;
  json.files_ = std::make_unique<base::SourceFiles>();
  const std::uint32_t file = json.files_->add("answer", std::move(text));
  base::Result<doc::Document> document = doc::parse_one(*json.files_, file);
  if (!document.ok()) return no_json(document.status().message());
  json.document_ = std::make_unique<doc::Document>(std::move(document).value());
  return json;
}

doc::Node at(doc::Node node, std::string_view path) {
  while (!path.empty() && node.exists()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    node = node.find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return node;
}

std::string text_at(doc::Node node, std::string_view path) {
  const doc::Node found = at(node, path);
  return found.is_scalar() ? std::string(found.text()) : std::string();
}

std::string quoted_json(std::string_view text) {
  std::string out;
  doc::JsonSink(out, 0).text(text);
  return out;
}

namespace {

// An empty selector of namespaces selects all of them, an absent one none (kueue.ClusterQueue, namespace_selector).
bool is_nothing(doc::Node node) {
  return node.kind() == doc::NodeKind::null ||
         (node.is_map() && node.size() == 0 && node.key() != "namespaceSelector");
}

void write_canonical(doc::Node node, doc::Sink& sink) {
  if (node.is_list()) {
    sink.open_list();
    for (const doc::Node item : doc::children(node)) write_canonical(item, sink);
    sink.close();
    return;
  }
  if (!node.is_map()) return doc::copy(node, sink);
  std::vector<doc::Node> values;
  for (const doc::Node value : doc::children(node))
    if (!is_nothing(value)) values.push_back(value);
  std::sort(values.begin(), values.end(), [](doc::Node a, doc::Node b) { return a.key() < b.key(); });
  sink.open_map();
  for (const doc::Node value : values) {
    sink.key(value.key());
    write_canonical(value, sink);
  }
  sink.close();
}

}  // namespace

std::string canonical(doc::Node node) {
  std::string out;
  doc::JsonSink sink(out, 0);
  write_canonical(node, sink);
  return out;
}

Edited& Edited::set(const std::string& path, std::string json) {
  changes_.push_back({path, std::move(json)});
  return *this;
}

const Edited::Change* Edited::change_at(const std::string& path) const {
  for (const Change& change : changes_)
    if (change.path == path) return &change;
  return nullptr;
}

bool Edited::touches(const std::string& path) const {
  return std::any_of(changes_.begin(), changes_.end(),
                     [&](const Change& change) { return change.path.starts_with(path + "."); });
}

namespace {

// A JSON text into a sink, through a tree: sinks take values, not text.
void write_text(const std::string& json, doc::Sink& sink) {
  const base::Result<Json> parsed = Json::parse("[" + json + "]");
  if (parsed.ok()) doc::copy(parsed->root().first_child(), sink);
}

}  // namespace

void Edited::write_map(doc::Node node, const std::string& prefix, doc::Sink& sink) const {
  sink.open_map();
  for (const doc::Node value : doc::children(node)) {
    const std::string path = prefix + std::string(value.key());
    const Change* change = change_at(path);
    if (change != nullptr && change->json.empty()) continue;
    sink.key(value.key());
    if (change != nullptr)
      write_text(change->json, sink);
    else if (value.is_map() && touches(path))
      write_map(value, path + ".", sink);
    else
      doc::copy(value, sink);
  }
  write_missing(node, prefix, sink);
  sink.close();
}

// Fields that are set and were not there below `prefix`, with the maps that lead to them.
void Edited::write_missing(doc::Node node, const std::string& prefix, doc::Sink& sink) const {
  std::set<std::string> made;
  for (const Change& change : changes_) {
    if (!change.path.starts_with(prefix) || change.json.empty()) continue;
    const std::string rest = change.path.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (at(node, name).exists() || !made.insert(name).second) continue;
    sink.key(name);
    if (name == rest) {
      write_text(change.json, sink);
      continue;
    }
    sink.open_map();
    write_missing(doc::Node(), prefix + name + ".", sink);
    sink.close();
  }
}

std::string Edited::text() const {
  std::string out;
  doc::JsonSink sink(out, 0);
  write_map(object_, "", sink);
  return out;
}

}  // namespace cmb2kueue::target
