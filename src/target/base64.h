// Base64 as kubeconfig files hold it (RFC 4648, section 4, line ends allowed).
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace cmb2kueue::target {

std::optional<std::string> decoded_base64(std::string_view text);  // nothing when it is none
std::string encoded_base64(std::string_view bytes);

}  // namespace cmb2kueue::target
