// The version, said in one place for --version, reports and journal records.
#pragma once
#include <string_view>

namespace cmb2kueue::cli {

inline constexpr std::string_view tool_version = "0.1.0";

}  // namespace cmb2kueue::cli
