// Three bytes are four characters of six bits.
#include "base64.h"

#include <cstdint>

namespace cmb2kueue::target {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Four characters, the last one or two of which may be padding.
bool decode_group(std::string_view group, std::string& out) {
  std::size_t padding = group.ends_with("==") ? 2 : group.ends_with('=') ? 1 : 0;
  std::uint32_t bits = 0;
  for (const char c : group.substr(0, 4 - padding)) {
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos) return false;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
  }
  bits <<= 6U * padding;
  for (std::uint32_t shift = 24; padding < 3; ++padding) {
    shift -= 8;
    out += static_cast<char>(bits >> shift & 0xffU);
  }
  return true;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) out += i <= group.size() ? alphabet[bits >> (18 - 6 * i) & 0x3fU] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string characters(text);
  std::erase_if(characters, [](char c) { return c == '\n' || c == '\r'; });
  if (characters.size() % 4 != 0) return std::nullopt;
  std::string out;
  for (std::size_t at = 0; at < characters.size(); at += 4) {
    const std::string_view group = std::string_view(characters).substr(at, 4);
    const bool last = at + 4 == characters.size();
    if ((!last && group.ends_with('=')) || !decode_group(group, out)) return std::nullopt;
  }
  return out;
}

}  // namespace cmb2kueue::target
