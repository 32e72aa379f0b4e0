// Asking a credential plugin.
#include "exec_plugin.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base64.h"
#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/process.h"
#include "cmb2kueue/base/text.h"
#include "json.h"

namespace cmb2kueue::target {

namespace {

constexpr int plugin_ms = 60'000;

void write_true(doc::Sink& sink, std::string_view name) {
  sink.key(name);
  sink.boolean(true);
}

void write_cluster(doc::Sink& sink, const Connection& connection) {
  sink.field("cluster");
  sink.open_map();
  sink.text_field("server", connection.server);
  if (!connection.tls_server_name.empty()) sink.text_entry("tls-server-name", connection.tls_server_name);
  if (connection.insecure_skip_tls_verify) write_true(sink, "insecure-skip-tls-verify");
  if (!connection.ca_pem.empty()) sink.text_entry("certificate-authority-data", encoded_base64(connection.ca_pem));
  if (!connection.proxy_url.empty()) sink.text_entry("proxy-url", connection.proxy_url);
  if (connection.disable_compression) write_true(sink, "disable-compression");
  const base::Result<Json> config =
      Json::parse(connection.exec->cluster_config.empty() ? std::string("{}")
                                                          : "{\"config\":" + connection.exec->cluster_config + "}");
  if (config.ok() && config->root().find("config").exists()) {
    sink.field("config");
    doc::copy(config->root().find("config"), sink);
  }
  sink.close();
}

// What the plugin finds in KUBERNETES_EXEC_INFO.
std::string exec_info(const Connection& connection, bool interactive) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("kind", "ExecCredential");
  sink.text_field("apiVersion", connection.exec->api_version);
  sink.field("spec");
  sink.open_map();
  if (connection.exec->provide_cluster_info) write_cluster(sink, connection);
  sink.boolean_field("interactive", interactive);
  sink.close();
  sink.close();
  return out;
}

base::Status failed(const ExecConfig& exec, const std::string& what, const std::string& advice) {
  return base::Status(base::ErrorKind::cluster,
                      fmt::format("the credential plugin {} {}", base::quoted(exec.command, 300), what), advice);
}

}  // namespace

base::Result<PluginCredentials> parse_plugin_answer(const std::string& text, const std::string& api_version) {
  const auto nonsense = [](std::string what) {
    return base::Status(base::ErrorKind::cluster, std::move(what),
                        "run the plugin by hand and look at what it prints");
  };
  const base::Result<Json> json = Json::parse_lenient(text);
  if (!json.ok() || !json->root().is_map()) return nonsense("answered something that is no ExecCredential");
  const doc::Node root = json->root();
  if (text_at(root, "kind") != "ExecCredential") return nonsense("answered something that is no ExecCredential");
  if (text_at(root, "apiVersion") != api_version)
    return nonsense(fmt::format("is configured for {} and answered in another version", api_version));
  const doc::Node status = root.find("status");
  if (!status.is_map()) return nonsense("answered without a status");
  PluginCredentials found{text_at(status, "token"), text_at(status, "clientCertificateData"),
                          text_at(status, "clientKeyData"), 0};
  if (found.token.empty() && found.certificate_pem.empty() && found.key_pem.empty())
    return nonsense("answered with neither a token nor a certificate");
  if (found.certificate_pem.empty() != found.key_pem.empty())
    return nonsense("answered with only one of certificate and key");
  const std::string expires = text_at(status, "expirationTimestamp");
  if (!expires.empty()) found.expires_ms = base::parse_rfc3339(expires);
  if (found.expires_ms < 0) return nonsense("answered with an expirationTimestamp that is no time");
  return found;
}

base::Result<PluginCredentials> run_plugin(const Connection& connection, const PluginRunner& runner,
                                           bool terminal) {
  const ExecConfig& exec = *connection.exec;
  if (!exec.allowed) return failed(exec, "may not be run", "the credentialPluginPolicy in kuberc says so");
  if (exec.interactive_mode == "Always" && !terminal)
    return failed(exec, "wants to talk to somebody, and there is no terminal", "log in from a terminal first");
  const bool interactive = exec.interactive_mode != "Never" && terminal;
  PluginCall call;
  call.argv = {exec.command};
  call.argv.insert(call.argv.end(), exec.args.begin(), exec.args.end());
  call.environment = exec.env;
  call.environment.emplace_back("KUBERNETES_EXEC_INFO", exec_info(connection, interactive));
  call.interactive = interactive;
  const base::Result<PluginAnswer> answer = runner(call);
  if (answer.status().kind() == base::ErrorKind::not_found)
    return failed(exec, "is not installed", exec.install_hint.empty() ? "install it" : exec.install_hint);
  if (!answer.ok()) return failed(exec, "could not be run: " + answer.status().message(), "");
  if (answer->timed_out) return failed(exec, "did not answer in time", "run it by hand");
  if (answer->exit_code != 0)
    return failed(exec, fmt::format("failed with exit code {}", answer->exit_code),
                  "run it by hand; it may want a login");
  base::Result<PluginCredentials> found = parse_plugin_answer(answer->out, exec.api_version);
  if (!found.ok()) return failed(exec, found.status().message(), found.status().advice());
  return found;
}

PluginRunner real_plugin_runner() {
  return [](const PluginCall& call) -> base::Result<PluginAnswer> {
    base::ProcessOptions options;
    options.timeout_ms = call.interactive ? plugin_ms * 5 : plugin_ms;
    options.environment = call.environment;
    options.keep_stdin = call.interactive;
    options.keep_stderr = true;  // where it says what it wants from a person
    const base::Result<base::ProcessResult> result = base::run_process(call.argv, options);
    if (!result.ok()) return result.status();
    return PluginAnswer{result->exit_code, result->timed_out, result->out};
  };
}

}  // namespace cmb2kueue::target
