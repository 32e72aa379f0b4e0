// One run of a credential plugin: what it is told and what it answers (client.authentication.k8s.io).
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "credentials.h"

namespace cmb2kueue::target {

struct ExecAnswer {
  std::string token;
  std::string certificate_pem, key_pem;
  std::int64_t expires_ms = std::numeric_limits<std::int64_t>::max();
};

// Kind cluster; see Credentials::current().
base::Result<ExecAnswer> ask_plugin(const Connection& connection, const PluginRunner& runner);

// The ExecCredential of the variable KUBERNETES_EXEC_INFO, on one line.
std::string exec_info(const Connection& connection, bool interactive);

// What of an install hint may go to a terminal: text and line ends; the rest is spelled out, as U+001B.
std::string harmless(const std::string& hint);

}  // namespace cmb2kueue::target
