// The account a pod runs as: a token, a CA and a namespace in a folder, and the API server in two variables.
#include "kubeconfig_parts.h"

namespace cmb2kueue::target {

namespace {

constexpr const char* pod_name = "in-cluster";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

bool runs_in_pod(const KubeEnvironment& environment, base::FileSystem& fs) {
  if (environment.service_host.empty() || environment.service_port.empty()) return false;
  const std::string kind = fs.kind_of(environment.service_account + "/token");
  return !kind.empty() && kind != "folder";
}

std::string pod_namespace(const KubeEnvironment& environment, base::FileSystem& fs) {
  if (!environment.pod_namespace.empty()) return environment.pod_namespace;
  const base::Result<std::string> text = fs.read(environment.service_account + "/namespace");
  return text.ok() ? trimmed(text.value()) : "";
}

Choice pod_account(const KubeEnvironment& environment, base::FileSystem& fs) {
  Choice choice;
  choice.context = choice.cluster = choice.user = pod_name;
  const bool six = environment.service_host.find(':') != std::string::npos;
  const std::string host = six ? "[" + environment.service_host + "]" : environment.service_host;
  choice.server.server = "https://" + host + ":" + environment.service_port;
  // Without the file the server may still have a certificate that the system trusts.
  const std::string ca = environment.service_account + "/ca.crt";
  if (!fs.kind_of(ca).empty()) choice.server.ca_path = ca;
  choice.login.token_path = environment.service_account + "/token";
  return choice;
}

}  // namespace cmb2kueue::target
