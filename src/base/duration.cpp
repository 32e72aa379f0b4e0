// Go's durations, which kubectl's --request-timeout takes beside plain seconds.
#include "cmb2kueue/base/duration.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace cmb2kueue::base {

namespace {

constexpr double longest_seconds = 9.2e9;  // of Go's 64-bit nanoseconds

// "ms" stands before "m", and "s" behind both.
constexpr std::array<std::pair<std::string_view, double>, 8> units = {{{"ns", 1e-9},
                                                                       {"us", 1e-6},
                                                                       {"\xC2\xB5s", 1e-6},
                                                                       {"\xCE\xBCs", 1e-6},
                                                                       {"ms", 1e-3},
                                                                       {"s", 1},
                                                                       {"m", 60},
                                                                       {"h", 3600}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Digits with at most one point; -1 when there is no digit.
double take_number(std::string_view& text) {
  std::size_t end = 0, digits = 0, points = 0;
  for (; end < text.size() && (is_digit(text[end]) || (text[end] == '.' && points == 0)); ++end)
    is_digit(text[end]) ? ++digits : ++points;
  double value = 0;
  if (digits == 0) return -1;
  std::from_chars(text.data(), text.data() + end, value, std::chars_format::fixed);
  text.remove_prefix(end);
  return value;
}

double take_unit(std::string_view& text) {
  for (const auto& [name, seconds] : units) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return seconds;
  }
  return -1;
}

// Seconds; -1 for no duration.
double parse_units(std::string_view text) {
  double sum = 0;
  do {
    const double value = take_number(text);
    const double unit = value < 0 ? -1 : take_unit(text);
    if (unit < 0) return -1;
    sum += value * unit;
  } while (!text.empty());
  return sum;
}

}  // namespace

std::int64_t parse_duration_ms(const std::string& text) {
  std::string_view rest = text;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.empty()) return -1;
  const bool plain = rest.find_first_not_of("0123456789") == std::string_view::npos;
  const double seconds = plain ? take_number(rest) : parse_units(rest);
  if (seconds < 0 || seconds > longest_seconds) return -1;
  return static_cast<std::int64_t>(std::ceil(std::round(seconds * 1e9) / 1e6));
}

}  // namespace cmb2kueue::base
