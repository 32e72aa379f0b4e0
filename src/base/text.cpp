// Quoting, slugs and counting words for messages and names.
#include "cmb2kueue/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace cmb2kueue::base {

namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Length of the well-formed UTF-8 sequence at `at`, 0 when there is none (RFC 3629, so no surrogates, no
// overlongs).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    return first == 0xED && byte(1) > 0x9F ? 0 : 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    return first == 0xF4 && byte(1) > 0x8F ? 0 : 4;
  }
  return 0;
}

// The code point of a well-formed sequence.
std::uint32_t code_point(std::string_view sequence) {
  const std::uint32_t first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first;
  std::uint32_t code = first & (0x7FU >> sequence.size());
  for (const char c : sequence.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

// C1 controls, line separators and marks of writing direction: a terminal or an editor would act on them.
bool acts_on_screen(std::uint32_t code) {
  return (code >= 0x80 && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(std::string_view text, std::size_t at, std::size_t length) {
  const char c = text[at];
  if (length == 0) return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  if (c == '"' || c == '\\') return std::string("\\") + c;
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
    return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  const std::string_view sequence = text.substr(at, length);
  const std::uint32_t code = code_point(sequence);
  return acts_on_screen(code) ? fmt::format("\\u{:04x}", code) : std::string(sequence);
}

}  // namespace

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

std::string slug(std::string_view text, std::size_t longest) {
  std::string out;
  for (const char raw : text) {
    const char c = lowered(raw);
    if (is_alphanumeric(c))
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  if (out.size() > longest) out.resize(longest);
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

std::string quoted(std::string_view text, std::size_t longest) {
  std::string out = "\"";
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters == longest) {
      out += "...";
      break;
    }
    const std::size_t length = sequence_length(text, at);
    out += escaped(text, at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out + "\"";
}

bool valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string with_commas(std::int64_t value) {
  const std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return with_commas(static_cast<std::int64_t>(count)) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace cmb2kueue::base
