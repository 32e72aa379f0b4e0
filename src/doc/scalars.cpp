// Scalar resolution: word tables first, then numbers by their form.
#include "scalars.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace cmb2kueue::doc {

namespace {

constexpr std::array<std::string_view, 22> booleans = {
    "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on",    "On",    "ON",
    "n", "N", "no",  "No",  "NO",  "off",  "Off",  "OFF",  "false", "False", "FALSE"};
constexpr std::array<std::string_view, 5> nulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 12> floats = {".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",  ".INF",
                                                     "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};

template <std::size_t Size>
bool contains(const std::array<std::string_view, Size>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_decimal(std::string_view text) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t whole = skip_digits(text, at);
  const bool has_whole = whole > at;
  at = whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = skip_digits(text, at + 1);
    if (!has_whole && fraction == at + 1) return false;
    at = fraction;
  } else if (!has_whole) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const std::size_t exponent = skip_digits(text, at);
    if (exponent == at) return false;
    at = exponent;
  }
  return at == text.size();
}

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

int base_of(std::string_view digits, std::size_t& prefix) {
  prefix = 0;
  if (digits.size() < 2 || digits[0] != '0') return 10;
  prefix = 2;
  if (digits[1] == 'x' || digits[1] == 'X') return 16;
  if (digits[1] == 'o' || digits[1] == 'O') return 8;
  if (digits[1] == 'b' || digits[1] == 'B') return 2;
  prefix = 1;
  return 8;
}

// True when the text has the form of an integer in some base, whatever its size.
bool looks_integer(std::string_view text) {
  const std::string plain = without_underscores(text);
  std::string_view digits = plain;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  std::size_t prefix = 0;
  const int number_base = base_of(digits, prefix);
  digits.remove_prefix(prefix);
  if (digits.empty()) return false;
  return std::all_of(digits.begin(), digits.end(), [&](char c) {
    if (number_base == 16) return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    return is_digit(c) && c - '0' < number_base;
  });
}

bool may_start_number(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.';
}

}  // namespace

NodeKind resolve_plain(std::string_view text) {
  if (contains(nulls, text)) return NodeKind::null;
  if (text.size() <= 5 && contains(booleans, text)) return NodeKind::boolean;
  if (!may_start_number(text[0])) return NodeKind::text;
  if (contains(floats, text)) return NodeKind::decimal;
  if (looks_integer(text)) return NodeKind::integer;
  return looks_decimal(without_underscores(text)) ? NodeKind::decimal : NodeKind::text;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const std::string plain = without_underscores(text);
  std::string_view digits = plain;
  const bool negative = !digits.empty() && digits[0] == '-';
  if (!digits.empty() && (negative || digits[0] == '+')) digits.remove_prefix(1);
  std::size_t prefix = 0;
  const int number_base = base_of(digits, prefix);
  const std::string number = (negative ? "-" : "") + std::string(digits.substr(prefix));
  std::int64_t value = 0;
  const std::from_chars_result read =
      std::from_chars(number.data(), number.data() + number.size(), value, number_base);
  if (read.ec != std::errc() || read.ptr != number.data() + number.size()) return std::nullopt;
  return value;
}

bool plain_is_ambiguous(std::string_view text) {
  if (resolve_plain(text) != NodeKind::text) return true;
  if (text == "<<" || text == "=") return true;
  // Numbers with colons (base 60), dates and anything else that starts like a number and is made of its characters.
  return may_start_number(text[0]) && text.find_first_not_of("0123456789-+.:_eEtTzZ ") == std::string_view::npos;
}

}  // namespace cmb2kueue::doc
