// The kuberc file. kubectl goes on without one it cannot read; whoever wrote a policy would not know that it does
// not hold, so here that is an error.
#include <cstdint>
#include <filesystem>

#include "cmb2kueue/base/text.h"
#include "kubeconfig_file.h"
#include "plugin_policy.h"
#include "typed_document.h"

namespace cmb2kueue::target {

namespace {

constexpr const char* way_out = "mend it, or set KUBERC=off to go without";

bool is_preference(doc::MapReader& root) {
  const std::string version = root.text("apiVersion");
  const std::string group = "kubectl.config.k8s.io/";
  return root.text("kind") == "Preference" && (version == group + "v1alpha1" || version == group + "v1beta1");
}

base::Status wrong(const std::string& path, const std::string& message) {
  return base::Status(base::ErrorKind::input, path + ": " + message, way_out);
}

base::Status check_entry(const std::string& path, const std::string& name) {
  if (name.empty()) return wrong(path, "an entry of credentialPluginAllowlist has no name");
  if (std::filesystem::path(name).lexically_normal().string() == name && (name.size() == 1 || !name.ends_with('/')))
    return {};
  return wrong(
      path, "the entry " + base::quoted(name, 400) +
                " of credentialPluginAllowlist is no path as it should be, without . and .. and doubled slashes");
}

base::Status check_policy(const std::string& path, const PluginPolicy& policy, bool has_list) {
  const bool by_list = policy.type == "Allowlist";
  if (!by_list && !policy.type.empty() && policy.type != "AllowAll" && policy.type != "DenyAll")
    return wrong(path, "the credentialPluginPolicy " + base::quoted(policy.type) +
                           " is none of AllowAll, DenyAll, Allowlist");
  if (!by_list && has_list)
    return wrong(path, "there is a credentialPluginAllowlist, but the policy is not Allowlist");
  if (by_list && policy.allowlist.empty())
    return wrong(path, "the policy is Allowlist, but credentialPluginAllowlist is empty");
  for (const std::string& name : policy.allowlist) {
    const base::Status status = check_entry(path, name);
    if (!status.ok()) return status;
  }
  return {};
}

base::Result<PluginPolicy> read_policy(const std::string& path, TypedDocument& document) {
  PluginPolicy policy;
  doc::MapReader& root = document.root();
  policy.type = root.text("credentialPluginPolicy");
  const bool has_list = root.take("credentialPluginAllowlist").exists();
  root.items("credentialPluginAllowlist", 0, SIZE_MAX, false,
             [&](doc::MapReader& item) { policy.allowlist.push_back(item.text("name")); });
  base::Status status = document.status();
  if (status.ok()) status = check_policy(path, policy, has_list);
  if (!status.ok()) return status;
  return policy;
}

// The first document that is a kuberc of a version we know; the others are for other clients.
base::Result<PluginPolicy> parse_kuberc(const std::string& path, std::string text) {
  TypedDocument document(path, std::move(text));
  if (!document.status().ok()) return document.status();
  if (document.empty()) return PluginPolicy();
  do {
    if (is_preference(document.root())) return read_policy(path, document);
  } while (document.next());
  return wrong(path, "there is no Preference of kubectl.config.k8s.io/v1beta1 or v1alpha1 in it");
}

bool turned_off(const KubeEnvironment& environment) {
  const std::string& gate = environment.kuberc_gate;
  return environment.kuberc == "off" || gate == "false" || gate == "False" || gate == "FALSE";
}

}  // namespace

base::Result<PluginPolicy> load_plugin_policy(const KubeEnvironment& environment, base::FileSystem& fs) {
  const bool named = !environment.kuberc.empty();
  if (turned_off(environment) || (!named && environment.home.empty())) return PluginPolicy();
  const std::string path = named ? environment.kuberc : environment.home + "/.kube/kuberc";
  base::Result<std::string> text = read_small_file(path, fs);
  if (!text.ok() && !named && text.status().kind() == base::ErrorKind::not_found) return PluginPolicy();
  if (!text.ok()) return text.status();
  base::Result<PluginPolicy> policy = parse_kuberc(path, std::move(text).value());
  if (policy.ok()) policy->search_path = environment.search_path;
  return policy;
}

}  // namespace cmb2kueue::target
