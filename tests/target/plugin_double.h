// A credential plugin that answers from a list, the last answer for ever, and remembers how it was called.
#pragma once
#include <string>
#include <vector>

#include "credentials.h"

namespace cmb2kueue::target {

struct PluginDouble {
  std::vector<std::string> answers;
  std::vector<PluginCall> calls;
  PluginRunner runner();
};

// Of a user with the plugin acme-login, v1, mode Never.
Connection plugin_connection();

// ExecCredentials of v1. No `expires` for "".
std::string token_answer(const std::string& token, const std::string& expires);
std::string certificate_answer(const std::string& name);
// With these fields of the status, as JSON.
std::string answer_with(const std::string& status_fields);

}  // namespace cmb2kueue::target
