// Scalar resolution in the order of the reader it follows: words by a table, then numbers by their form. A number
// out of the reader's range is text to it, as long as no form without a range fits.
#include "scalars.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace cmb2kueue::doc {

namespace {

constexpr std::array<std::string_view, 22> booleans = {
    "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on",    "On",    "ON",
    "n", "N", "no",  "No",  "NO",  "off",  "Off",  "OFF",  "false", "False", "FALSE"};
constexpr std::array<std::string_view, 5> nulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 12> floats = {".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",  ".INF",
                                                     "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};
constexpr std::size_t longest_word = 5;

// A word as a number, so that a table of words is compared without calls. Only for words of at most 8 bytes.
constexpr std::uint64_t packed(std::string_view word) {
  std::uint64_t value = 0;
  for (const char c : word) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

template <std::size_t Size>
constexpr std::array<std::uint64_t, Size> packed_all(const std::array<std::string_view, Size>& words) {
  std::array<std::uint64_t, Size> values{};
  for (std::size_t i = 0; i < Size; ++i) values[i] = packed(words[i]);
  return values;
}

constexpr std::array<std::uint64_t, booleans.size()> packed_booleans = packed_all(booleans);
constexpr std::array<std::uint64_t, nulls.size()> packed_nulls = packed_all(nulls);
constexpr std::array<std::uint64_t, floats.size()> packed_floats = packed_all(floats);

template <std::size_t Size>
bool contains(const std::array<std::uint64_t, Size>& words, std::string_view text) {
  if (text.size() > longest_word) return false;
  const std::uint64_t word = packed(text);
  bool found = false;
  for (const std::uint64_t value : words) found |= value == word;
  return found;
}

// What the first character allows: 'd' a number, '.' a decimal, 'm' a word of the tables, 0 only text.
constexpr std::array<char, 256> hints = [] {
  std::array<char, 256> table{};
  for (const char c : std::string_view("+-0123456789")) table[static_cast<unsigned char>(c)] = 'd';
  for (const char c : std::string_view("yYnNtTfFoO~")) table[static_cast<unsigned char>(c)] = 'm';
  table[static_cast<unsigned char>('.')] = '.';
  return table;
}();

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

// An integer literal taken apart. digits is empty when the text is none.
struct IntegerForm {
  bool negative = false;
  int base = 10;
  std::string_view digits;
};

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

IntegerForm integer_form(std::string_view text) {
  IntegerForm form;
  form.negative = !text.empty() && text[0] == '-';
  if (form.negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  std::size_t prefix = 0;
  form.base = base_of(text, prefix);
  text.remove_prefix(prefix);
  const bool all_digits = std::all_of(text.begin(), text.end(), [&](char c) {
    if (form.base == 16) return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    return is_digit(c) && c - '0' < form.base;
  });
  if (all_digits) form.digits = text;
  return form;
}

template <class Integer>
std::optional<Integer> read_digits(const IntegerForm& form) {
  if (form.digits.empty()) return std::nullopt;
  std::string number = form.negative ? "-" : "";
  number += form.digits;
  Integer value = 0;
  const char* end = number.data() + number.size();
  const std::from_chars_result read = std::from_chars(number.data(), end, value, form.base);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

bool in_range(const std::string& decimal) {
  return std::isfinite(std::strtod(decimal.c_str(), nullptr));
}

NodeKind resolve_number(std::string_view text) {
  const std::string plain = without_underscores(text);
  const IntegerForm form = integer_form(plain);
  if (read_digits<std::int64_t>(form) || read_digits<std::uint64_t>(form)) return NodeKind::integer;
  if (!looks_decimal(plain)) return NodeKind::text;
  const bool only_digits = form.base == 10 && !form.digits.empty();
  if (!in_range(plain)) return NodeKind::text;
  return only_digits ? NodeKind::integer : NodeKind::decimal;
}

// Behind a leading point an underscore must stand between digits, elsewhere it may stand anywhere.
NodeKind resolve_fraction(std::string_view text) {
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at + 1))
    if (!is_digit(text[at - 1]) || at + 1 == text.size() || !is_digit(text[at + 1])) return NodeKind::text;
  const std::string plain = without_underscores(text);
  return looks_decimal(plain) && in_range(plain) ? NodeKind::decimal : NodeKind::text;
}

}  // namespace

NodeKind resolve_plain(std::string_view text) {
  if (text.empty()) return NodeKind::null;
  const char hint = hints[static_cast<unsigned char>(text[0])];
  if (hint == 0) return NodeKind::text;
  if (text.size() <= longest_word) {
    if (contains(packed_nulls, text)) return NodeKind::null;
    if (hint == 'm' && contains(packed_booleans, text)) return NodeKind::boolean;
    if (contains(packed_floats, text)) return NodeKind::decimal;
  }
  if (hint == 'm') return NodeKind::text;
  if (hint == '.') return resolve_fraction(text);
  return resolve_number(text);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const std::string plain = without_underscores(text);
  return read_digits<std::int64_t>(integer_form(plain));
}

double parse_decimal(std::string_view text) {
  const std::string plain = without_underscores(text);
  if (contains(packed_floats, plain)) {
    const double value = plain.find_first_of("aA") != std::string::npos ? std::numeric_limits<double>::quiet_NaN()
                                                                        : std::numeric_limits<double>::infinity();
    return plain[0] == '-' ? -value : value;
  }
  const IntegerForm form = integer_form(plain);
  const std::optional<std::int64_t> whole = read_digits<std::int64_t>(form);
  if (whole) return static_cast<double>(*whole);
  const std::optional<std::uint64_t> large = read_digits<std::uint64_t>(form);
  return large ? static_cast<double>(*large) : std::strtod(plain.c_str(), nullptr);
}

bool parse_boolean(std::string_view text) {
  const char first = text.front();
  if (first == 'o' || first == 'O') return text.size() == 2;  // on, not off
  return first == 't' || first == 'T' || first == 'y' || first == 'Y';
}

namespace {

bool part_of_number(char c) {
  return (c >= '0' && c <= '9') || std::string_view("-+.:_eEtTzZ ").find(c) != std::string_view::npos;
}

}  // namespace

bool plain_is_ambiguous(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return true;
  if (resolve_plain(text) != NodeKind::text) return true;
  const char first = text[0];
  if (first == '<' || first == '=') return text == "<<" || text == "=";
  const char hint = hints[static_cast<unsigned char>(first)];
  if (hint != 'd' && hint != '.') return false;
  // Numbers with colons (base 60), dates, what else starts like a number and is made of the characters of one, and
  // based numbers too large for this reader but not for others.
  if (std::all_of(text.begin(), text.end(), part_of_number)) return true;
  const std::size_t zero = first == '-' || first == '+' ? 1 : 0;
  return text.size() > zero + 1 && text[zero] == '0' &&
         std::string_view("xXoObB").find(text[zero + 1]) != std::string_view::npos;
}

}  // namespace cmb2kueue::doc
