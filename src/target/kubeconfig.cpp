// From merged files and flags to one connection.
#include "kubeconfig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base64.h"
#include "cmb2kueue/base/text.h"
#include "json.h"
#include "kubeconfig_files.h"

namespace cmb2kueue::target {

namespace {

base::Status wrong(std::string message, std::string advice, base::Place place = {}) {
  return base::Status(base::ErrorKind::input, std::move(message), std::move(advice), place);
}

// Collects every problem of a connection, so that all are told in one run.
struct Problems {
  std::vector<std::string> lines;
  void add(std::string line) { lines.push_back(std::move(line)); }
  base::Status status() const {
    if (lines.empty()) return {};
    std::string all;
    for (const std::string& line : lines) all += "\n    " + line;
    return wrong("the kubeconfig makes no sense:" + all, "mend it; kubectl config view shows it without secrets");
  }
};

template <class Map>
base::Result<KubeEntry> entry_named(const Map& map, const std::string& what, const std::string& name) {
  const auto found = map.find(name);
  if (found != map.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [key, entry] : map) names.push_back(key);
  return base::Status(
      base::ErrorKind::not_found,
      fmt::format("no kubeconfig file has the {} {}{}", what, base::quoted(name), base::did_you_mean(name, names)),
      "kubectl config get-contexts lists what there is");
}

std::string absolute(const std::string& path, const std::string& folder) {
  return path.empty() || path.front() == '/' ? path : folder + "/" + path;
}

bool truth(doc::Node map, const char* key) {
  const doc::Node node = at(map, key);
  return node.exists() && node.boolean().value_or(false);
}

// Reading one map, with its files.
class Reader {
 public:
  Reader(const KubeEntry& entry, base::FileSystem& fs, Problems& problems, std::string name)
      : node_(entry.node), folder_(entry.folder), fs_(fs), problems_(problems), name_(std::move(name)) {}

  std::string text(const char* key) const {
    const doc::Node node = node_.exists() ? node_.find(key) : doc::Node();
    return node.is_scalar() ? std::string(node.text()) : std::string();
  }
  doc::Node node(const char* key) const { return node_.exists() ? node_.find(key) : doc::Node(); }
  bool flag(const char* key) const { return node_.exists() && truth(node_, key); }
  std::string path(const char* key) const { return absolute(text(key), folder_); }
  const std::string& folder() const { return folder_; }

  // "<key>" names a file, "<key>-data" holds base64; both at once is refused, as kubectl does.
  std::string pem(const std::string& key) const {
    const std::string data = text((key + "-data").c_str());
    const std::string file = path(key.c_str());
    if (!data.empty() && !file.empty()) problems_.add(fmt::format("{} has both {} and {}-data", name_, key, key));
    if (!data.empty()) {
      std::optional<std::string> decoded = decoded_base64(data);
      if (!decoded) problems_.add(fmt::format("{}-data of {} is no base64", key, name_));
      return decoded.value_or("");
    }
    return file.empty() ? "" : contents(file, key);
  }
  std::string contents(const std::string& file, const std::string& key) const {
    base::Result<std::string> read = fs_.read(file);
    if (!read.ok()) problems_.add(fmt::format("{} of {}: {}", key, name_, read.status().message()));
    return read.ok() ? std::move(read).value() : "";
  }

 private:
  doc::Node node_;
  std::string folder_;
  base::FileSystem& fs_;
  Problems& problems_;
  std::string name_;
};

std::string trimmed_slash(std::string server) {
  while (!server.empty() && server.back() == '/') server.pop_back();
  return server;
}

void read_cluster(const Reader& reader, const KubeFlags& flags, Connection& to, Problems& problems) {
  to.server = trimmed_slash(flags.server.empty() ? reader.text("server") : flags.server);
  to.tls_server_name = reader.text("tls-server-name");
  if (!flags.server.empty() || !flags.tls_server_name.empty()) to.tls_server_name = flags.tls_server_name;
  to.proxy_url = reader.text("proxy-url");
  to.disable_compression = reader.flag("disable-compression");
  to.insecure_skip_tls_verify = reader.flag("insecure-skip-tls-verify");
  // A flag about trust replaces everything the file says about it.
  if (!flags.certificate_authority.empty() || flags.insecure_skip_tls_verify) {
    to.insecure_skip_tls_verify = flags.insecure_skip_tls_verify;
    if (!flags.certificate_authority.empty())
      to.ca_pem = reader.contents(flags.certificate_authority, "--certificate-authority");
  } else {
    to.ca_pem = reader.pem("certificate-authority");
  }
  if (to.server.empty()) problems.add(fmt::format("the cluster {} has no server", base::quoted(to.cluster)));
  if (to.insecure_skip_tls_verify && !to.ca_pem.empty())
    problems.add(fmt::format("the cluster {} has certificates to trust and insecure-skip-tls-verify",
                             base::quoted(to.cluster)));
}

void check_provider(doc::Node provider, const std::string& user, Problems& problems) {
  if (!provider.exists()) return;
  const std::string name = text_at(provider, "name");
  const char* instead = name == "gcp"     ? "gke-gcloud-auth-plugin"
                        : name == "azure" ? "kubelogin convert-kubeconfig"
                        : name == "oidc"  ? "kubectl oidc-login"
                                          : "an exec plugin of its maker";
  problems.add(fmt::format("the user {} logs in by the auth-provider {}, which no client has any more: use {}",
                           base::quoted(user), base::quoted(name), instead));
}

std::vector<std::pair<std::string, std::string>> env_of(doc::Node list, const std::string& user,
                                                        Problems& problems) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const doc::Node one : doc::children(list)) {
    if (text_at(one, "name").empty()) problems.add("an env entry of the exec plugin of " + user + " has no name");
    all.emplace_back(text_at(one, "name"), text_at(one, "value"));
  }
  return all;
}

void check_exec(const ExecConfig& exec, const std::string& user, Problems& problems) {
  const std::string plugin = "the exec plugin of the user " + base::quoted(user);
  if (exec.command.empty()) problems.add(plugin + " has no command");
  if (exec.api_version == "client.authentication.k8s.io/v1alpha1")
    problems.add(plugin +
                 " speaks v1alpha1, which was removed in Kubernetes 1.24: upgrade the plugin and have its "
                 "kubeconfig written anew");
  else if (exec.api_version != "client.authentication.k8s.io/v1" &&
           exec.api_version != "client.authentication.k8s.io/v1beta1")
    problems.add(plugin + " has the apiVersion " + base::quoted(exec.api_version) +
                 ", not client.authentication.k8s.io/v1 or v1beta1");
  if (exec.interactive_mode.empty())
    problems.add(plugin + " has no interactiveMode, which v1 requires: Never, IfAvailable or Always");
  else if (exec.interactive_mode != "Never" && exec.interactive_mode != "IfAvailable" &&
           exec.interactive_mode != "Always")
    problems.add(plugin + " has the interactiveMode " + base::quoted(exec.interactive_mode));
}

ExecConfig read_exec(doc::Node node, const Reader& reader, const std::string& user, Problems& problems) {
  ExecConfig exec;
  exec.api_version = text_at(node, "apiVersion");
  exec.command = text_at(node, "command");
  // Only what holds a slash is a path; a plain name is looked up on PATH.
  if (exec.command.find('/') != std::string::npos) exec.command = absolute(exec.command, reader.folder());
  for (const doc::Node argument : doc::children(node.find("args"))) exec.args.emplace_back(argument.text());
  exec.env = env_of(node.find("env"), user, problems);
  exec.install_hint = text_at(node, "installHint");
  exec.interactive_mode = text_at(node, "interactiveMode");
  if (exec.interactive_mode.empty() && exec.api_version == "client.authentication.k8s.io/v1beta1")
    exec.interactive_mode = "IfAvailable";
  exec.provide_cluster_info = truth(node, "provideClusterInfo");
  check_exec(exec, user, problems);
  return exec;
}

void read_impersonation(const Reader& reader, const KubeFlags& flags, Connection& to, Problems& problems) {
  to.as = flags.as.empty() ? reader.text("as") : flags.as;
  to.as_uid = flags.as_uid.empty() ? reader.text("as-uid") : flags.as_uid;
  to.as_groups = flags.as_groups;
  if (to.as_groups.empty())
    for (const doc::Node group : doc::children(reader.node("as-groups"))) to.as_groups.emplace_back(group.text());
  for (const doc::Node extra : doc::children(reader.node("as-user-extra")))
    for (const doc::Node value : doc::children(extra))
      to.as_user_extra[std::string(extra.key())].emplace_back(value.text());
  if (to.as.empty() && (!to.as_uid.empty() || !to.as_groups.empty() || !to.as_user_extra.empty()))
    problems.add("a group, uid or extra is to be impersonated without a user");
}

void read_user(const Reader& reader, const KubeFlags& flags, Connection& to, Problems& problems) {
  to.token = flags.token.empty() ? reader.text("token") : flags.token;
  to.token_file = flags.token.empty() ? reader.path("tokenFile") : "";
  if (flags.token.empty()) {
    to.username = reader.text("username");
    to.password = reader.text("password");
  }
  const auto pem = [&](const std::string& flag, const char* key) {
    return flag.empty() ? reader.pem(key) : reader.contents(flag, "--" + std::string(key));
  };
  to.client_certificate_pem = pem(flags.client_certificate, "client-certificate");
  to.client_key_pem = pem(flags.client_key, "client-key");
  if (!to.client_certificate_pem.empty() && to.client_key_pem.empty())
    problems.add(fmt::format("the user {} has a client certificate without its key", base::quoted(to.user)));
  if (!to.token.empty() && flags.token.empty() && (!to.username.empty() || !to.password.empty()))
    problems.add(fmt::format("the user {} has a token and a password; only one is allowed", base::quoted(to.user)));
  check_provider(reader.node("auth-provider"), to.user, problems);
  if (reader.node("exec").is_map()) to.exec = read_exec(reader.node("exec"), reader, to.user, problems);
  // Who says who they are is not asked again by a plugin.
  if (!flags.token.empty() || !flags.client_certificate.empty()) to.exec.reset();
  read_impersonation(reader, flags, to, problems);
}

std::string exec_extension(doc::Node cluster) {
  for (const doc::Node one : doc::children(at(cluster, "extensions")))
    if (text_at(one, "name") == "client.authentication.k8s.io/exec") {
      std::string out;
      doc::JsonSink sink(out, 0);
      doc::copy(one.find("extension"), sink);
      return out;
    }
  return "";
}

base::Result<Connection> in_cluster(const KubeFlags& flags, const KubeEnvironment& environment,
                                    base::FileSystem& fs) {
  Connection made;
  made.context = made.cluster = made.user = "in-cluster";
  const bool v6 = environment.service_host.find(':') != std::string::npos;
  made.server = fmt::format("https://{}{}{}:{}", v6 ? "[" : "", environment.service_host, v6 ? "]" : "",
                            environment.service_port);
  if (!flags.server.empty()) made.server = trimmed_slash(flags.server);
  const std::string& folder = environment.service_account;
  base::Result<std::string> token = fs.read(folder + "/token");
  if (!token.ok()) return token.status().prefixed("the pod's own account");
  made.token = std::move(token).value();
  made.token_file = folder + "/token";
  if (!flags.token.empty()) {
    made.token = flags.token;
    made.token_file.clear();
  }
  base::Result<std::string> ca =
      fs.read(flags.certificate_authority.empty() ? folder + "/ca.crt" : flags.certificate_authority);
  if (ca.ok()) made.ca_pem = std::move(ca).value();
  const base::Result<std::string> name_space = fs.read(folder + "/namespace");
  if (name_space.ok()) made.name_space = name_space.value();
  made.as = flags.as;
  made.as_uid = flags.as_uid;
  made.as_groups = flags.as_groups;
  return made;
}

base::Status read_timeout(const KubeFlags& flags, Connection& to) {
  if (flags.request_timeout.empty()) return {};
  to.request_timeout_ms = parse_duration_ms(flags.request_timeout);
  if (to.request_timeout_ms >= 0) return {};
  return base::Status(base::ErrorKind::usage, base::quoted(flags.request_timeout) + " is no time",
                      "write --request-timeout as 30s, 2m or 0 for none");
}

base::Result<Connection> from_files(const KubeFlags& flags, const KubeEnvironment& environment,
                                    base::FileSystem& fs, const KubeFiles& files) {
  Connection made;
  made.context = flags.context.empty() ? files.current_context : flags.context;
  KubeEntry context, cluster, user;
  if (!made.context.empty()) {
    const base::Result<KubeEntry> found = entry_named(files.contexts, "context", made.context);
    if (!found.ok()) return found.status();
    context = found.value();
  }
  made.cluster = flags.cluster.empty() ? text_at(context.node, "cluster") : flags.cluster;
  made.user = flags.user.empty() ? text_at(context.node, "user") : flags.user;
  made.name_space = flags.name_space.empty() ? text_at(context.node, "namespace") : flags.name_space;
  Problems problems;
  if (!made.cluster.empty()) {
    const base::Result<KubeEntry> found = entry_named(files.clusters, "cluster", made.cluster);
    if (!found.ok()) return found.status();
    cluster = found.value();
  } else if (flags.server.empty()) {
    problems.add(made.context.empty() ? "no context is current, and none was named"
                                      : fmt::format("the context {} names no cluster", base::quoted(made.context)));
    return problems.status();
  }
  if (!made.user.empty()) {
    const base::Result<KubeEntry> found = entry_named(files.users, "user", made.user);
    if (!found.ok()) return found.status();
    user = found.value();
  }
  read_cluster(Reader(cluster, fs, problems, "the cluster " + base::quoted(made.cluster)), flags, made, problems);
  read_user(Reader(user, fs, problems, "the user " + base::quoted(made.user)), flags, made, problems);
  if (!problems.lines.empty()) return problems.status();
  if (made.exec) {
    made.exec->cluster_config = exec_extension(cluster.node);
    const base::Result<bool> allowed = plugin_allowed(made.exec->command, environment, fs);
    if (!allowed.ok()) return allowed.status();
    made.exec->allowed = allowed.value();
  }
  return made;
}

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

KubeEnvironment process_environment() {
  return {environment_value("KUBECONFIG"),
          environment_value("HOME"),
          environment_value("KUBERNETES_SERVICE_HOST"),
          environment_value("KUBERNETES_SERVICE_PORT"),
          "/var/run/secrets/kubernetes.io/serviceaccount",
          environment_value("KUBERC")};
}

base::Result<Connection> load_connection(const KubeFlags& flags, const KubeEnvironment& environment,
                                         base::FileSystem& fs) {
  KubeFiles files;
  const base::Status read = read_kube_files(flags, environment, fs, files);
  if (!read.ok()) return read;
  const bool pod = !environment.service_host.empty() && !environment.service_port.empty();
  const bool asks_pod = flags.context.empty() || flags.context == "in-cluster";
  base::Result<Connection> made =
      base::Status(base::ErrorKind::not_found, "there is no kubeconfig, and this is no pod",
                   "name a file with --kubeconfig or in KUBECONFIG, or have one at ~/.kube/config");
  if (files.any || !flags.server.empty())
    made = from_files(flags, environment, fs, files);
  else if (pod && asks_pod)
    made = in_cluster(flags, environment, fs);
  if (!made.ok()) return made;
  const base::Status timed = read_timeout(flags, made.value());
  if (!timed.ok()) return timed;
  return made;
}

}  // namespace cmb2kueue::target
