#include "plugin_double.h"

#include <algorithm>

namespace cmb2kueue::target {

PluginRunner PluginDouble::runner() {
  return [this](const PluginCall& call) -> base::Result<PluginAnswer> {
    const std::size_t turn = std::min(calls.size(), answers.size() - 1);
    calls.push_back(call);
    return PluginAnswer{0, false, answers[turn]};
  };
}

Connection plugin_connection() {
  Connection connection;
  connection.user = "ada";
  connection.server = "https://harbor.example:6443";
  connection.exec.emplace();
  connection.exec->api_version = "client.authentication.k8s.io/v1";
  connection.exec->command = "acme-login";
  connection.exec->interactive_mode = "Never";
  return connection;
}

std::string answer_with(const std::string& status_fields) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)" + status_fields +
         "}}";
}

std::string token_answer(const std::string& token, const std::string& expires) {
  const std::string time = expires.empty() ? "" : R"(,"expirationTimestamp":")" + expires + R"(")";
  return answer_with(R"("token":")" + token + R"(")" + time);
}

std::string certificate_answer(const std::string& name) {
  return answer_with(R"("clientCertificateData":"-----BEGIN CERTIFICATE-----\ncertificate )" + name +
                     R"(\n-----END CERTIFICATE-----\n","clientKeyData":"-----BEGIN PRIVATE KEY-----\ncanary-key )" +
                     name + R"(\n-----END PRIVATE KEY-----\n")");
}

}  // namespace cmb2kueue::target
