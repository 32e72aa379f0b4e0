// The server's side of a connection.
#include <algorithm>
#include <cctype>

#include "cmb2kueue/base/text.h"
#include "kubeconfig_parts.h"

namespace cmb2kueue::target {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string scheme_of(const std::string& url) {
  const std::size_t end = url.find("://");
  return end == std::string::npos ? "" : lower(url.substr(0, end));
}

bool holds_blanks(const std::string& url) {
  return std::any_of(url.begin(), url.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

// With its scheme, and without a query or a slash at its end. "" when it is no address. An address without a scheme
// is http, as for kubectl, and then has no path.
std::string normal_address(const std::string& server) {
  const std::string scheme = scheme_of(server);
  std::string rest = scheme.empty() ? server : server.substr(scheme.size() + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  while (rest.ends_with('/')) rest.pop_back();
  const std::size_t slash = rest.find('/');
  if (rest.empty() || slash == 0 || holds_blanks(rest)) return "";
  if (scheme.empty()) return slash == std::string::npos ? "http://" + rest : "";
  return scheme == "http" || scheme == "https" ? scheme + "://" + rest : "";
}

// What an address is allowed to hold is not shown: a password may stand in it.
base::Status check_proxy(const Choice& choice) {
  const std::string& url = choice.server.proxy_url;
  const std::string scheme = scheme_of(url);
  if (url.empty() || scheme == "http" || scheme == "https" || scheme == "socks5") return {};
  return contradiction(choice.server.where, "the proxy-url of " + the_cluster(choice) + " is no address of a proxy",
                       "it begins with http://, https:// or socks5://");
}

base::Status resolve_ca(const Choice& choice, base::FileSystem& fs, Connection& connection) {
  const ClusterEntry& entry = choice.server;
  if (!entry.ca_path.empty() && !entry.ca_data.empty())
    return contradiction(
        entry.where,
        "certificate-authority and certificate-authority-data are both given for " + the_cluster(choice),
        "keep one of them");
  connection.ca_pem = entry.ca_data;
  if (!entry.ca_path.empty()) {
    base::Result<std::string> pem = named_file(entry.where, "certificate-authority", entry.ca_path, fs);
    if (!pem.ok()) return pem.status();
    connection.ca_pem = std::move(pem).value();
  }
  const bool has_ca = !entry.ca_path.empty() || !entry.ca_data.empty();
  if (has_ca && entry.insecure_skip_tls_verify)
    return contradiction(
        entry.where,
        "insecure-skip-tls-verify and a certificate authority are both given for " + the_cluster(choice),
        "keep the certificate authority");
  if (has_ca && connection.ca_pem.find("-----BEGIN CERTIFICATE-----") == std::string::npos)
    return contradiction(entry.where, "the certificate authority of " + the_cluster(choice) + " is no certificate",
                         "a PEM text is wanted, which begins with -----BEGIN CERTIFICATE-----");
  return {};
}

base::Status resolve_address(const Choice& choice, Connection& connection) {
  if (choice.server.server.empty())
    return contradiction(choice.server.where, the_cluster(choice) + " has no server", "give it one");
  connection.server = normal_address(choice.server.server);
  if (!connection.server.empty()) return {};
  return contradiction(choice.server.where, "the server of " + the_cluster(choice) + " is no address",
                       "write it as https://host:port");
}

}  // namespace

base::Status contradiction(const std::string& where, const std::string& message, const std::string& advice) {
  return at_place(where, base::Status(base::ErrorKind::input, message, advice));
}

std::string the_cluster(const Choice& choice) {
  return choice.cluster.empty() ? "the server" : "the cluster " + base::quoted(choice.cluster);
}

base::Result<std::string> named_file(const std::string& where, const std::string& field, const std::string& path,
                                     base::FileSystem& fs) {
  base::Result<std::string> text = read_small_file(path, fs);
  if (!text.ok()) return at_place(where, text.status().prefixed(field));
  return text;
}

base::Status resolve_server(const Choice& choice, base::FileSystem& fs, Connection& connection) {
  base::Status status = resolve_address(choice, connection);
  if (status.ok()) status = resolve_ca(choice, fs, connection);
  if (status.ok()) status = check_proxy(choice);
  connection.insecure_skip_tls_verify = choice.server.insecure_skip_tls_verify;
  connection.tls_server_name = choice.server.tls_server_name;
  connection.proxy_url = choice.server.proxy_url;
  connection.disable_compression = choice.server.disable_compression;
  return status;
}

}  // namespace cmb2kueue::target
