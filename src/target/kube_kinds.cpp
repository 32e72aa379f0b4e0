// Paths and content.
#include "kube_kinds.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::target {

namespace {

constexpr std::string_view kueue_version = "kueue.x-k8s.io/v1beta2";
constexpr std::string_view kueue_prefix = "/apis/kueue.x-k8s.io/v1beta2";
constexpr std::string_view kueue_group = "kueue.x-k8s.io";
constexpr std::string_view last_applied = "kubectl.kubernetes.io/last-applied-configuration";

}  // namespace

const std::vector<KindPath>& kind_paths() {
  using kueue::Kind;
  static const std::vector<KindPath> table = {
      {Kind::name_space, "v1", "/api/v1", "namespaces", "", false},
      {Kind::resource_flavor, kueue_version, kueue_prefix, "resourceflavors", kueue_group, false},
      {Kind::priority_class, kueue_version, kueue_prefix, "workloadpriorityclasses", kueue_group, false},
      {Kind::cohort, kueue_version, kueue_prefix, "cohorts", kueue_group, false},
      {Kind::cluster_queue, kueue_version, kueue_prefix, "clusterqueues", kueue_group, false},
      {Kind::local_queue, kueue_version, kueue_prefix, "localqueues", kueue_group, true},
  };
  return table;
}

const KindPath& path_of_kind(kueue::Kind kind) {
  const std::vector<KindPath>& all = kind_paths();
  const auto found = std::find_if(all.begin(), all.end(), [&](const KindPath& row) { return row.kind == kind; });
  return found == all.end() ? all.front() : *found;  // other kinds are never written
}

std::string collection_path(const kueue::ObjectKey& key) {
  const KindPath& row = path_of_kind(key.kind);
  std::string path(row.prefix);
  if (row.namespaced) path += "/namespaces/" + key.name_space;
  return path + "/" + std::string(row.plural);
}

std::string object_path(const kueue::ObjectKey& key) {
  return collection_path(key) + "/" + key.name;
}

std::string to_json(const kueue::Object& object) {
  std::string out;
  doc::JsonSink sink(out, 0);
  kueue::encode(object, sink);
  return out;
}

namespace {

bool is_namespace(doc::Node object) {
  return text_at(object, "kind") == "Namespace";
}

bool is_ours(std::string_view key) {
  return key.starts_with(kueue::annotation_prefix) || key == kueue::label_managed_by;
}

// Labels or annotations as sorted pairs; `only_ours` leaves out what others decorate with.
void write_pairs(doc::Node pairs, const char* name, bool only_ours, std::string& out) {
  std::vector<std::pair<std::string_view, std::string_view>> kept;
  for (const doc::Node pair : doc::children(pairs))
    if (pair.key() != last_applied && (!only_ours || is_ours(pair.key())))
      kept.emplace_back(pair.key(), pair.text());
  if (kept.empty()) return;
  std::sort(kept.begin(), kept.end());
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.key(name);
  sink.open_map();
  for (const auto& [key, value] : kept) sink.text_entry(key, value);
  sink.close();
  sink.close();
}

}  // namespace

std::string content_of(doc::Node object) {
  const bool name_space = is_namespace(object);
  std::string out;
  write_pairs(at(object, "metadata.annotations"), "annotations", name_space, out);
  write_pairs(at(object, "metadata.labels"), "labels", name_space, out);
  if (name_space) return out;
  std::vector<doc::Node> fields;
  for (const doc::Node field : doc::children(object))
    if (field.key() != "apiVersion" && field.key() != "kind" && field.key() != "metadata" &&
        field.key() != "status")
      fields.push_back(field);
  std::sort(fields.begin(), fields.end(), [](doc::Node a, doc::Node b) { return a.key() < b.key(); });
  for (const doc::Node field : fields) out += std::string(field.key()) + canonical(field);
  return out;
}

bool is_foreign_namespace(doc::Node object) {
  if (!is_namespace(object)) return false;
  const doc::Node labels = at(object, "metadata.labels");
  const doc::Node manager = labels.exists() ? labels.find(kueue::label_managed_by) : doc::Node();
  return !manager.exists() || manager.text() != kueue::managed_by;
}

std::string version_part(const kueue::ObjectKey& key, const std::string& content) {
  return to_string(key) + "=" + base::sha256_hex(content).substr(0, 24);
}

}  // namespace cmb2kueue::target
