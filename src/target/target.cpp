// The table of target kinds and their address forms.
#include "cmb2kueue/target/target.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "cmb2kueue/base/text.h"
#include "directory_target.h"
#include "kube_target.h"

namespace cmb2kueue::target {

const std::vector<TargetKind>& target_kinds() {
  static const std::vector<TargetKind> table = {
      {"dir", "dir:PATH", "a folder of manifests, such as a Git work tree"},
      {"kube", "kube:CONTEXT", "a cluster, by the name of its context in kubeconfig"},
      {"mem", "mem:[NAME]", "memory, gone when the program ends; for tries"},
  };
  return table;
}

namespace {

constexpr const char* forms = "write dir:PATH or kube:CONTEXT";

}  // namespace

std::vector<kueue::ObjectKey> keys_of(const std::vector<kueue::Object>& objects) {
  std::vector<kueue::ObjectKey> keys;
  for (const kueue::Object& object : objects) keys.push_back(kueue::key_of(object));
  return keys;
}

namespace {

using Parts = std::map<std::string_view, std::string_view>;

// "key=hash;key=hash" by key; a version of another shape is one part without a key.
Parts parts_of(std::string_view version) {
  Parts parts;
  while (!version.empty()) {
    const std::size_t end = std::min(version.find(';'), version.size());
    const std::string_view part = version.substr(0, end);
    const std::size_t equals = part.rfind('=');
    if (equals == std::string_view::npos)
      parts[""] = part;
    else
      parts[part.substr(0, equals)] = part.substr(equals + 1);
    version.remove_prefix(std::min(end + 1, version.size()));
  }
  return parts;
}

std::string_view part(const Parts& parts, std::string_view key) {
  const auto found = parts.find(key);
  return found == parts.end() ? std::string_view() : found->second;
}

}  // namespace

bool is_between(const std::string& now, const std::string& before, const std::string& after) {
  const Parts is = parts_of(now), was = parts_of(before), will = parts_of(after);
  Parts all = is;
  all.insert(was.begin(), was.end());
  all.insert(will.begin(), will.end());
  return std::all_of(all.begin(), all.end(), [&](const auto& one) {
    const std::string_view value = part(is, one.first);
    return value == part(was, one.first) || value == part(will, one.first);
  });
}

base::Result<Address> parse_address(const std::string& text) {
  const std::size_t colon = text.find(':');
  Address address{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1), text};
  std::vector<std::string> kinds;
  for (const TargetKind& row : target_kinds()) kinds.emplace_back(row.kind);
  if (colon == std::string::npos)
    return base::Status(base::ErrorKind::usage, base::quoted(text) + " is not the address of a target",
                        "write dir:PATH or kube:CONTEXT, for example dir:" + text);
  for (const std::string& kind : kinds) {
    if (kind != address.kind) continue;
    if (address.kind == "mem" && address.rest.empty()) address.rest = "memory";
    if (address.rest.empty() && address.kind != "kube")
      return base::Status(base::ErrorKind::usage, "the address " + base::quoted(text) + " names no place", forms);
    while (address.kind == "dir" && address.rest.size() > 1 && address.rest.back() == '/') address.rest.pop_back();
    return address;
  }
  return base::Status(
      base::ErrorKind::usage,
      "there is no kind of target " + base::quoted(address.kind) + base::did_you_mean(address.kind, kinds), forms);
}

std::vector<std::string> not_observed(const Address& address) {
  if (address.kind == "kube") return {};
  return {"readiness of the queues: a folder has no controller",
          "running and waiting work: a folder has no workloads",
          "rights, webhooks and the controller's settings: a folder has no API server"};
}

base::Result<std::unique_ptr<Target>> open(const Address& address, const std::string& cell, base::FileSystem& fs,
                                           const OpenOptions& options) {
  if (address.kind == "kube") return open_kube(address, fs, options);
  const std::string kind = fs.kind_of(address.rest);
  if (kind == "file" || kind == "other")
    return base::Status(base::ErrorKind::io, base::quoted(address.rest) + " is not a folder", "name a folder");
  return std::unique_ptr<Target>(std::make_unique<DirectoryTarget>(address.rest, cell, fs));
}

}  // namespace cmb2kueue::target
