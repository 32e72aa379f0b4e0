// kubeconfig files as kubectl reads them (client-go v0.35 tools/clientcmd: loader.go, client_config.go,
// validation.go): which files, how they merge, what wins, relative paths, and what makes no sense.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/target/kube_flags.h"

namespace cmb2kueue::target {

// A program that gives out credentials (client.authentication.k8s.io).
struct ExecConfig {
  std::string api_version;  // as configured; client.authentication.k8s.io/v1 or v1beta1, nothing else gets here
  std::string command;      // absolute, or relative to its kubeconfig and made so here, or looked up on PATH
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::string install_hint;
  std::string interactive_mode;  // "Never", "IfAvailable", "Always"
  bool provide_cluster_info = false;
  std::string cluster_config;  // JSON of the cluster's extension client.authentication.k8s.io/exec; "" when absent
  bool at_terminal = false;  // our standard input is a terminal, which the plugin may use unless the mode is Never
};

// Which credential plugins may run: the user's word in a kuberc file (kubectl 1.35 pkg/kuberc).
struct PluginPolicy {
  std::string type;                    // "" and "AllowAll", "DenyAll", "Allowlist"
  std::vector<std::string> allowlist;  // names and paths, as written
  std::string search_path;             // $PATH: what an entry and the plugin are when looked up must be one file
};

// Everything about one cluster and one user, resolved: files are read, paths are gone, flags have won.
struct Connection {
  std::string context, cluster, user;  // names, for messages; "in-cluster" where no file was
  // "https://host[:port][/path]", without a trailing slash. Also "http://...", as kubectl proxy serves; then there
  // is nothing below to log in with, since nobody would keep it secret on the way.
  std::string server;
  std::string name_space;  // "" when nobody says
  std::string ca_pem;      // "" for the system's certificates
  bool insecure_skip_tls_verify = false;
  std::string tls_server_name, proxy_url;
  bool disable_compression = false;

  std::string client_certificate_pem, client_key_pem;
  std::string token;
  std::string token_file;  // read anew by credentials; wins over `token` when it can be read
  std::string username, password;
  std::optional<ExecConfig> exec;  // only when there is no token, password or certificate, which come first
  PluginPolicy plugin_policy;

  std::string as, as_uid;
  std::vector<std::string> as_groups;
  std::map<std::string, std::vector<std::string>> as_user_extra;

  std::int64_t request_timeout_ms = 0;  // 0: none was asked for
};

// What of the process's environment counts; a struct so that tests need not change their own.
struct KubeEnvironment {
  std::string kubeconfig;                  // $KUBECONFIG, a list separated by ':'
  std::string home;                        // $HOME
  std::string service_host, service_port;  // $KUBERNETES_SERVICE_HOST and _PORT
  std::string service_account;  // folder of the pod's account: /var/run/secrets/kubernetes.io/serviceaccount
  std::string pod_namespace;    // $POD_NAMESPACE
  std::string kuberc;           // $KUBERC: a path, "off", or "" for $HOME/.kube/kuberc
  std::string kuberc_gate;      // $KUBECTL_KUBERC: "false" turns the file off
  std::string search_path;      // $PATH
  bool at_terminal = false;     // standard input is a terminal
};
KubeEnvironment process_environment();

// Order: --kubeconfig, else $KUBECONFIG, else $HOME/.kube/config, else the pod's own account. Errors: not_found (no
// configuration at all, or a file named by --kubeconfig is missing; a context, cluster or user that no file has,
// with the nearest name), input (a file that cannot be parsed, with place; contradictions such as two ways to log
// in, insecure-skip-tls-verify beside a CA, an auth-provider of old, an exec version no client speaks any more),
// usage (bad --request-timeout). Without a context of its own, a run in a pod is the pod's account. No message ever
// holds a secret. Fields this client does not know are ignored, as kubectl does.
base::Result<Connection> load_connection(const KubeFlags& flags, const KubeEnvironment& environment,
                                         base::FileSystem& fs);

// The names of all contexts, sorted, and the current one; for completion and messages.
struct Contexts {
  std::vector<std::string> names;
  std::string current;
};
base::Result<Contexts> list_contexts(const KubeFlags& flags, const KubeEnvironment& environment,
                                     base::FileSystem& fs);

}  // namespace cmb2kueue::target
