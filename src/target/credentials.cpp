// Credentials: what is cached, for how long, and what a 401 changes.
#include "credentials.h"

#include <algorithm>
#include <limits>

#include "base64.h"
#include "cmb2kueue/base/text.h"
#include "exec_plugin.h"
#include "kubeconfig_file.h"

namespace cmb2kueue::target {

namespace {

constexpr std::int64_t always = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
// The kubelet renews a pod's token well before it ends; client-go reads it after a minute less its leeway of ten
// seconds.
constexpr std::int64_t token_age_ms = 50'000;

bool same(const Identity& a, const Identity& b) {
  return a.authorization == b.authorization && a.client_certificate_pem == b.client_certificate_pem &&
         a.client_key_pem == b.client_key_pem;
}

// A line end within would begin a header of its own.
bool fits_a_header(const std::string& token) {
  return std::none_of(token.begin(), token.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

base::Status check_token(const std::string& token) {
  if (fits_a_header(token)) return {};
  return base::Status(base::ErrorKind::cluster, "the token holds a line end or another control character",
                      "it is one line of text");
}

base::Result<std::string> read_token_file(const std::string& path, base::FileSystem& fs) {
  base::Result<std::string> text = read_small_file(path, fs);
  if (!text.ok()) return base::Status(base::ErrorKind::cluster, text.status().message(), text.status().advice());
  constexpr const char* white = " \t\r\n\v\f";
  const std::size_t first = text->find_first_not_of(white);
  if (first == std::string::npos)
    return base::Status(base::ErrorKind::cluster, "the token file " + base::quoted(path, 400) + " is empty",
                        "put the token in, or log in another way");
  std::string token = text->substr(first, text->find_last_not_of(white) - first + 1);
  const base::Status status = check_token(token);
  if (!status.ok()) return status;
  return token;
}

}  // namespace

Credentials::Credentials(Connection connection, base::FileSystem& fs, base::Clock& clock, PluginRunner runner)
    : connection_(std::move(connection)), fs_(fs), clock_(clock), runner_(std::move(runner)) {}

void Credentials::issue(const std::string& token, const std::string& certificate_pem, const std::string& key_pem) {
  Identity next;
  if (!token.empty())
    next.authorization = "Bearer " + token;
  else if (!connection_.username.empty())
    next.authorization = "Basic " + base64(connection_.username + ":" + connection_.password);
  next.client_certificate_pem = certificate_pem;
  next.client_key_pem = key_pem;
  const bool another = identity_.client_certificate_pem != certificate_pem || identity_.client_key_pem != key_pem;
  next.generation = identity_.generation + (identity_.issue > 0 && another ? 1 : 0);
  next.issue = identity_.issue + 1;
  identity_ = std::move(next);
}

// What was read last counts while there is nothing to read, then what the kubeconfig says itself.
base::Status Credentials::read_token() {
  const base::Result<std::string> token = read_token_file(connection_.token_file, fs_);
  good_until_ms_ = token.ok() ? clock_.now_ms() + token_age_ms - 1 : never;
  if (!token.ok() && identity_.issue > 0) return {};
  if (!token.ok() && connection_.token.empty()) return token.status();
  const base::Status status = check_token(connection_.token);
  if (!token.ok() && !status.ok()) return status;
  issue(token.ok() ? token.value() : connection_.token, connection_.client_certificate_pem,
        connection_.client_key_pem);
  return {};
}

base::Status Credentials::run_plugin() {
  const base::Result<ExecAnswer> answer = ask_plugin(connection_, runner_);
  if (!answer.ok()) return answer.status();
  const base::Status status = check_token(answer->token);
  if (!status.ok()) return status;
  issue(answer->token, answer->certificate_pem, answer->key_pem);
  good_until_ms_ = answer->expires_ms;
  return {};
}

base::Status Credentials::renew() {
  if (connection_.exec) return run_plugin();
  if (!connection_.token_file.empty()) return read_token();
  const base::Status status = check_token(connection_.token);
  if (!status.ok()) return status;
  issue(connection_.token, connection_.client_certificate_pem, connection_.client_key_pem);
  good_until_ms_ = always;
  return {};
}

base::Result<Identity> Credentials::current() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (identity_.issue == 0 || clock_.now_ms() > good_until_ms_) {
    const base::Status status = renew();
    if (!status.ok()) return status;
  }
  return identity_;
}

base::Result<bool> Credentials::refresh(const Identity& refused) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool renewable = connection_.exec.has_value() || !connection_.token_file.empty();
  if (renewable && refused.issue == identity_.issue) {
    const base::Status status = renew();
    if (!status.ok()) return status;
  }
  return !same(refused, identity_);
}

}  // namespace cmb2kueue::target
