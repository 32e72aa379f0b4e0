// What the command line may say about how to reach a cluster, under kubectl's own names. What is not said comes
// from kubeconfig files.
#pragma once
#include <string>
#include <vector>

namespace cmb2kueue::target {

// Empty means: not given. Each wins over what a kubeconfig file says.
struct KubeFlags {
  std::string kubeconfig;  // --kubeconfig: this file and no other, nothing is merged
  std::string context;     // --context, or the name behind kube:
  std::string cluster;     // --cluster
  std::string user;        // --user
  std::string name_space;  // -n, --namespace
  std::string server;      // --server
  std::string token;       // --token
  std::string certificate_authority, client_certificate, client_key;  // paths, relative to the working directory
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  std::string as, as_uid;              // --as, --as-uid
  std::vector<std::string> as_groups;  // --as-group
  std::string request_timeout;         // "30s", "2m", "1h30m", "0" for none
};

}  // namespace cmb2kueue::target
