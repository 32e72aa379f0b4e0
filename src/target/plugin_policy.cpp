// Names and paths of the allow-list are compared as they are written, then by the file they stand for.
#include "plugin_policy.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::target {

namespace {

bool can_run(const std::string& path) {
  struct stat seen {};
  return stat(path.c_str(), &seen) == 0 && !S_ISDIR(seen.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

base::Status refused(const std::string& what) {
  return base::Status(base::ErrorKind::cluster, what, "the kuberc file says which plugins may run (KUBERC)");
}

bool listed(const PluginPolicy& policy, const std::string& name) {
  return std::find(policy.allowlist.begin(), policy.allowlist.end(), name) != policy.allowlist.end();
}

base::Status check_list(const PluginPolicy& policy, const std::string& command) {
  if (listed(policy, command)) return {};
  const std::string path = look_up(command, policy.search_path);
  const std::string plugin = "the credential plugin " + base::quoted(command, 400);
  if (path.empty())
    return refused(plugin + " is not on the list of allowed ones by its name, and there is no such program");
  if (listed(policy, path)) return {};
  for (const std::string& entry : policy.allowlist)
    if (last_part(entry) == last_part(path) && look_up(entry, policy.search_path) == path) return {};
  return refused(plugin + " is not on the list of allowed ones");
}

}  // namespace

std::string look_up(const std::string& command, const std::string& search_path) {
  if (command.find('/') != std::string::npos) return can_run(command) ? command : "";
  for (std::size_t at = 0; at <= search_path.size();) {
    const std::size_t end = std::min(search_path.find(':', at), search_path.size());
    const std::string folder = search_path.substr(at, end - at);
    const std::string path = (std::filesystem::path(folder) / command).lexically_normal();
    // What the working directory holds is nobody's choice.
    if (can_run(path)) return path.front() == '/' ? path : "";
    at = end + 1;
  }
  return "";
}

base::Status check_allowed(const PluginPolicy& policy, const std::string& command) {
  if (policy.type == "DenyAll")
    return refused("the credential plugin " + base::quoted(command, 400) + " may not run: all are denied");
  if (policy.type == "Allowlist") return check_list(policy, std::filesystem::path(command).lexically_normal());
  return {};
}

}  // namespace cmb2kueue::target
