// From flags, environment and files to one Connection.
#include "kubeconfig.h"

#include <unistd.h>

#include <cstdlib>

#include "cmb2kueue/base/duration.h"
#include "cmb2kueue/base/text.h"
#include "kubeconfig_parts.h"
#include "plugin_policy.h"

namespace cmb2kueue::target {

namespace {

constexpr const char* account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

base::Status set_timeout(const KubeFlags& flags, Connection& connection) {
  if (flags.request_timeout.empty()) return {};
  connection.request_timeout_ms = base::parse_duration_ms(flags.request_timeout);
  if (connection.request_timeout_ms >= 0) return {};
  return base::Status(base::ErrorKind::usage, base::quoted(flags.request_timeout) + " is no time limit",
                      "write --request-timeout as 30, 30s, 2m or 1h30m; 0 is none");
}

// A policy that cannot be read must not become none, so its errors are errors; but nobody asks without a plugin.
base::Status set_policy(const KubeEnvironment& environment, base::FileSystem& fs, Connection& connection) {
  if (!connection.exec) return {};
  base::Result<PluginPolicy> policy = load_plugin_policy(environment, fs);
  if (!policy.ok()) return policy.status();
  connection.plugin_policy = std::move(policy).value();
  return {};
}

}  // namespace

KubeEnvironment process_environment() {
  KubeEnvironment environment;
  environment.kubeconfig = variable("KUBECONFIG");
  environment.home = variable("HOME");
  environment.service_host = variable("KUBERNETES_SERVICE_HOST");
  environment.service_port = variable("KUBERNETES_SERVICE_PORT");
  environment.service_account = account_folder;
  environment.pod_namespace = variable("POD_NAMESPACE");
  environment.kuberc = variable("KUBERC");
  environment.kuberc_gate = variable("KUBECTL_KUBERC");
  environment.search_path = variable("PATH");
  environment.at_terminal = isatty(STDIN_FILENO) == 1;
  return environment;
}

base::Result<Connection> load_connection(const KubeFlags& flags, const KubeEnvironment& environment,
                                         base::FileSystem& fs) {
  const base::Result<Choice> choice = choose(flags, environment, fs);
  if (!choice.ok()) return choice.status();
  Connection connection;
  connection.context = choice->context;
  connection.cluster = choice->cluster;
  connection.user = choice->user;
  connection.name_space = choice->name_space;
  base::Status status = set_timeout(flags, connection);
  if (status.ok()) status = resolve_server(choice.value(), fs, connection);
  if (status.ok()) status = resolve_login(choice.value(), environment, fs, connection);
  if (status.ok()) status = set_policy(environment, fs, connection);
  if (!status.ok()) return status;
  return connection;
}

}  // namespace cmb2kueue::target
