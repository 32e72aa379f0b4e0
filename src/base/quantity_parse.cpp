// Text to Quantity. The digits are read as one long number with a movable point, so that "1.5Gi", "15e-1" and a
// thousand digits take the same path, exactly, in one pass, and an exponent is only ever a position.
#include <algorithm>
#include <array>

#include "cmb2kueue/base/quantity.h"
#include "cmb2kueue/base/text.h"

namespace cmb2kueue::base {

namespace {

__extension__ typedef unsigned __int128 uint128;

constexpr std::uint64_t nanos_per_one = 1'000'000'000;
constexpr uint128 largest = ~uint128{0} >> 1U;
constexpr uint128 largest_binary = uint128{0x7fff'ffff'ffff'ffffU} * nanos_per_one;
constexpr std::int64_t largest_exponent =
    0x7fff'ffff;  // the server keeps it in an int32, and wraps silently beyond

struct Suffix {
  std::string_view text;
  int exponent;  // of 10, or of 2 for the binary ones
  Quantity::Format format;
};
constexpr std::array<Suffix, 16> suffixes = {{
    {"", 0, Quantity::Format::decimal_si},
    {"n", -9, Quantity::Format::decimal_si},
    {"u", -6, Quantity::Format::decimal_si},
    {"m", -3, Quantity::Format::decimal_si},
    {"k", 3, Quantity::Format::decimal_si},
    {"M", 6, Quantity::Format::decimal_si},
    {"G", 9, Quantity::Format::decimal_si},
    {"T", 12, Quantity::Format::decimal_si},
    {"P", 15, Quantity::Format::decimal_si},
    {"E", 18, Quantity::Format::decimal_si},
    {"Ki", 10, Quantity::Format::binary_si},
    {"Mi", 20, Quantity::Format::binary_si},
    {"Gi", 30, Quantity::Format::binary_si},
    {"Ti", 40, Quantity::Format::binary_si},
    {"Pi", 50, Quantity::Format::binary_si},
    {"Ei", 60, Quantity::Format::binary_si},
}};

// A quantity taken apart. Its value is 0.D1D2D3... moved `point` digits to the right, times 2^binary.
struct Parts {
  bool negative = false;
  std::string_view whole;     // digits before the point, no leading zeros
  std::string_view fraction;  // digits behind it
  std::int64_t exponent = 0;
  int binary = 0;
  Quantity::Format format = Quantity::Format::decimal_si;

  std::int64_t digits() const { return static_cast<std::int64_t>(whole.size() + fraction.size()); }
  std::int64_t point() const { return static_cast<std::int64_t>(whole.size()) + exponent; }
  // The digit at a position counted from the first; 0 where none is written.
  unsigned digit(std::int64_t at) const {
    if (at < 0 || at >= digits()) return 0;
    const std::size_t index = static_cast<std::size_t>(at);
    const char c = index < whole.size() ? whole[index] : fraction[index - whole.size()];
    return static_cast<unsigned>(c - '0');
  }
};

struct Magnitude {
  uint128 nanos = 0;
  bool rounded = false;
};

Status not_a_quantity(std::string_view text, const std::string& why, std::size_t at) {
  return Status(
      ErrorKind::input, quoted(text) + " is not a quantity: " + why + " at character " + std::to_string(at + 1),
      "write a number followed by nothing, by one of n u m k M G T P E Ki Mi Gi Ti Pi Ei, or by an exponent "
      "such as e3");
}

Status out_of_range(std::string_view text, const char* what) {
  return Status(ErrorKind::input, quoted(text) + " is out of range: " + what,
                "the largest quantity that can be held is 1.7e29");
}

std::string_view take_digits(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return text.substr(start, at - start);
}

Status read_exponent(std::string_view text, std::size_t at, Parts& parts) {
  ++at;  // the letter e or E
  const bool negative = at < text.size() && text[at] == '-';
  if (negative || (at < text.size() && text[at] == '+')) ++at;
  const std::string_view digits = take_digits(text, at);
  if (digits.empty() || at < text.size()) return not_a_quantity(text, "expected a digit of the exponent", at);
  for (const char c : digits) {
    parts.exponent = parts.exponent * 10 + (c - '0');
    if (parts.exponent > largest_exponent) return out_of_range(text, "its exponent is beyond 2147483647");
  }
  if (negative) parts.exponent = -parts.exponent;
  parts.format = Quantity::Format::decimal_exponent;
  return {};
}

Status read_suffix(std::string_view text, std::size_t at, Parts& parts) {
  const std::string_view rest = text.substr(at);
  for (const Suffix& suffix : suffixes) {
    if (rest != suffix.text) continue;
    parts.format = suffix.format;
    if (suffix.format == Quantity::Format::binary_si)
      parts.binary = suffix.exponent;
    else
      parts.exponent = suffix.exponent;
    return {};
  }
  if (rest[0] == 'e' || rest[0] == 'E') return read_exponent(text, at, parts);
  return not_a_quantity(text, "unknown suffix " + quoted(rest, 10), at);
}

Result<Parts> take_apart(std::string_view text) {
  Parts parts;
  std::size_t at = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) parts.negative = text[at++] == '-';
  parts.whole = take_digits(text, at);
  bool any = !parts.whole.empty();
  while (!parts.whole.empty() && parts.whole.front() == '0') parts.whole.remove_prefix(1);
  if (at < text.size() && text[at] == '.') {
    parts.fraction = take_digits(text, ++at);
    any = any || !parts.fraction.empty();
  }
  if (!any) return not_a_quantity(text, "expected a digit", at);
  Status status = read_suffix(text, at, parts);
  if (!status.ok()) return status;
  return parts;
}

// The digits before the point, times `scale` nano-units; false when that is more than can be held. The digits have
// no leading zeros here, or are few, so an absurd exponent ends the loop within forty turns.
bool whole_nanos(const Parts& parts, uint128 scale, uint128& nanos) {
  nanos = 0;
  for (std::int64_t at = 0; at < parts.point(); ++at) {
    nanos = nanos * 10 + parts.digit(at);
    if (nanos > largest / nanos_per_one) return false;
  }
  return !__builtin_mul_overflow(nanos, scale, &nanos);
}

// The digits behind the point times `scale` nano-units, and whether something smaller than one was left over.
// School multiplication from the right, nine digits at a time: scale is below 2^90, so a step stays within 120
// bits.
Magnitude fraction_nanos(const Parts& parts, uint128 scale) {
  constexpr std::int64_t step = 9;
  const std::int64_t point = parts.point();
  if (point < -40) return {0, true};  // far below a nano-unit
  Magnitude out;
  for (std::int64_t group = (parts.digits() - point + step - 1) / step - 1; group >= 0; --group) {
    std::uint32_t limb = 0;
    for (std::int64_t i = 0; i < step; ++i) limb = limb * 10 + parts.digit(point + group * step + i);
    out.nanos += uint128{limb} * scale;
    out.rounded = out.rounded || out.nanos % nanos_per_one != 0;
    out.nanos /= nanos_per_one;
  }
  return out;
}

// Takes the leading zeros off the number, so that its size can be seen from the point. False when nothing is left.
bool strip(Parts& parts) {
  if (!parts.whole.empty()) return true;
  const std::size_t zeros = std::min(parts.fraction.find_first_not_of('0'), parts.fraction.size());
  parts.fraction.remove_prefix(zeros);
  parts.exponent -= static_cast<std::int64_t>(zeros);
  return !parts.fraction.empty();
}

// Empty when the value is out of range.
std::optional<Magnitude> magnitude_of(Parts parts) {
  Magnitude out;
  if (!strip(parts)) return out;
  const bool binary = parts.format == Quantity::Format::binary_si;
  const uint128 scale = uint128{nanos_per_one} << static_cast<unsigned>(parts.binary);
  uint128 whole = 0;
  bool fits = whole_nanos(parts, scale, whole);
  if (fits) {
    out = fraction_nanos(parts, scale);
    fits = !__builtin_add_overflow(out.nanos, whole, &out.nanos);
    if (out.rounded) ++out.nanos;
  }
  if (binary && (!fits || out.nanos > largest_binary)) return Magnitude{largest_binary, false};
  if (!fits || out.nanos > largest) return std::nullopt;
  return out;
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  const Result<Parts> parts = take_apart(text);
  if (!parts.ok()) return parts.status();
  const std::optional<Magnitude> magnitude = magnitude_of(parts.value());
  if (!magnitude) return out_of_range(text, "its value is too large");
  const int128 nanos = static_cast<int128>(magnitude->nanos);
  const bool below_one = nanos > 0 && nanos < static_cast<int128>(nanos_per_one);
  const bool binary = parts->format == Format::binary_si;
  return Quantity(parts->negative ? -nanos : nanos, binary && below_one ? Format::decimal_si : parts->format);
}

bool Quantity::loses_precision(std::string_view text) {
  const Result<Parts> parts = take_apart(text);
  if (!parts.ok()) return false;
  const std::optional<Magnitude> magnitude = magnitude_of(parts.value());
  return magnitude && magnitude->rounded;
}

}  // namespace cmb2kueue::base
