// Bundles of a cluster: reading them together, writing them one object at a time.
#include "kube_target.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/kueue/api.h"
#include "kube_cluster.h"

namespace cmb2kueue::target {

namespace {

WriterOptions writer_options(const OpenOptions& options) {
  WriterOptions made;
  made.take_over = options.take_over;
  made.stop = options.stop;
  return made;
}

bool labelled_ours(const kueue::Object& object) {
  const kueue::Pairs& labels = kueue::meta_of(object).labels;
  return std::find(labels.begin(), labels.end(),
                   kueue::Pairs::value_type(kueue::label_managed_by, kueue::managed_by)) != labels.end();
}

// The bundle an object of ours belongs to; "" for objects of others.
std::string bundle_of(const kueue::Object& object) {
  if (!labelled_ours(object)) return "";
  const kueue::ObjectKey key = kueue::key_of(object);
  const bool queue = key.kind == kueue::Kind::cluster_queue || key.kind == kueue::Kind::local_queue;
  return (queue ? "tenants/" : "shared/") + key.name;
}

const kueue::ObjectKey own_namespace{kueue::Kind::name_space, "", records_namespace};

// The snapshot of a bundle: a JSON list of its live objects, whole but for their status.
std::string bytes_of(const std::vector<LiveObject>& objects) {
  std::string out = "[";
  for (const LiveObject& live : objects)
    if (live.exists() && !is_foreign_namespace(live.root()))
      out += (out.size() > 1 ? "," : "") + Edited(live.root()).drop("status").text();
  return out + "]";
}

bool is_object(doc::Node node, const kueue::ObjectKey& key) {
  return text_at(node, "kind") == to_string(key.kind) && text_at(node, "metadata.name") == key.name &&
         text_at(node, "metadata.namespace") == key.name_space;
}

}  // namespace

KubeTarget::KubeTarget(std::unique_ptr<Transport> transport, std::unique_ptr<Credentials> credentials,
                       std::string where, const OpenOptions& options)
    : transport_(std::move(transport)),
      credentials_(std::move(credentials)),
      where_(std::move(where)),
      client_(*transport_, *credentials_, *options.clock, options.warn, {200, 8'000, options.patience_ms}),
      writer_(client_, *options.clock, writer_options(options)),
      records_(client_),
      cluster_(std::make_unique<KubeCluster>(client_, *options.clock, options)) {}

KubeTarget::~KubeTarget() = default;

base::Result<KubeTarget::Captured> KubeTarget::capture_objects(const BundleRef& bundle) {
  base::Result<std::vector<LiveObject>> objects = writer_.get(bundle.keys);
  if (!objects.ok()) return objects.status();
  Captured captured;
  captured.image.bundle = bundle.name;
  captured.image.keys = bundle.keys;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < bundle.keys.size(); ++i) {
    const LiveObject& live = objects.value()[i];
    if (live.exists() && is_foreign_namespace(live.root()))
      foreign_namespaces_.insert(bundle.keys[i].name);
    else if (live.exists())
      parts.push_back(version_part(bundle.keys[i], live.content()));
    else
      foreign_namespaces_.erase(bundle.keys[i].kind == kueue::Kind::name_space ? bundle.keys[i].name : "");
  }
  std::sort(parts.begin(), parts.end());
  captured.image.version = fmt::format("{}", fmt::join(parts, ";"));
  captured.image.existed = !parts.empty();
  if (captured.image.existed) captured.image.bytes = bytes_of(objects.value());
  captured.objects = std::move(objects).value();
  return captured;
}

base::Result<Image> KubeTarget::capture(const BundleRef& bundle) {
  base::Result<Captured> captured = capture_objects(bundle);
  if (!captured.ok()) return captured.status();
  return std::move(captured->image);
}

std::string KubeTarget::version_after(const Bundle& bundle) {
  std::vector<std::string> parts;
  for (const kueue::Object& object : bundle.objects) {
    const kueue::ObjectKey key = kueue::key_of(object);
    if (key.kind == kueue::Kind::name_space && foreign_namespaces_.contains(key.name)) continue;
    const base::Result<Json> json = Json::parse(to_json(object));
    parts.push_back(version_part(key, content_of(json->root())));
  }
  std::sort(parts.begin(), parts.end());
  return fmt::format("{}", fmt::join(parts, ";"));
}

base::Result<KubeTarget::Captured> KubeTarget::unchanged(const BundleRef& bundle, const std::string& expected,
                                                         bool goes) {
  base::Result<Captured> captured = capture_objects(bundle);
  if (!captured.ok() || captured->image.version == expected) return captured;
  if (goes && !captured->image.existed) return captured;  // its finalizers let it go meanwhile, as was wanted
  const char* what = !captured->image.existed ? "is gone"
                     : expected.empty()       ? "exists already"
                                              : "was changed by somebody else";
  return base::Status(base::ErrorKind::conflict,
                      fmt::format("{} in {} {}", base::quoted(bundle.name, 300), where_, what),
                      "cmb2kueue verify and status show what differs");
}

base::Result<std::string> KubeTarget::put(const Bundle& bundle, const std::string& expected) {
  BundleRef ref(bundle.name, keys_of(bundle.objects));
  for (const kueue::ObjectKey& key : bundle.held)
    if (std::find(ref.keys.begin(), ref.keys.end(), key) == ref.keys.end()) ref.keys.push_back(key);
  base::Result<Captured> now = unchanged(ref, expected, bundle.objects.empty());
  if (!now.ok()) return now.status();
  for (std::size_t i = 0; i < bundle.objects.size(); ++i) {
    const base::Status written = writer_.write(bundle.objects[i], std::move(now->objects[i]), bundle.reclaim);
    if (!written.ok()) return written;
  }
  for (std::size_t i = ref.keys.size(); i > bundle.objects.size(); --i) {
    const base::Status removed = writer_.remove(ref.keys[i - 1], std::move(now->objects[i - 1]));
    if (!removed.ok()) return removed;
  }
  const base::Result<Captured> after = capture_objects(ref);
  if (!after.ok()) return after.status();
  return after->image.version;
}

base::Status KubeTarget::restore(const Image& image, const std::string& expected) {
  base::Result<Captured> now = unchanged({image.bundle, image.keys}, expected, !image.existed);
  if (!now.ok()) return now.status();
  const base::Result<Json> snapshot = Json::parse(image.existed ? image.bytes : "[]");
  if (!snapshot.ok()) return snapshot.status();
  const auto kept = [&](const kueue::ObjectKey& key) {
    for (const doc::Node item : doc::children(snapshot->root()))
      if (is_object(item, key)) return item;
    return doc::Node();
  };
  for (std::size_t i = image.keys.size(); i > 0; --i) {  // what was not there goes first, the last made first
    if (kept(image.keys[i - 1]).exists()) continue;
    const base::Status removed = writer_.remove(image.keys[i - 1], std::move(now->objects[i - 1]));
    if (!removed.ok()) return removed;
  }
  for (std::size_t i = 0; i < image.keys.size(); ++i) {
    if (!kept(image.keys[i]).exists()) continue;
    const base::Status back = writer_.put_back(image.keys[i], kept(image.keys[i]), std::move(now->objects[i]));
    if (!back.ok()) return back;
  }
  return {};
}

base::Status KubeTarget::list_kind(const KindPath& kind, std::vector<Live>& found) {
  std::vector<Live> all;
  const std::string path = std::string(kind.prefix) + "/" + std::string(kind.plural);
  const base::Status listed = client_.list(
      path,
      [&](const Json& page) {
        base::Findings theirs;  // what a newer release writes into objects of others is no concern of a listing
        for (kueue::Decoded& decoded : kueue::decode(page.root(), theirs)) {
          Live live;
          live.bundle = bundle_of(decoded.object);
          live.where = where_;
          live.object = std::move(decoded.object);
          if (kueue::key_of(live.object) != own_namespace) all.push_back(std::move(live));
        }
        return base::Status();
      },
      [&] { all.clear(); });
  if (!listed.ok()) return listed;
  std::move(all.begin(), all.end(), std::back_inserter(found));
  return {};
}

base::Result<std::vector<Live>> KubeTarget::list(base::SourceFiles&, base::Findings&) {
  std::vector<Live> found;
  for (const KindPath& kind : kind_paths()) {
    const base::Status listed = list_kind(kind, found);
    if (!listed.ok()) return listed;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Live& a, const Live& b) { return kueue::key_of(a.object) < kueue::key_of(b.object); });
  return found;
}

base::Result<std::unique_ptr<Target>> open_kube(const Address& address, base::FileSystem& fs,
                                                const OpenOptions& options) {
  if (options.clock == nullptr)
    return base::Status(base::ErrorKind::internal, "a cluster was opened without a clock");
  KubeFlags flags = options.kube;
  if (!address.rest.empty()) flags.context = address.rest;
  const base::Result<Connection> connection = load_connection(flags, process_environment(), fs);
  if (!connection.ok()) return connection.status();
  return std::unique_ptr<Target>(std::make_unique<KubeTarget>(
      http_transport(connection.value(), options.user_agent),
      std::make_unique<Credentials>(connection.value(), fs, *options.clock, real_plugin_runner()), address.text,
      options));
}

}  // namespace cmb2kueue::target
