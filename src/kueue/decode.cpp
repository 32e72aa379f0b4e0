// Which document is what: dispatch by group, version and kind, lists unfolded, metadata, and the small kinds.
#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/kueue/api.h"
#include "decode_parts.h"
#include "schema_rules.h"

namespace cmb2kueue::kueue {

namespace {

constexpr std::string_view group_prefix = "kueue.x-k8s.io/";

using ReadKind = Object (*)(MapReader& document);
struct KindRow {
  std::string_view api_group;  // with the slash; "" for core kinds
  std::string_view kind;
  ReadKind read;
};

const std::vector<KindRow>& kinds() {
  static const std::vector<KindRow> table = {
      {group_prefix, "ClusterQueue", read_cluster_queue},
      {group_prefix, "Cohort", read_cohort},
      {group_prefix, "LocalQueue", read_local_queue},
      {group_prefix, "ResourceFlavor", read_resource_flavor},
      {group_prefix, "WorkloadPriorityClass", read_priority_class},
      {"", "Namespace", read_namespace},
  };
  return table;
}

std::string scalar_at(doc::Node map, std::string_view key) {
  const doc::Node node = map.find(key);
  return node.is_scalar() ? std::string(node.text()) : std::string();
}

const KindRow* find_kind(const std::string& api_version, const std::string& kind) {
  for (const KindRow& row : kinds())
    if (row.kind == kind && (row.api_group.empty() ? api_version == "v1" : api_version.starts_with(row.api_group)))
      return &row;
  return nullptr;
}

bool known_version(const std::string& api_version) {
  const std::vector<Version>& all = versions();
  return std::any_of(all.begin(), all.end(), [&](const Version& version) { return version.name == api_version; });
}

void report_version(doc::ReadContext& context, const std::string& kind, base::Place place) {
  const std::string version = context.format.substr(group_prefix.size());
  std::string advice = "write kueue.x-k8s.io/v1beta2";
  if (version == "v1alpha1" && kind == "Cohort")
    advice += " and rename spec.parent to spec.parentName; there is no conversion, the object must be recreated";
  if (kind == "Queue") advice += " and kind LocalQueue";
  context.report("VERSION", "Kueue serves no " + kind + " of version " + version, advice, "apiVersion", place);
}

bool served(const std::string& api_version, const std::string& kind) {
  return known_version(api_version) && kind != "Queue";
}

Decoded other(doc::Node document, doc::ReadContext& context, const std::string& kind) {
  Other object;
  object.api_version = context.format;
  object.kind = kind;
  const doc::Node meta = document.find("metadata");
  if (meta.is_map()) {
    object.meta.name = scalar_at(meta, "name");
    object.meta.name_space = scalar_at(meta, "namespace");
  }
  context.report("NOT-JUDGED", "this tool has no rules for " + kind + " of " + context.format,
                 "nothing is said about it", "kind", document.place());
  return {object, document.place(), context.format, false, document};
}

// What an item of a list is when it does not say so itself: lists of built-in kinds come like that from the API.
struct Head {
  std::string api_version, kind;
};

Head head_of(doc::Node document, const Head& fallback) {
  Head head{scalar_at(document, "apiVersion"), scalar_at(document, "kind")};
  if (head.api_version.empty()) head.api_version = fallback.api_version;
  if (head.kind.empty()) head.kind = fallback.kind;
  return head;
}

Head head_of_items(const Head& list) {
  if (list.kind == "List") return {};
  return {list.api_version, list.kind.substr(0, list.kind.size() - std::string_view("List").size())};
}

void decode_into(doc::Node document, const Head& fallback, base::Findings& findings, std::vector<Decoded>& out) {
  const Head head = head_of(document, fallback);
  const std::string& kind = head.kind;
  doc::ReadContext context{findings,
                           "KS-",
                           severity_of_schema_rule,
                           "",
                           head.api_version,
                           "the API would drop it silently, or refuse it under strict validation"};
  if (!document.is_map() || context.format.empty() || kind.empty()) {
    context.report("KIND", "this is not a Kubernetes object: it has no apiVersion or no kind", "add both", "",
                   document.place());
    return;
  }
  const doc::Node items = document.find("items");
  if (kind.ends_with("List") && items.is_list()) {
    for (const doc::Node item : doc::children(items)) decode_into(item, head_of_items(head), findings, out);
    return;
  }
  const doc::Node meta = document.find("metadata");
  context.subject = kind + "/" + (meta.is_map() ? scalar_at(meta, "name") : std::string());
  if (context.format.starts_with(group_prefix) && !served(context.format, kind)) {
    report_version(context, kind, document.place());
    return;
  }
  const KindRow* row = find_kind(context.format, kind);
  if (row == nullptr) {
    out.push_back(other(document, context, kind));
    return;
  }
  if (context.format == old_version)
    context.report("OLD-VERSION", "v1beta1 is deprecated; it is read and converted", "write kueue.x-k8s.io/v1beta2",
                   "apiVersion", document.place());
  MapReader reader(document, "", context);
  for (const char* key : {"apiVersion", "kind", "status"}) reader.ignore(key);
  Object object = row->read(reader);
  reader.finish();
  out.push_back({std::move(object), document.place(), context.format, true, document});
}

}  // namespace

std::vector<Decoded> decode(doc::Node document, base::Findings& findings) {
  std::vector<Decoded> decoded;
  decode_into(document, {}, findings, decoded);
  return decoded;
}

Meta read_meta(MapReader& document, bool namespaced) {
  Meta meta;
  MapReader map = document.map("metadata");
  meta.name = map.text("name");
  if (meta.name.empty())
    map.report("KIND", "the object has no name",
               map.has("generateName") ? "a name made by the server can be neither compared nor referred to"
                                       : "add metadata.name",
               "name");
  meta.labels = map.pairs("labels");
  meta.annotations = map.pairs("annotations");
  std::erase_if(meta.annotations, [](const std::pair<std::string, std::string>& entry) {
    return entry.first == "kubectl.kubernetes.io/last-applied-configuration";
  });
  const std::string name_space = map.text("namespace");
  if (namespaced)
    meta.name_space = name_space;
  else if (!name_space.empty())
    map.report("NO-NAMESPACE", "objects of this kind belong to no namespace", "leave it out; the server drops it",
               "namespace");
  // The rest belongs to the server.
  for (const char* key :
       {"generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink",
        "deletionTimestamp", "deletionGracePeriodSeconds", "finalizers", "ownerReferences", "managedFields"})
    map.ignore(key);
  map.finish();
  return meta;
}

Object read_resource_flavor(MapReader& document) {
  ResourceFlavor flavor;
  flavor.meta = read_meta(document, false);
  MapReader spec = document.map("spec");
  flavor.node_labels = spec.pairs("nodeLabels");
  spec.items("nodeTaints", 0, any_number, false, [&](MapReader& item) {
    Taint taint;
    taint.key = item.text("key", true);
    taint.value = item.text("value");
    taint.effect = item.text("effect", true);
    if (item.take("timeAdded").exists())
      item.report("NOT-CARRIED", "timeAdded is not carried over", "Kueue does not use it", "timeAdded");
    flavor.taints.push_back(std::move(taint));
  });
  spec.items("tolerations", 0, any_number, false, [&](MapReader& item) {
    Toleration toleration;
    toleration.key = item.text("key");
    toleration.op = item.text("operator");
    toleration.value = item.text("value");
    toleration.effect = item.text("effect");
    toleration.seconds = item.integer("tolerationSeconds", INT64_MIN, INT64_MAX);
    flavor.tolerations.push_back(std::move(toleration));
  });
  flavor.topology = spec.reference("topologyName");
  spec.finish();
  return flavor;
}

Object read_priority_class(MapReader& document) {
  WorkloadPriorityClass priority;
  priority.meta = read_meta(document, false);
  priority.value = document.integer("value", INT32_MIN, INT32_MAX, true).value_or(0);
  priority.description = document.text("description");
  if (document.context().format != old_version && priority.description.size() > 2048)
    document.report("COUNT", "the description is longer than 2048 characters", "shorten it", "description");
  return priority;
}

Object read_namespace(MapReader& document) {
  Namespace object;
  object.meta = read_meta(document, false);
  std::erase_if(object.meta.labels, [](const std::pair<std::string, std::string>& label) {
    return label.first == "kubernetes.io/metadata.name";  // written by the server
  });
  document.ignore("spec");
  return object;
}

}  // namespace cmb2kueue::kueue
