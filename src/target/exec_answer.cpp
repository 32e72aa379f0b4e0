// What the plugin is told and what it answers, as documents.
#include "exec_answer.h"

#include "base64.h"
#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/doc/emit.h"
#include "typed_document.h"

namespace cmb2kueue::target {

namespace {

// Go's time zero, which stands for no time.
constexpr std::int64_t no_time_ms = -62'135'596'800'000;

void write_cluster(const Connection& connection, doc::Sink& sink) {
  sink.open_map();
  sink.text_field("server", connection.server);
  if (!connection.tls_server_name.empty()) sink.text_entry("tls-server-name", connection.tls_server_name);
  if (connection.insecure_skip_tls_verify) {
    sink.key("insecure-skip-tls-verify");
    sink.boolean(true);
  }
  if (!connection.ca_pem.empty()) sink.text_entry("certificate-authority-data", base64(connection.ca_pem));
  if (!connection.proxy_url.empty()) sink.text_entry("proxy-url", connection.proxy_url);
  if (connection.disable_compression) {
    sink.key("disable-compression");
    sink.boolean(true);
  }
  sink.field("config");
  sink.literal(connection.exec->cluster_config.empty() ? "null" : connection.exec->cluster_config);
  sink.close();
}

base::Status answered(const std::string& what, const std::string& advice = "run it by hand to see its answer") {
  return base::Status(base::ErrorKind::cluster, "answered " + what, advice);
}

base::Status check_kind(doc::MapReader& root, const std::string& api_version) {
  if (root.text("kind") != "ExecCredential") return answered("with something that is no ExecCredential");
  if (root.text("apiVersion") == api_version) return {};
  return answered("in another apiVersion than " + api_version + ", which the kubeconfig asks for",
                  "write the apiVersion the plugin speaks into the kubeconfig");
}

bool is_pem(const std::string& text, const std::string& mark) {
  return text.find("-----BEGIN ") != std::string::npos && text.find(mark) != std::string::npos;
}

base::Status check_parts(const ExecAnswer& answer) {
  if (answer.token.empty() && answer.certificate_pem.empty() && answer.key_pem.empty())
    return answered("without a token and without a certificate");
  if (answer.certificate_pem.empty() != answer.key_pem.empty())
    return answered(answer.key_pem.empty() ? "with a certificate, but no key for it"
                                           : "with a key, but no certificate for it");
  if (answer.key_pem.empty()) return {};
  if (!is_pem(answer.certificate_pem, "CERTIFICATE-----"))
    return answered("with a clientCertificateData that is no PEM text",
                    "it is PEM as it stands, without base64 around it");
  if (!is_pem(answer.key_pem, "PRIVATE KEY-----"))
    return answered("with a clientKeyData that is no PEM text", "it is PEM as it stands, without base64 around it");
  return {};
}

base::Status read_expiry(doc::MapReader& status, ExecAnswer& answer) {
  if (!status.take("expirationTimestamp").exists()) return {};
  const std::int64_t at = base::parse_rfc3339(status.text("expirationTimestamp"));
  if (at == -1) return answered("with an expirationTimestamp that is no time");
  if (at != no_time_ms) answer.expires_ms = at;
  return {};
}

}  // namespace

std::string exec_info(const Connection& connection, bool interactive) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("kind", "ExecCredential");
  sink.text_field("apiVersion", connection.exec->api_version);
  sink.field("spec");
  sink.open_map();
  if (connection.exec->provide_cluster_info) {
    sink.field("cluster");
    write_cluster(connection, sink);
  }
  sink.boolean_field("interactive", interactive);
  sink.close();
  sink.close();
  return out;
}

base::Result<ExecAnswer> read_answer(const std::string& out, const std::string& api_version) {
  TypedDocument document("answer", out);
  if (!document.status().ok()) return answered("with something that is neither JSON nor YAML");
  const base::Status kind = check_kind(document.root(), api_version);
  if (!kind.ok()) return kind;
  if (!document.root().take("status").exists()) return answered("without a status");
  ExecAnswer answer;
  doc::MapReader status = document.root().map("status");
  answer.token = status.text("token");
  answer.certificate_pem = status.text("clientCertificateData");
  answer.key_pem = status.text("clientKeyData");
  const base::Status time = read_expiry(status, answer);
  // A field of another type is the mistake, and what is missing follows from it.
  if (!document.status().ok()) return answered("with a field that is no text");
  const base::Status parts = check_parts(answer);
  if (!time.ok() || !parts.ok()) return time.ok() ? parts : time;
  return answer;
}

}  // namespace cmb2kueue::target
