// kubeconfig files read and merged: entries by name, each still as its file has it.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "cmb2kueue/doc/parse.h"
#include "kubeconfig.h"

namespace cmb2kueue::target {

struct KubeEntry {
  doc::Node node;      // the map below cluster:, user: or context:
  std::string folder;  // that relative paths start from
};

struct KubeFiles {
  base::SourceFiles texts;
  std::deque<doc::Document> documents;
  std::map<std::string, KubeEntry> clusters, users, contexts;
  std::string current_context;
  bool any = false;  // some file was there
};

// Files in order; the first to name an entry wins it whole (client-go v0.35, tools/clientcmd/loader.go, Load).
base::Status read_kube_files(const KubeFlags& flags, const KubeEnvironment& environment, base::FileSystem& fs,
                             KubeFiles& into);

// Whether the policy in kuberc lets this command run (kubectl v1.35, pkg/kuberc; client-go v0.35,
// plugin/pkg/client/auth/exec, ValidatePluginPolicy and the allow-list).
base::Result<bool> plugin_allowed(const std::string& command, const KubeEnvironment& environment,
                                  base::FileSystem& fs);

}  // namespace cmb2kueue::target
