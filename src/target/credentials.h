// Who we are to the API server, from request to request: tokens from files are read anew, a program that gives out
// credentials is run when needed and once more after a 401 (client-go v0.35 plugin/pkg/client/auth/exec/exec.go,
// transport/token_source.go).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/status.h"
#include "kubeconfig.h"

namespace cmb2kueue::target {

// What a request is sent with. A change of `generation` means that connections opened with an older one must not be
// used any more.
struct Identity {
  std::string authorization;                           // "Bearer ...", "Basic ...", or ""
  std::string client_certificate_pem, client_key_pem;  // "" when there is none
  std::uint64_t generation = 0;
};

// Runs a credential plugin; the real one is base::run_process. `environment` is added to this process's own.
struct PluginCall {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;
  bool interactive = false;  // it may talk to the terminal
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

  // Valid now: cached until shortly before it expires. Errors (kind cluster): the plugin is missing (with its
  // installHint), failed, timed out or answered nonsense. Its output is never part of a message.
  base::Result<Identity> current();

  // The server answered 401 to `refused`: true when there is something newer to try now (the plugin was run again,
  // a token file has changed), false when it was the last word. Asked twice for one identity it does the work once.
  base::Result<bool> refresh(const Identity& refused);

 private:
  bool uses_plugin() const;
  void read_token_file();
  base::Status ask_plugin();

  Connection connection_;
  base::FileSystem& fs_;
  base::Clock& clock_;
  PluginRunner runner_;
  Identity identity_;
  bool asked_ = false;
  std::int64_t expires_ms_ = 0;  // 0: never
  std::int64_t read_at_ms_ = 0;  // when the token file was read
};

}  // namespace cmb2kueue::target
