// Who we are, now.
#include "credentials.h"

#include <unistd.h>

#include <algorithm>

#include "base64.h"
#include "exec_plugin.h"

namespace cmb2kueue::target {

namespace {

constexpr std::int64_t token_file_ms = 60'000;  // how long a token that was read is believed

std::string trimmed(std::string text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

}  // namespace

Credentials::Credentials(Connection connection, base::FileSystem& fs, base::Clock& clock, PluginRunner runner)
    : connection_(std::move(connection)), fs_(fs), clock_(clock), runner_(std::move(runner)) {
  identity_.client_certificate_pem = connection_.client_certificate_pem;
  identity_.client_key_pem = connection_.client_key_pem;
  if (!connection_.token.empty()) identity_.authorization = "Bearer " + trimmed(connection_.token);
  if (!connection_.username.empty() || !connection_.password.empty())
    identity_.authorization = "Basic " + encoded_base64(connection_.username + ":" + connection_.password);
}

// A plugin is asked only where nothing else says who we are (client-go's asks nobody where a request has its
// Authorization already, and that of a token file comes first).
bool Credentials::uses_plugin() const {
  return connection_.exec && connection_.token.empty() && connection_.token_file.empty() &&
         connection_.username.empty() && connection_.client_certificate_pem.empty();
}

// A file that cannot be read leaves what was known.
void Credentials::read_token_file() {
  read_at_ms_ = clock_.now_ms();
  const base::Result<std::string> token = fs_.read(connection_.token_file);
  if (token.ok()) identity_.authorization = "Bearer " + trimmed(token.value());
}

base::Status Credentials::ask_plugin() {
  const base::Result<PluginCredentials> found = run_plugin(connection_, runner_, isatty(STDIN_FILENO) == 1);
  if (!found.ok()) return found.status();
  asked_ = true;
  expires_ms_ = found->expires_ms;
  identity_.authorization = found->token.empty() ? "" : "Bearer " + found->token;
  if (identity_.client_certificate_pem != found->certificate_pem) ++identity_.generation;
  identity_.client_certificate_pem = found->certificate_pem;
  identity_.client_key_pem = found->key_pem;
  return {};
}

base::Result<Identity> Credentials::current() {
  if (!connection_.token_file.empty() && (read_at_ms_ == 0 || clock_.now_ms() > read_at_ms_ + token_file_ms))
    read_token_file();
  const bool expired = expires_ms_ != 0 && clock_.now_ms() >= expires_ms_;
  if (uses_plugin() && (!asked_ || expired)) {
    const base::Status asked = ask_plugin();
    if (!asked.ok()) return asked;
  }
  return identity_;
}

base::Result<bool> Credentials::refresh(const Identity& refused) {
  const auto same = [&] {
    return refused.authorization == identity_.authorization &&
           refused.client_certificate_pem == identity_.client_certificate_pem;
  };
  if (!same()) return true;  // renewed since
  if (!connection_.token_file.empty()) read_token_file();
  if (uses_plugin()) {
    const base::Status asked = ask_plugin();
    if (!asked.ok()) return asked;
    return true;
  }
  return !same();
}

}  // namespace cmb2kueue::target
