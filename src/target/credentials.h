// Who we are to the API server, from request to request: tokens from files are read anew, a program that gives out
// credentials is run when needed and once more after a 401 (client-go v0.35 plugin/pkg/client/auth/exec/exec.go,
// transport/token_source.go).
#pragma once
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/status.h"
#include "kubeconfig.h"

namespace cmb2kueue::target {

// What a request is sent with. A change of `generation` means that connections opened with an older one must not be
// used any more; it comes with another client certificate, not with another token.
struct Identity {
  std::string authorization;                           // "Bearer ...", "Basic ...", or ""
  std::string client_certificate_pem, client_key_pem;  // "" when there is none
  std::uint64_t generation = 0;
  std::uint64_t issue = 0;  // for refresh(), which must know whether this one was replaced already
};

// Runs a credential plugin; the real one is base::run_process. `environment` is added to this process's own.
struct PluginCall {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;
  bool interactive = false;  // it may read from the terminal; its errors go to ours in any case
};
struct PluginAnswer {
  int exit_code = 0;
  bool timed_out = false;
  std::string out;
};
using PluginRunner = std::function<base::Result<PluginAnswer>(const PluginCall&)>;
PluginRunner real_plugin_runner();

class Credentials {
 public:
  Credentials(Connection connection, base::FileSystem& fs, base::Clock& clock, PluginRunner runner);

  // Valid now: cached until it expires; a token file is read again every 50 seconds, and what it held counts while
  // it cannot be read. Errors (kind cluster): the plugin is not allowed, missing (with its installHint), failed,
  // timed out or answered nonsense; a token file was never there. What they hold is never part of a message.
  base::Result<Identity> current();

  // The server answered 401 to `refused`: true when there is something newer to try now (the plugin was run again,
  // a token file has changed), false when it was the last word. Asked twice for one identity it does the work once.
  // Both may be called by several threads; they wait for one run of the plugin.
  base::Result<bool> refresh(const Identity& refused);

 private:
  base::Status renew();
  base::Status read_token();
  base::Status run_plugin();
  void issue(const std::string& token, const std::string& certificate_pem, const std::string& key_pem);

  const Connection connection_;
  base::FileSystem& fs_;
  base::Clock& clock_;
  const PluginRunner runner_;
  std::mutex mutex_;
  Identity identity_;
  std::int64_t good_until_ms_ = 0;  // of what was issued
};

}  // namespace cmb2kueue::target
