// ConfigMaps and Leases as files.
#include "kube_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::target {

namespace {

constexpr const char* annotation_name = "cmb2kueue.io/record";
constexpr const char* annotation_parts = "cmb2kueue.io/parts";
constexpr const char* annotation_lock = "cmb2kueue.io/lock";
constexpr const char* label_folder = "cmb2kueue.io/records";
constexpr const char* metadata_only =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
constexpr const char* metadata_list =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

bool is_lock(const std::string& path) {
  return path == "lock" || path.starts_with("lock-");
}

// The object's name: the path with dots for slashes; what cannot be in a name becomes its fingerprint.
std::string object_name(const std::string& path) {
  if (is_lock(path)) return path == "lock" ? "cell" : "tenant-" + path.substr(5);
  std::string name = path;
  std::replace(name.begin(), name.end(), '/', '.');
  const bool fits = name.size() <= 200 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
                      return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '.';
                    });
  return fits ? name : "record." + base::sha256_base32(path, 32);
}

std::string collection_of(const std::string& path) {
  return is_lock(path) ? fmt::format("/apis/coordination.k8s.io/v1/namespaces/{}/leases", records_namespace)
                       : fmt::format("/api/v1/namespaces/{}/configmaps", records_namespace);
}

std::string path_of(const std::string& path) {
  return collection_of(path) + "/" + object_name(path);
}

std::string with_manager(const std::string& path) {
  return path + "?fieldManager=" + field_manager;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "top" : path.substr(0, slash);
}

// The text in pieces of at most `limit` bytes, never inside a character.
std::vector<std::string> cut(const std::string& text, std::size_t limit) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < text.size() || pieces.empty();) {
    std::size_t end = std::min(text.size(), begin + limit);
    while (end < text.size() && end > begin && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

void write_head(doc::Sink& sink, const std::string& name, const std::string& path, const std::string& parts) {
  sink.field("metadata");
  sink.open_map();
  sink.text_field("name", name);
  sink.text_field("namespace", records_namespace);
  sink.field("labels");
  sink.open_map();
  sink.text_entry(kueue::label_managed_by, kueue::managed_by);
  sink.text_entry(label_folder, parts == "part" ? "part" : folder_of(path));
  sink.close();
  sink.field("annotations");
  sink.open_map();
  sink.text_entry(annotation_name, path);
  if (!parts.empty() && parts != "part") sink.text_entry(annotation_parts, parts);
  sink.close();
  sink.close();
}

// `parts`: names of further ConfigMaps, separated by commas; "part" for one of those.
std::string config_map(const std::string& name, const std::string& path, const std::string& text,
                       const std::string& parts) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("apiVersion", "v1");
  sink.text_field("kind", "ConfigMap");
  write_head(sink, name, path, parts);
  if (folder_of(path) == "journal" && parts.empty()) sink.boolean_field("immutable", true);
  sink.field("data");
  sink.open_map();
  sink.text_entry("content", text);
  sink.close();
  sink.close();
  return out;
}

// What kubectl get leases shows is taken from the lock's own text.
std::string lease(const std::string& path, const std::string& text, const std::string& version) {
  const base::Result<Json> lock = Json::parse(text);
  const doc::Node root = lock.ok() ? lock->root() : doc::Node();
  const auto micro = [](std::string time) {
    if (time.ends_with("Z")) time.insert(time.size() - 1, ".000000");
    return time;
  };
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("apiVersion", "coordination.k8s.io/v1");
  sink.text_field("kind", "Lease");
  sink.field("metadata");
  sink.open_map();
  sink.text_field("name", object_name(path));
  sink.text_field("namespace", records_namespace);
  if (!version.empty()) sink.text_field("resourceVersion", version);
  sink.field("labels");
  sink.open_map();
  sink.text_entry(kueue::label_managed_by, kueue::managed_by);
  sink.close();
  sink.field("annotations");
  sink.open_map();
  sink.text_entry(annotation_lock, text);
  sink.close();
  sink.close();
  sink.field("spec");
  sink.open_map();
  sink.text_field("holderIdentity", text_at(root, "host") + "/" + text_at(root, "pid"));
  const doc::Node seconds = at(root, "leaseSeconds");
  if (seconds.exists() && seconds.integer()) sink.number_field("leaseDurationSeconds", *seconds.integer());
  if (!text_at(root, "since").empty()) sink.text_field("acquireTime", micro(text_at(root, "since")));
  if (!text_at(root, "renewed").empty()) sink.text_field("renewTime", micro(text_at(root, "renewed")));
  sink.close();
  sink.close();
  return out;
}

base::Status failure(const ApiAnswer& answer, const std::string& doing, const std::string& path) {
  return status_of(answer, fmt::format("{} the record {}", doing, base::quoted(path, 200)));
}

base::Status unwritten(const std::string& path) {
  return base::Status(base::ErrorKind::cluster, "the record " + base::quoted(path, 200) + " could not be written",
                      "run the same command again");
}

base::Status missing(const std::string& path) {
  return base::Status(base::ErrorKind::not_found, "there is no record " + base::quoted(path, 200));
}

}  // namespace

base::Result<ApiAnswer> KubeRecords::get(const std::string& path) {
  base::Result<ApiAnswer> answer = client_.send(HttpRequest{"GET", path_of(path), "", ""});
  if (!answer.ok()) return answer.status();
  if (answer->not_found()) return missing(path);
  if (!answer->ok()) return failure(answer.value(), "reading", path);
  return answer;
}

base::Result<KubeRecords::Head> KubeRecords::head(const std::string& path) {
  const base::Result<ApiAnswer> answer = get(path);
  if (!answer.ok()) return answer.status();
  const base::Result<Json> json = Json::parse(answer->body);
  if (!json.ok()) return json.status();
  Head found;
  found.text = text_at(json->root(), "data.content");
  const doc::Node annotations = at(json->root(), "metadata.annotations");
  std::string_view names = annotations.exists() ? annotations.find(annotation_parts).exists()
                                                      ? annotations.find(annotation_parts).text()
                                                      : std::string_view()
                                                : std::string_view();
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    found.parts.emplace_back(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return found;
}

base::Result<std::string> KubeRecords::read(const std::string& path) {
  if (is_lock(path)) {
    const base::Result<ApiAnswer> answer = get(path);
    if (!answer.ok()) return answer.status();
    const base::Result<Json> json = Json::parse(answer->body);
    if (!json.ok()) return json.status();
    lock_versions_[path] = text_at(json->root(), "metadata.resourceVersion");
    const doc::Node annotations = at(json->root(), "metadata.annotations");
    const doc::Node text = annotations.exists() ? annotations.find(annotation_lock) : doc::Node();
    return text.exists() ? std::string(text.text()) : std::string("{}");
  }
  base::Result<Head> first = head(path);
  if (!first.ok()) return first.status();
  std::vector<HttpRequest> requests;
  for (const std::string& name : first->parts)
    requests.push_back({"GET", collection_of(path) + "/" + name, "", ""});
  const base::Result<std::vector<ApiAnswer>> answers = client_.send(std::move(requests));
  if (!answers.ok()) return answers.status();
  for (const ApiAnswer& answer : answers.value()) {
    if (!answer.ok()) return failure(answer, "reading a part of", path);
    const base::Result<Json> json = Json::parse(answer.body);
    if (!json.ok()) return json.status();
    first->text += text_at(json->root(), "data.content");
  }
  return std::move(first->text);
}

base::Status KubeRecords::make_namespace() {
  std::string body;
  doc::JsonSink sink(body, 0);
  sink.open_map();
  sink.text_field("apiVersion", "v1");
  sink.text_field("kind", "Namespace");
  sink.field("metadata");
  sink.open_map();
  sink.text_field("name", records_namespace);
  sink.field("labels");
  sink.open_map();
  sink.text_entry(kueue::label_managed_by, kueue::managed_by);
  sink.close();
  sink.close();
  sink.close();
  const base::Result<ApiAnswer> made =
      client_.send(HttpRequest{"POST", with_manager("/api/v1/namespaces"), body, "application/json"});
  if (!made.ok()) return made.status();
  if (made->ok() || made->reason == "AlreadyExists") return {};
  return status_of(made.value(), fmt::format("making the namespace {} for records", records_namespace));
}

// Creates an object, and our namespace first where that is missing.
base::Result<ApiAnswer> KubeRecords::post(const std::string& collection, const std::string& body) {
  const HttpRequest request{"POST", with_manager(collection), body, "application/json"};
  base::Result<ApiAnswer> answer = client_.send(request);
  if (!answer.ok() || !answer->not_found()) return answer;
  const base::Status made = make_namespace();
  if (!made.ok()) return made;
  return client_.send(request);
}

base::Status KubeRecords::write_parts(const std::string& path, const std::vector<std::string>& texts) {
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const std::string name = fmt::format("{}.{}.{}", object_name(path), base::sha256_base32(texts[i], 16), i);
    const base::Result<ApiAnswer> made = post(collection_of(path), config_map(name, path, texts[i], "part"));
    if (!made.ok()) return made.status();
    if (!made->ok() && made->reason != "AlreadyExists") return failure(made.value(), "writing a part of", path);
  }
  return {};
}

namespace {

std::string part_names(const std::string& path, const std::vector<std::string>& texts) {
  std::string names;
  for (std::size_t i = 1; i < texts.size(); ++i)
    names += fmt::format("{}{}.{}.{}", i == 1 ? "" : ",", object_name(path), base::sha256_base32(texts[i], 16), i);
  return names;
}

}  // namespace

// What is left of an older text; a failure leaves litter and no harm.
void KubeRecords::remove_parts(const std::vector<std::string>& names) {
  std::vector<HttpRequest> requests;
  for (const std::string& name : names)
    requests.push_back({"DELETE", collection_of("state.json") + "/" + name, "", ""});
  static_cast<void>(client_.send(std::move(requests)));
}

// After a create that found something there, or whose answer was lost: success when it is our own text.
base::Status KubeRecords::already_there(const std::string& path, const std::string& bytes) {
  const base::Result<std::string> there = read(path);
  if (!there.ok() && there.status().kind() != base::ErrorKind::not_found) return there.status();
  if (!there.ok()) return unwritten(path);
  if (there.value() == bytes) return {};
  return base::Status(base::ErrorKind::conflict, "the record " + base::quoted(path, 200) + " exists already");
}

base::Status KubeRecords::create_lock(const std::string& path, const std::string& text) {
  const base::Result<ApiAnswer> made = post(collection_of(path), lease(path, text, ""));
  if (!made.ok()) return made.status();
  if (made->ok()) return {};
  if (made->reason == "AlreadyExists" || made->unknown()) return already_there(path, text);
  return failure(made.value(), "taking", path);
}

base::Status KubeRecords::create(const std::string& path, const std::string& bytes, unsigned) {
  if (is_lock(path)) return create_lock(path, bytes);
  const std::vector<std::string> texts = cut(bytes, part_bytes_);
  const base::Status parts = write_parts(path, texts);
  if (!parts.ok()) return parts;
  const base::Result<ApiAnswer> made =
      post(collection_of(path), config_map(object_name(path), path, texts[0], part_names(path, texts)));
  if (!made.ok()) return made.status();
  if (made->ok()) return {};
  if (made->reason == "AlreadyExists" || made->unknown()) return already_there(path, bytes);
  return failure(made.value(), "writing", path);
}

base::Status KubeRecords::put_lock(const std::string& path, const std::string& text) {
  const auto known = lock_versions_.find(path);
  const std::string version = known == lock_versions_.end() ? std::string() : known->second;
  const base::Result<ApiAnswer> put =
      client_.send(HttpRequest{"PUT", with_manager(path_of(path)), lease(path, text, version), "application/json"});
  if (!put.ok()) return put.status();
  return put->ok() ? base::Status() : failure(put.value(), "renewing", path);
}

base::Status KubeRecords::replace(const std::string& path, const std::string& bytes, unsigned mode) {
  if (is_lock(path)) return put_lock(path, bytes);
  const base::Result<Head> old = head(path);
  if (old.status().kind() == base::ErrorKind::not_found) {
    const base::Status created = create(path, bytes, mode);
    if (created.kind() != base::ErrorKind::conflict) return created;
  } else if (!old.ok()) {
    return old.status();
  }
  const std::vector<std::string> texts = cut(bytes, part_bytes_);
  const base::Status parts = write_parts(path, texts);
  if (!parts.ok()) return parts;
  const std::string names = part_names(path, texts);
  const base::Result<ApiAnswer> put =
      client_.send(HttpRequest{"PUT", with_manager(path_of(path)),
                               config_map(object_name(path), path, texts[0], names), "application/json"});
  if (!put.ok()) return put.status();
  if (put->unknown()) {
    const base::Result<std::string> there = read(path);
    if (!there.ok() || there.value() != bytes) return unwritten(path);
  } else if (!put->ok()) {
    return failure(put.value(), "writing", path);
  }
  std::vector<std::string> stale = old.ok() ? old.value().parts : std::vector<std::string>();
  std::erase_if(stale, [&](const std::string& name) { return names.find(name) != std::string::npos; });
  if (!stale.empty()) remove_parts(stale);
  return {};
}

base::Status KubeRecords::remove(const std::string& path) {
  std::string body;
  std::vector<std::string> parts;
  if (is_lock(path)) {
    const auto known = lock_versions_.find(path);
    if (known != lock_versions_.end())
      body = R"({"preconditions":{"resourceVersion":)" + quoted_json(known->second) + "}}";
  } else {
    const base::Result<Head> old = head(path);
    if (!old.ok()) return old.status();
    parts = old.value().parts;
  }
  const base::Result<ApiAnswer> gone = client_.send(
      HttpRequest{"DELETE", path_of(path), body, body.empty() ? std::string() : std::string("application/json")});
  if (!gone.ok()) return gone.status();
  if (gone->not_found()) return missing(path);
  const bool lost = gone->unknown() && kind_of(path).empty();  // the answer, not the removal
  if (!gone->ok() && !lost) return failure(gone.value(), "removing", path);
  if (!parts.empty()) remove_parts(parts);
  return {};
}

base::Result<std::vector<std::string>> KubeRecords::list(const std::string& folder) {
  std::vector<std::string> names;
  const std::string top = folder_of(folder + "/");
  const std::string prefix = folder + "/";
  const std::string path =
      fmt::format("{}?labelSelector={}", collection_of("x"), escaped(fmt::format("{}={}", label_folder, top)));
  const base::Status listed = client_.list(
      path,
      [&](const Json& page) {
        for (const doc::Node item : doc::children(at(page.root(), "items"))) {
          const doc::Node annotations = at(item, "metadata.annotations");
          const doc::Node name = annotations.exists() ? annotations.find(annotation_name) : doc::Node();
          if (name.exists() && name.text().starts_with(prefix))
            names.emplace_back(name.text().substr(prefix.size()));
        }
        return base::Status();
      },
      [&] { names.clear(); }, metadata_list);
  if (listed.kind() == base::ErrorKind::not_found) return std::vector<std::string>();
  if (!listed.ok()) return listed;
  std::sort(names.begin(), names.end());
  return names;
}

std::string KubeRecords::kind_of(const std::string& path) {
  HttpRequest request{"GET", path_of(path), "", ""};
  request.accept = metadata_only;
  const base::Result<ApiAnswer> answer = client_.send(std::move(request));
  if (!answer.ok()) return "other";
  return answer->not_found() ? "" : answer->ok() ? "file" : "other";
}

}  // namespace cmb2kueue::target
