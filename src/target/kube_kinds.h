// Where each kind of object lives in the API, and which part of what the server returns is ours to compare.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/kueue/objects.h"
#include "json.h"

namespace cmb2kueue::target {

struct KindPath {
  kueue::Kind kind;
  std::string_view api_version, prefix, plural;  // "kueue.x-k8s.io/v1beta2", "/apis/kueue.x-k8s.io/v1beta2"
  std::string_view group;                        // "kueue.x-k8s.io", "" for core
  bool namespaced = false;
};
const std::vector<KindPath>& kind_paths();  // in order of creation
const KindPath& path_of_kind(kueue::Kind kind);

// "/apis/kueue.x-k8s.io/v1beta2/clusterqueues", of the namespace for namespaced kinds.
std::string collection_path(const kueue::ObjectKey& key);
std::string object_path(const kueue::ObjectKey& key);

// The object as JSON, as it is written.
std::string to_json(const kueue::Object& object);

// What of a live object counts as its content: everything but status and what the server keeps books with. Of a
// Namespace, which others decorate, only labels and annotations of ours. Canonical, so equal content is equal text.
std::string content_of(doc::Node object);

// A Namespace that somebody else made: it is used, and neither written nor removed.
bool is_foreign_namespace(doc::Node object);

// "ClusterQueue/x=1f2e..." of one object; bundles join theirs with ';', sorted.
std::string version_part(const kueue::ObjectKey& key, const std::string& content);

}  // namespace cmb2kueue::target
