// Patterns over tenant paths: * stands for anything within a segment, ** for anything at all.
#pragma once
#include <string_view>

namespace cmb2kueue::mapping {

// Linear in text times pattern, without recursion.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace cmb2kueue::mapping
