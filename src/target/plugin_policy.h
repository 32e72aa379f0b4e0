// The user's word on which credential plugins may run at all (kubectl 1.35: pkg/kuberc, and client-go
// plugin/pkg/client/auth/exec).
#pragma once
#include <string>

#include "cmb2kueue/base/file.h"
#include "kubeconfig.h"

namespace cmb2kueue::target {

// From $KUBERC or $HOME/.kube/kuberc; AllowAll when there is no such file. Errors (kind input, or not_found when
// $KUBERC names what is missing): a file that cannot be read or is no kuberc, and a policy that contradicts itself.
base::Result<PluginPolicy> load_plugin_policy(const KubeEnvironment& environment, base::FileSystem& fs);

// The file that would run for this command: itself when it is a path, else the first on the search path. "" when it
// cannot be run, or stands in a relative folder of the search path.
std::string look_up(const std::string& command, const std::string& search_path);

// May this plugin run? Kind cluster when not.
base::Status check_allowed(const PluginPolicy& policy, const std::string& command);

}  // namespace cmb2kueue::target
