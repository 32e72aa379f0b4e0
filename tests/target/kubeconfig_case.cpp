#include "kubeconfig_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "support/files.h"

namespace cmb2kueue::target {

namespace {

std::string folder() {
  return testing::project_path("tests/target/kubeconfig");
}

std::vector<std::string> split(const std::string& text, char mark) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, mark);) parts.push_back(part);
  return parts;
}

void add_pod(KubeconfigCase& given) {
  given.environment.service_host = "10.0.0.1";
  given.environment.service_port = "443";
  given.fs.files["/pod/token"] = "canary-pod\n";
  given.fs.files["/pod/namespace"] = " night\n";
  given.fs.files["/pod/ca.crt"] = "-----BEGIN CERTIFICATE-----\nca of harbor\n-----END CERTIFICATE-----\n";
}

void set_environment(KubeconfigCase& given, const std::string& name, const std::string& value) {
  if (name == "pod") return add_pod(given);
  if (name == "no_ca") return static_cast<void>(given.fs.files.erase("/pod/ca.crt"));
  KubeEnvironment& all = given.environment;
  const std::map<std::string, std::string*> fields = {{"kubeconfig", &all.kubeconfig},
                                                      {"service_host", &all.service_host},
                                                      {"service_port", &all.service_port},
                                                      {"pod_namespace", &all.pod_namespace},
                                                      {"kuberc", &all.kuberc}};
  *fields.at(name) = value;
}

void set_flag(KubeFlags& flags, const std::string& name, const std::string& value) {
  if (name == "insecure-skip-tls-verify") flags.insecure_skip_tls_verify = value == "yes";
  if (name == "as-group") flags.as_groups = split(value, ',');
  const std::map<std::string, std::string*> fields = {{"kubeconfig", &flags.kubeconfig},
                                                      {"context", &flags.context},
                                                      {"cluster", &flags.cluster},
                                                      {"user", &flags.user},
                                                      {"namespace", &flags.name_space},
                                                      {"server", &flags.server},
                                                      {"token", &flags.token},
                                                      {"certificate-authority", &flags.certificate_authority},
                                                      {"client-certificate", &flags.client_certificate},
                                                      {"client-key", &flags.client_key},
                                                      {"tls-server-name", &flags.tls_server_name},
                                                      {"as", &flags.as},
                                                      {"as-uid", &flags.as_uid},
                                                      {"request-timeout", &flags.request_timeout}};
  const std::map<std::string, std::string*>::const_iterator field = fields.find(name);
  if (field != fields.end()) *field->second = value;
}

void read_line(KubeconfigCase& given, const std::string& line) {
  if (line.empty() || line[0] == '#') return;
  const std::size_t equals = line.find(" =");
  const std::string left = line.substr(0, equals);
  const std::string right = line.size() > equals + 3 ? line.substr(equals + 3) : "";
  const std::string word = left.substr(left.find(' ') + 1);
  if (left.starts_with("flag ")) return set_flag(given.flags, word, right);
  if (left.starts_with("env ")) return set_environment(given, word, right);
  if (left == "advice") {
    given.advice = right;
  } else if (left.starts_with("fails ")) {
    given.fails_with = word;
    given.message = right;
  } else {
    given.fields.emplace_back(left, right);
  }
}

std::string heart(const std::string& pem) {
  const std::vector<std::string> lines = split(pem, '\n');
  return lines.size() == 3 ? lines[1] : pem;
}

std::string extra_of(const Connection& connection) {
  std::vector<std::string> parts;
  for (const auto& [key, values] : connection.as_user_extra)
    parts.push_back(fmt::format("{}:{}", key, fmt::join(values, ",")));
  return fmt::format("{}", fmt::join(parts, ";"));
}

void show_exec(const ExecConfig& exec, std::map<std::string, std::string>& fields) {
  fields["exec"] = exec.command;
  fields["version"] = exec.api_version;
  fields["args"] = fmt::format("{}", fmt::join(exec.args, ","));
  std::vector<std::string> variables;
  for (const auto& [name, value] : exec.env) variables.push_back(fmt::format("{}={}", name, value));
  fields["env_added"] = fmt::format("{}", fmt::join(variables, ";"));
  fields["mode"] = exec.interactive_mode;
  fields["hint"] = exec.install_hint;
  fields["cluster_info"] = exec.provide_cluster_info ? "yes" : "no";
  fields["cluster_config"] = exec.cluster_config;
}

}  // namespace

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const std::string& path : testing::files_below(folder()))
    names.push_back(std::filesystem::path(path).stem());
  return names;
}

KubeconfigCase read_case(const std::string& name) {
  KubeconfigCase given;
  given.environment.home = "/home/ada";
  given.environment.service_account = "/pod";
  std::string* file = nullptr;
  for (const std::string& line : split(testing::read_file(folder() + "/" + name + ".txt"), '\n')) {
    if (line.starts_with("-- ") && line.ends_with(" --"))
      file = &given.fs.files[line.substr(3, line.size() - 6)];
    else if (file != nullptr)
      *file += line + "\n";
    else
      read_line(given, line);
  }
  return given;
}

std::map<std::string, std::string> shown(const Connection& connection) {
  std::map<std::string, std::string> fields = {
      {"context", connection.context},
      {"cluster", connection.cluster},
      {"user", connection.user},
      {"server", connection.server},
      {"namespace", connection.name_space},
      {"ca", heart(connection.ca_pem)},
      {"insecure", connection.insecure_skip_tls_verify ? "yes" : "no"},
      {"tls_server_name", connection.tls_server_name},
      {"proxy", connection.proxy_url},
      {"compression", connection.disable_compression ? "off" : "on"},
      {"certificate", heart(connection.client_certificate_pem)},
      {"key", heart(connection.client_key_pem)},
      {"token", connection.token},
      {"token_file", connection.token_file},
      {"username", connection.username},
      {"as", connection.as},
      {"as_uid", connection.as_uid},
      {"as_groups", fmt::format("{}", fmt::join(connection.as_groups, ","))},
      {"as_extra", extra_of(connection)},
      {"timeout", std::to_string(connection.request_timeout_ms)},
      {"exec", ""}};
  if (connection.exec) show_exec(*connection.exec, fields);
  return fields;
}

}  // namespace cmb2kueue::target
