// The table of cluster options, and reading them.
#include "cluster_options.h"

#include "pipeline.h"
#include "version.h"

namespace cmb2kueue::cli {

const std::vector<OptionInfo>& cluster_options() {
  static const std::vector<OptionInfo> table = {
      {"--kubeconfig", "", "FILE", "Read this kubeconfig file and no other.", false, false},
      {"--context", "", "NAME", "The context, where the target is plain kube: and the verb only reads.", false,
       false},
      {"--cluster", "", "NAME", "The cluster of the kubeconfig to use instead of the context's.", false, false},
      {"--user", "", "NAME", "The user of the kubeconfig to use instead of the context's.", false, false},
      {"--server", "", "URL", "The API server's address.", false, false},
      {"--tls-server-name", "", "NAME", "The name the server's certificate is checked against.", false, false},
      {"--certificate-authority", "", "FILE", "Certificates to trust for the API server.", false, false},
      {"--insecure-skip-tls-verify", "", "", "Trust any certificate of the API server. Not for production.", false,
       false},
      {"--client-certificate", "", "FILE", "Client certificate to log in with.", false, false},
      {"--client-key", "", "FILE", "Key of the client certificate.", false, false},
      {"--token", "", "TOKEN", "Bearer token to log in with; others on the machine may see it.", false, false},
      {"--as", "", "USER", "Act as this user.", false, false},
      {"--as-group", "", "GROUP", "Act as a member of this group; may be given more than once.", true, false},
      {"--as-uid", "", "UID", "Act as the user with this uid.", false, false},
      {"--request-timeout", "", "TIME", "How long one request may take, as 30s or 2m; 0 is for ever.", false,
       false},
      {"--take-over", "", "MANAGER", "Take fields that this field manager owns, such as kubectl-edit.", true,
       false},
      {"--accept-defects", "", "", "Move tenants also on a release of Kueue with known defects.", false, false},
  };
  return table;
}

target::OpenOptions open_options(Session& session) {
  const Arguments& given = session.arguments;
  target::OpenOptions options;
  target::KubeFlags& kube = options.kube;
  kube.kubeconfig = given.value("--kubeconfig");
  kube.context = given.value("--context");
  kube.cluster = given.value("--cluster");
  kube.user = given.value("--user");
  kube.server = given.value("--server");
  kube.tls_server_name = given.value("--tls-server-name");
  kube.certificate_authority = given.value("--certificate-authority");
  kube.insecure_skip_tls_verify = given.has("--insecure-skip-tls-verify");
  kube.client_certificate = given.value("--client-certificate");
  kube.client_key = given.value("--client-key");
  kube.token = given.value("--token");
  kube.as = given.value("--as");
  kube.as_groups = given.list("--as-group");
  kube.as_uid = given.value("--as-uid");
  kube.request_timeout = given.value("--request-timeout");
  options.take_over = given.list("--take-over");
  options.accept_defects = given.has("--accept-defects");
  options.clock = &session.clock;
  options.stop = stop_flag();
  options.user_agent = "cmb2kueue/" + std::string(tool_version);
  options.warn = [&session](const std::string& text) { session.console.talk("warning: the server says: " + text); };
  return options;
}

}  // namespace cmb2kueue::cli
