// SHA-256 through libmd, as hexadecimal and as base32.
#include <sha2.h>

#include <array>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::base {

namespace {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_LENGTH>;

Digest digest_of(std::string_view bytes) {
  Digest digest;
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  SHA256Final(digest.data(), &context);
  return digest;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : digest_of(bytes)) {
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

std::string sha256_base32(std::string_view text, std::size_t characters) {
  constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  std::string out;
  std::uint32_t bits = 0, have = 0;
  for (const std::uint8_t byte : digest_of(text)) {
    bits = (bits << 8U) | byte;
    for (have += 8; have >= 5; have -= 5) out += alphabet[(bits >> (have - 5)) & 31U];
  }
  out += alphabet[(bits << (5 - have)) & 31U];
  return out.substr(0, characters);
}

}  // namespace cmb2kueue::base
