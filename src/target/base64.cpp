// Base64, both ways.
#include "base64.h"

#include <cstdint>

namespace cmb2kueue::target {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> decoded_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  std::size_t digits = 0, padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos || padding > 0) return std::nullopt;
    ++digits;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>((bits >> static_cast<unsigned>(have)) & 0xFFU);
  }
  if ((digits + padding) % 4 != 0 || padding > 2) return std::nullopt;
  return out;
}

std::string encoded_base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = (bits << 8U) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? alphabet[(bits >> (18U - 6U * k)) & 0x3FU] : '=';
  }
  return out;
}

}  // namespace cmb2kueue::target
