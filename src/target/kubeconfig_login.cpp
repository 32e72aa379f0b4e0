// The user's side of a connection: what goes together, what does not, and what comes first.
#include <array>

#include "cmb2kueue/base/text.h"
#include "kubeconfig_parts.h"

namespace cmb2kueue::target {

namespace {

base::Status both(const Choice& choice, const std::string& first, const std::string& second) {
  return contradiction(choice.login.where, first + " and " + second + " are both given for " + the_user(choice),
                       "keep one of them");
}

// The pairs kubectl refuses. A certificate may stand beside any of the others, and a token or a name beside a
// plugin, which then is not asked.
base::Status check_pairs(const Choice& choice) {
  const UserEntry& user = choice.login;
  if (!user.token.empty() && !(user.username.empty() && user.password.empty()))
    return both(choice, "a token", "a username or password");
  if (!user.token_path.empty() && !user.username.empty()) return both(choice, "a tokenFile", "a username");
  if (user.exec && user.auth_provider) return both(choice, "an exec plugin", "an auth-provider");
  const bool certificate = !user.certificate_path.empty() || !user.certificate_data.empty();
  if (!user.certificate_path.empty() && !user.certificate_data.empty())
    return both(choice, "client-certificate", "client-certificate-data");
  if (certificate && !user.key_path.empty() && !user.key_data.empty())
    return both(choice, "client-key", "client-key-data");
  if (certificate && user.key_path.empty() && user.key_data.empty())
    return contradiction(user.where, the_user(choice) + " has a client certificate without a key",
                         "add client-key or client-key-data");
  return {};
}

base::Status check_impersonation(const Choice& choice) {
  const UserEntry& user = choice.login;
  if (!user.as.empty() || (user.as_uid.empty() && user.as_groups.empty() && user.as_user_extra.empty())) return {};
  return contradiction(user.where,
                       the_user(choice) + " asks for a uid, groups or extra of somebody, but not of whom",
                       "name the user with as or --as");
}

base::Status check_mode(const Choice& choice, const std::string& mode) {
  const std::vector<std::string> modes = {"Never", "IfAvailable", "Always"};
  for (const std::string& known : modes)
    if (mode == known) return {};
  if (mode.empty())
    return contradiction(choice.login.where, "the exec plugin of " + the_user(choice) + " has no interactiveMode",
                         "it is Never, IfAvailable or Always");
  return contradiction(choice.login.where,
                       "the exec plugin of " + the_user(choice) + " has the interactiveMode " + base::quoted(mode) +
                           base::did_you_mean(mode, modes),
                       "it is Never, IfAvailable or Always");
}

base::Status check_version(const Choice& choice, const std::string& version) {
  const std::string group = "client.authentication.k8s.io/";
  if (version == group + "v1" || version == group + "v1beta1") return {};
  const std::string start = "the exec plugin of " + the_user(choice);
  if (version.empty())
    return contradiction(choice.login.where, start + " has no apiVersion", "it is " + group + "v1 or v1beta1");
  const bool alpha = version == group + "v1alpha1";
  return contradiction(
      choice.login.where,
      start + " has the apiVersion " + base::quoted(version) + ", which no client speaks" +
          (alpha ? " since Kubernetes 1.24" : ""),
      alpha ? "update the plugin, then write " + group + "v1beta1; it often does with that change alone"
            : "it is " + group + "v1 or v1beta1");
}

base::Status check_exec(const Choice& choice) {
  if (!choice.login.exec) return {};
  const ExecConfig& exec = *choice.login.exec;
  if (exec.command.empty())
    return contradiction(choice.login.where, "the exec plugin of " + the_user(choice) + " has no command",
                         "add it");
  for (const std::pair<std::string, std::string>& variable : exec.env)
    if (variable.first.empty())
      return contradiction(choice.login.where,
                           "a variable for the exec plugin of " + the_user(choice) + " has no name", "add it");
  // The version first: who is told of it need not be told of a mode that another version does without.
  const base::Status version = check_version(choice, exec.api_version);
  return version.ok() ? check_mode(choice, exec.interactive_mode) : version;
}

// Logging in by code that was built into clients, which is gone; each has a plugin that took its place.
base::Status check_auth_provider(const Choice& choice) {
  if (!choice.login.auth_provider) return {};
  const std::string& name = *choice.login.auth_provider;
  std::string plugin = "a plugin of the cluster's operator under exec";
  using Row = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Row, 3> plugins = {
      {{"gcp", "gke-gcloud-auth-plugin under exec: gcloud container clusters get-credentials writes it"},
       {"azure", "kubelogin under exec: kubelogin convert-kubeconfig writes it"},
       {"oidc", "kubectl oidc-login under exec: kubectl oidc-login setup shows it"}}};
  for (const Row& row : plugins)
    if (row.first == name) plugin = row.second;
  return contradiction(choice.login.where,
                       the_user(choice) + " logs in with the auth-provider " + base::quoted(name) +
                           ", which this program does not have",
                       "use " + plugin);
}

// Data or the content of a file.
base::Result<std::string> pem_of(const Choice& choice, const std::string& field, const std::string& path,
                                 const std::string& data, const std::string& mark, base::FileSystem& fs) {
  base::Result<std::string> pem = data;
  if (!path.empty()) pem = named_file(choice.login.where, field, path, fs);
  if (!pem.ok() || pem->find(mark) != std::string::npos) return pem;
  return contradiction(choice.login.where, "the " + field + " of " + the_user(choice) + " is no PEM text",
                       "it holds a line that begins with -----BEGIN and ends with " + mark);
}

base::Status resolve_certificate(const Choice& choice, base::FileSystem& fs, Connection& connection) {
  const UserEntry& user = choice.login;
  if (user.certificate_path.empty() && user.certificate_data.empty()) return {};
  base::Result<std::string> certificate =
      pem_of(choice, "client-certificate", user.certificate_path, user.certificate_data, "CERTIFICATE-----", fs);
  if (!certificate.ok()) return certificate.status();
  base::Result<std::string> key =
      pem_of(choice, "client-key", user.key_path, user.key_data, "PRIVATE KEY-----", fs);
  if (!key.ok()) return key.status();
  connection.client_certificate_pem = std::move(certificate).value();
  connection.client_key_pem = std::move(key).value();
  return {};
}

void resolve_exec(const Choice& choice, const KubeEnvironment& environment, Connection& connection) {
  const bool other = !connection.token.empty() || !connection.token_file.empty() || !connection.username.empty() ||
                     !connection.client_certificate_pem.empty();
  if (!choice.login.exec || other) return;
  connection.exec = choice.login.exec;
  connection.exec->cluster_config = choice.server.exec_extension;
  connection.exec->at_terminal = environment.at_terminal;
}

void resolve_impersonation(const UserEntry& user, Connection& connection) {
  connection.as = user.as;
  connection.as_uid = user.as_uid;
  connection.as_groups = user.as_groups;
  connection.as_user_extra = user.as_user_extra;
}

}  // namespace

std::string the_user(const Choice& choice) {
  return choice.user.empty() ? "the login" : "the user " + base::quoted(choice.user);
}

base::Status resolve_login(const Choice& choice, const KubeEnvironment& environment, base::FileSystem& fs,
                           Connection& connection) {
  for (base::Status (*const check)(const Choice&) : {check_pairs, check_impersonation, check_exec}) {
    const base::Status status = check(choice);
    if (!status.ok()) return status;
  }
  resolve_impersonation(choice.login, connection);
  if (!connection.server.starts_with("https://")) return {};
  base::Status status = check_auth_provider(choice);
  if (status.ok()) status = resolve_certificate(choice, fs, connection);
  if (!status.ok()) return status;
  connection.token = choice.login.token;
  connection.token_file = choice.login.token_path;
  connection.username = choice.login.username;
  connection.password = choice.login.password;
  resolve_exec(choice, environment, connection);
  return {};
}

}  // namespace cmb2kueue::target
