// The ExecCredential a plugin prints.
#pragma once
#include <string>

#include "exec_plugin.h"

namespace cmb2kueue::target {

// A failure's message goes on after the plugin's name ("answered ..."), and holds nothing of the output.
base::Result<ExecAnswer> read_answer(const std::string& out, const std::string& api_version);

}  // namespace cmb2kueue::target
