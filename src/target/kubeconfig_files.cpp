// Which kubeconfig files count, and merging them.
#include "kubeconfig_files.h"

#include <algorithm>
#include <cstdlib>

#include "cmb2kueue/base/text.h"
#include "json.h"

namespace cmb2kueue::target {

namespace {

constexpr std::size_t largest_file = 1U << 20U;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

std::vector<std::string> split_paths(const std::string& list) {
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    const std::string path = list.substr(begin, end - begin);
    if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    begin = end + 1;
  }
  return paths;
}

void take_entries(doc::Node list, const char* inner, const std::string& folder,
                  std::map<std::string, KubeEntry>& into) {
  for (const doc::Node item : doc::children(list))
    into.emplace(text_at(item, "name"), KubeEntry{item.find(inner), folder});
}

base::Status take_file(const std::string& path, std::string text, KubeFiles& into) {
  if (text.size() > largest_file)
    return base::Status(base::ErrorKind::input,
                        base::quoted(path, 400) + " is larger than a kubeconfig file can be", "check the path");
  const std::uint32_t file = into.texts.add(path, std::move(text));
  base::Result<std::vector<doc::Document>> parsed = doc::parse_all(into.texts, file);
  if (!parsed.ok()) {
    const std::string where = into.texts.describe(parsed.status().place());
    return base::Status(
        base::ErrorKind::input,
        "the kubeconfig file " + (where.empty() ? path : where) + " cannot be parsed: " + parsed.status().message(),
        "mend it, or take it out of KUBECONFIG");
  }
  into.any = true;
  if (parsed->empty()) return {};
  into.documents.push_back(std::move(parsed->front()));
  const doc::Node root = into.documents.back().root();
  if (!root.is_map())
    return base::Status(base::ErrorKind::input, "the kubeconfig file " + path + " is no map", "check the path");
  const std::string folder = folder_of(path);
  take_entries(root.find("clusters"), "cluster", folder, into.clusters);
  take_entries(root.find("users"), "user", folder, into.users);
  take_entries(root.find("contexts"), "context", folder, into.contexts);
  if (into.current_context.empty()) into.current_context = text_at(root, "current-context");
  return {};
}

}  // namespace

base::Status read_kube_files(const KubeFlags& flags, const KubeEnvironment& environment, base::FileSystem& fs,
                             KubeFiles& into) {
  std::vector<std::string> paths = split_paths(environment.kubeconfig);
  if (environment.kubeconfig.empty()) paths = {environment.home + "/.kube/config"};
  if (!flags.kubeconfig.empty()) paths = {flags.kubeconfig};
  for (const std::string& path : paths) {
    base::Result<std::string> text = fs.read(path);
    if (text.status().kind() == base::ErrorKind::not_found && flags.kubeconfig.empty()) continue;
    if (!text.ok()) return text.status().prefixed("kubeconfig");
    const base::Status taken = take_file(path, std::move(text).value(), into);
    if (!taken.ok()) return taken;
  }
  return {};
}

base::Result<bool> plugin_allowed(const std::string& command, const KubeEnvironment& environment,
                                  base::FileSystem& fs) {
  if (environment.kuberc == "off") return true;
  const std::string path = environment.kuberc.empty() ? environment.home + "/.kube/kuberc" : environment.kuberc;
  base::Result<std::string> text = fs.read(path);
  if (text.status().kind() == base::ErrorKind::not_found) return true;
  if (!text.ok()) return text.status();
  base::SourceFiles files;
  const base::Result<std::vector<doc::Document>> documents = doc::parse_all(files, files.add(path, text.value()));
  if (!documents.ok()) return documents.status().prefixed("kuberc");
  for (const doc::Document& document : documents.value()) {
    const std::string policy = text_at(document.root(), "credentialPluginPolicy");
    if (policy.empty() || policy == "AllowAll") continue;
    if (policy == "DenyAll") return false;
    if (policy != "Allowlist")
      return base::Status(base::ErrorKind::input,
                          base::quoted(path, 400) + " has the credentialPluginPolicy " + base::quoted(policy),
                          "write AllowAll, DenyAll or Allowlist");
    for (const doc::Node one : doc::children(document.root().find("credentialPluginAllowlist"))) {
      const std::string name = text_at(one, "name");
      if (name == command || command.ends_with("/" + name)) return true;
    }
    return false;
  }
  return true;
}

}  // namespace cmb2kueue::target
