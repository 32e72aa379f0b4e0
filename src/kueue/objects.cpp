// Keys and small questions about objects.
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::kueue {

namespace {

struct KindOf {
  Kind operator()(const Namespace&) const { return Kind::name_space; }
  Kind operator()(const ResourceFlavor&) const { return Kind::resource_flavor; }
  Kind operator()(const WorkloadPriorityClass&) const { return Kind::priority_class; }
  Kind operator()(const Cohort&) const { return Kind::cohort; }
  Kind operator()(const ClusterQueue&) const { return Kind::cluster_queue; }
  Kind operator()(const LocalQueue&) const { return Kind::local_queue; }
  Kind operator()(const Other&) const { return Kind::other; }
};

// "Topology.kueue.x-k8s.io"; the version is left out, since one object has several. "Pod" for the core group.
std::string kind_and_group(const Other& other) {
  const std::size_t slash = other.api_version.find('/');
  return slash == std::string::npos ? other.kind : other.kind + "." + other.api_version.substr(0, slash);
}

}  // namespace

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::name_space:
      return "Namespace";
    case Kind::resource_flavor:
      return "ResourceFlavor";
    case Kind::priority_class:
      return "WorkloadPriorityClass";
    case Kind::cohort:
      return "Cohort";
    case Kind::cluster_queue:
      return "ClusterQueue";
    case Kind::local_queue:
      return "LocalQueue";
    case Kind::other:
      return "object";
  }
  return "object";
}

std::string to_string(const ObjectKey& key) {
  // The name of an Other begins with its kind and group, which take the place of the kind.
  const std::size_t split = key.kind == Kind::other ? key.name.find('/') + 1 : 0;
  std::string text = split > 0 ? key.name.substr(0, split) : std::string(to_string(key.kind)) + "/";
  if (!key.name_space.empty()) text += key.name_space + "/";
  return text + key.name.substr(split);
}

Kind kind_of(const Object& object) {
  return std::visit(KindOf{}, object);
}

ObjectKey key_of(const Object& object) {
  const Meta& meta = meta_of(object);
  ObjectKey key{kind_of(object), meta.name_space, meta.name};
  if (const Other* other = std::get_if<Other>(&object)) key.name = kind_and_group(*other) + "/" + meta.name;
  return key;
}

const Meta& meta_of(const Object& object) {
  return std::visit([](const auto& one) -> const Meta& { return one.meta; }, object);
}

Meta& meta_of(Object& object) {
  return std::visit([](auto& one) -> Meta& { return one.meta; }, object);
}

}  // namespace cmb2kueue::kueue
