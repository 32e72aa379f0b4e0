// Programs that give out credentials: what they are told, and what they answer.
#pragma once
#include <string>

#include "cmb2kueue/base/status.h"
#include "credentials.h"
#include "kubeconfig.h"

namespace cmb2kueue::target {

struct PluginCredentials {
  std::string token, certificate_pem, key_pem;
  std::int64_t expires_ms = 0;  // 0: they do not
};

// Runs the plugin. No message holds anything it said on its standard output.
base::Result<PluginCredentials> run_plugin(const Connection& connection, const PluginRunner& runner, bool terminal);

// Its answer, taken apart. `api_version` as configured.
base::Result<PluginCredentials> parse_plugin_answer(const std::string& text, const std::string& api_version);

}  // namespace cmb2kueue::target
