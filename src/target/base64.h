// Base64 (RFC 4648) as kubeconfig files and the basic scheme of HTTP use it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace cmb2kueue::target {

std::string base64(std::string_view bytes);

// Nothing when the text is no base64 with its padding; line ends between its characters are read over.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace cmb2kueue::target
