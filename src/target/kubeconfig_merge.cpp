// Which kubeconfig files count, and how several of them are one: the first that says something has said it.
#include <algorithm>

#include "kubeconfig_file.h"

namespace cmb2kueue::target {

namespace {

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> paths;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    if (end > at) paths.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return paths;
}

// A variable that is set is the whole answer, even when all it lists is empty.
std::vector<std::string> files_to_read(const KubeFlags& flags, const KubeEnvironment& environment) {
  if (!flags.kubeconfig.empty()) return {flags.kubeconfig};
  if (!environment.kubeconfig.empty()) return split_list(environment.kubeconfig);
  // Without a home there is no such file; what lies in the working directory must not decide who we are.
  if (environment.home.empty()) return {};
  return {environment.home + "/.kube/config"};
}

// Entries that are there stay as they are, whole.
void lay_below(Kubeconfig& config, Kubeconfig& next) {
  if (config.current_context.empty()) config.current_context = next.current_context;
  config.contexts.merge(next.contexts);
  config.clusters.merge(next.clusters);
  config.users.merge(next.users);
}

}  // namespace

base::Result<Kubeconfig> merged_kubeconfig(const KubeFlags& flags, const KubeEnvironment& environment,
                                           base::FileSystem& fs) {
  Kubeconfig config;
  for (const std::string& path : files_to_read(flags, environment)) {
    base::Result<Kubeconfig> file = read_kubeconfig(path, fs);
    const bool missing = !file.ok() && file.status().kind() == base::ErrorKind::not_found;
    if (missing && flags.kubeconfig.empty()) continue;
    if (!file.ok()) return file.status();
    lay_below(config, file.value());
  }
  return config;
}

base::Result<Contexts> list_contexts(const KubeFlags& flags, const KubeEnvironment& environment,
                                     base::FileSystem& fs) {
  const base::Result<Kubeconfig> config = merged_kubeconfig(flags, environment, fs);
  if (!config.ok()) return config.status();
  Contexts contexts;
  contexts.current = config->current_context;
  for (const auto& [name, entry] : config->contexts) contexts.names.push_back(name);
  return contexts;
}

}  // namespace cmb2kueue::target
