// One kubeconfig file, field by field with the types kubectl's reader demands: a number is no text, a quoted "true"
// no boolean, and every field may be null, which is as good as absent.
#include "kubeconfig_file.h"

#include <cstdint>
#include <filesystem>
#include <functional>

#include "base64.h"
#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/map_reader.h"
#include "cmb2kueue/doc/parse.h"
#include "typed_document.h"

namespace cmb2kueue::target {

namespace {

constexpr std::string_view exec_extension = "client.authentication.k8s.io/exec";

std::string beside(const std::string& file, const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  return (std::filesystem::path(file).parent_path() / path).lexically_normal();
}

// A command with a slash is a path. It becomes absolute, since one that lost its "./" would be looked up on PATH.
std::string command_beside(const std::string& file, const std::string& command) {
  if (command.find('/') == std::string::npos) return command;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(beside(file, command), error);
  return error ? command : whole.lexically_normal().string();
}

std::string decoded(doc::MapReader& map, std::string_view key) {
  const std::optional<std::string> bytes = from_base64(map.text(key));
  if (!bytes) map.report("BASE64", "this is not base64", "write the base64 of the PEM text, padding included", key);
  return bytes.value_or("");
}

ContextEntry read_context(doc::MapReader& map) {
  ContextEntry entry;
  entry.cluster = map.text("cluster");
  entry.user = map.text("user");
  entry.name_space = map.text("namespace");
  return entry;
}

std::string read_exec_extension(doc::MapReader& cluster) {
  std::string found;
  cluster.items("extensions", 0, SIZE_MAX, false, [&](doc::MapReader& item) {
    if (item.text("name") != exec_extension) return;
    const doc::Node value = item.take("extension");
    doc::JsonSink sink(found, 0);
    if (value.exists()) copy(value, sink);
  });
  return found;
}

ClusterEntry read_cluster(doc::MapReader& map, const std::string& file) {
  ClusterEntry entry;
  entry.server = map.text("server");
  entry.tls_server_name = map.text("tls-server-name");
  entry.insecure_skip_tls_verify = map.boolean("insecure-skip-tls-verify", false);
  entry.ca_path = beside(file, map.text("certificate-authority"));
  entry.ca_data = decoded(map, "certificate-authority-data");
  entry.proxy_url = map.text("proxy-url");
  entry.disable_compression = map.boolean("disable-compression", false);
  entry.exec_extension = read_exec_extension(map);
  return entry;
}

std::optional<ExecConfig> read_exec(doc::MapReader& user, const std::string& file) {
  if (!user.take("exec").exists()) return std::nullopt;
  doc::MapReader map = user.map("exec");
  ExecConfig exec;
  exec.api_version = map.text("apiVersion");
  exec.command = command_beside(file, map.text("command"));
  exec.args = map.texts("args", 0, SIZE_MAX);
  map.items("env", 0, SIZE_MAX, false, [&](doc::MapReader& item) {
    std::string name = item.text("name");
    exec.env.emplace_back(std::move(name), item.text("value"));
  });
  exec.install_hint = map.text("installHint");
  exec.interactive_mode = map.text("interactiveMode");
  exec.provide_cluster_info = map.boolean("provideClusterInfo", false);
  if (exec.interactive_mode.empty() && exec.api_version == "client.authentication.k8s.io/v1beta1")
    exec.interactive_mode = "IfAvailable";
  return exec;
}

std::optional<std::string> read_auth_provider(doc::MapReader& user) {
  if (!user.take("auth-provider").exists()) return std::nullopt;
  return user.map("auth-provider").text("name");
}

void read_impersonation(doc::MapReader& map, UserEntry& entry) {
  entry.as = map.text("as");
  entry.as_uid = map.text("as-uid");
  entry.as_groups = map.texts("as-groups", 0, SIZE_MAX);
  doc::MapReader extra = map.map("as-user-extra");
  for (const std::string& key : extra.keys()) entry.as_user_extra[key] = extra.texts(key, 0, SIZE_MAX);
}

UserEntry read_user(doc::MapReader& map, const std::string& file) {
  UserEntry entry;
  entry.certificate_path = beside(file, map.text("client-certificate"));
  entry.certificate_data = decoded(map, "client-certificate-data");
  entry.key_path = beside(file, map.text("client-key"));
  entry.key_data = decoded(map, "client-key-data");
  entry.token = map.text("token");
  entry.token_path = beside(file, map.text("tokenFile"));
  entry.username = map.text("username");
  entry.password = map.text("password");
  read_impersonation(map, entry);
  entry.auth_provider = read_auth_provider(map);
  entry.exec = read_exec(map, file);
  return entry;
}

// A list of maps with a name and what it names, such as "clusters" with items of a "name" and a "cluster".
template <class Entry>
void read_named(TypedDocument& document, std::string_view list, std::string_view inner,
                const std::function<Entry(doc::MapReader&)>& read, std::map<std::string, Entry>& found) {
  document.root().items(list, 0, SIZE_MAX, false, [&](doc::MapReader& item) {
    const std::string name = item.text("name");
    doc::MapReader map = item.map(inner);
    Entry entry = read(map);
    entry.where = document.describe(item.take("name").place());
    if (!found.emplace(name, std::move(entry)).second)
      item.report("TWICE", "there are two entries " + base::quoted(name) + " in this list", "rename one of them",
                  "name");
  });
}

void check_kind(TypedDocument& document) {
  const std::string version = document.root().text("apiVersion"), kind = document.root().text("kind");
  if (!version.empty() && version != "v1")
    document.root().report("VERSION", "this is no kubeconfig of the version v1", "the apiVersion is v1",
                           "apiVersion");
  if (!kind.empty() && kind != "Config")
    document.root().report("KIND", "this is no kubeconfig", "the kind is Config", "kind");
}

}  // namespace

base::Result<Kubeconfig> read_kubeconfig(const std::string& path, base::FileSystem& fs) {
  base::Result<std::string> text = read_small_file(path, fs);
  if (!text.ok()) return text.status();
  TypedDocument document(path, std::move(text).value());
  Kubeconfig config;
  if (!document.status().ok()) return document.status();
  check_kind(document);
  config.current_context = document.root().text("current-context");
  read_named<ContextEntry>(document, "contexts", "context", read_context, config.contexts);
  read_named<ClusterEntry>(
      document, "clusters", "cluster", [&](doc::MapReader& map) { return read_cluster(map, path); },
      config.clusters);
  read_named<UserEntry>(
      document, "users", "user", [&](doc::MapReader& map) { return read_user(map, path); }, config.users);
  const base::Status status = document.status();
  if (!status.ok()) return status;
  return config;
}

}  // namespace cmb2kueue::target
