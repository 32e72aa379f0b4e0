// Quantity to its canonical text. Nearly every quantity written is a whole number of ones or thousandths that fits
// 64 bits; those are found by multiplying with the inverse of the divisor and never divide 128 bits.
#include <array>
#include <bit>
#include <charconv>

#include "cmb2kueue/base/quantity.h"

namespace cmb2kueue::base {

namespace {

// The decimal suffixes for 10^-9, 10^-6, ... 10^18.
constexpr std::array<char, 10> decimal_suffixes = {'n', 'u', 'm', '\0', 'k', 'M', 'G', 'T', 'P', 'E'};
constexpr std::array<char, 7> binary_suffixes = {'\0', 'K', 'M', 'G', 'T', 'P', 'E'};
constexpr int ones = 3;  // index of 10^0 in decimal_suffixes

// The x with x * odd == 1 modulo 2^64 (Newton's iteration doubles the right bits each turn).
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int turn = 0; turn < 6; ++turn) x *= 2 - odd * x;
  return x;
}

// nanos / divisor when that leaves no rest and fits 64 bits. The quotient of an exact division is a product modulo
// 2^64; multiplying back tells whether the division was exact.
template <std::int64_t divisor>
std::optional<std::int64_t> exact_quotient(int128 nanos) {
  constexpr int twos = std::countr_zero(static_cast<std::uint64_t>(divisor));
  constexpr std::uint64_t inverse = inverse_of(static_cast<std::uint64_t>(divisor) >> twos);
  const std::uint64_t product = static_cast<std::uint64_t>(nanos >> twos) * inverse;
  const std::int64_t quotient = static_cast<std::int64_t>(product);
  if (static_cast<int128>(quotient) * divisor != nanos) return std::nullopt;
  return quotient;
}

void append_number(std::string& out, std::int64_t value) {
  char digits[20];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

void append_number(std::string& out, int128 value) {
  char digits[40];
  char* at = digits + sizeof digits;
  const bool negative = value < 0;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    *--at = static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (negative) *--at = '-';
  out.append(at, digits + sizeof digits);
}

void append_exponent(std::string& out, int thousands, Quantity::Format format) {
  if (thousands == ones) return;
  if (format == Quantity::Format::decimal_exponent)
    out.append("e").append(std::to_string((thousands - ones) * 3));
  else
    out += decimal_suffixes[static_cast<std::size_t>(thousands)];
}

// Prints value * 1000^(thousands - ones), value not 0, with the power of 1000 as large as possible. SI ends at E.
template <class Integer>
void append_decimal(std::string& out, Integer value, int thousands, Quantity::Format format) {
  const int last =
      format == Quantity::Format::decimal_exponent ? 99 : static_cast<int>(decimal_suffixes.size()) - 1;
  for (; thousands < last && value % 1000 == 0; ++thousands) value /= 1000;
  append_number(out, value);
  append_exponent(out, thousands, format);
}

// Prints a whole value, not 0. A binary one that no binary suffix fits (below 1024, or odd) is printed in decimal:
// read back it is decimal, and only so it stays as it is. The server prints 83000 for 81.0546875Ki, but 83k for
// 83000.
void append_whole(std::string& out, std::int64_t value, Quantity::Format format) {
  if (format != Quantity::Format::binary_si) {
    append_decimal(out, value, ones, format);
    return;
  }
  const int power = std::countr_zero(static_cast<std::uint64_t>(value)) / 10;
  if (power == 0 || value == INT64_MIN) {  // the server caps binary suffixes at 2^63-1 on either side of zero
    append_decimal(out, value, ones, Quantity::Format::decimal_si);
    return;
  }
  append_number(out, value / (std::int64_t{1} << (power * 10)));
  (out += binary_suffixes[static_cast<std::size_t>(power)]) += 'i';
}

}  // namespace

void Quantity::append_to(std::string& out) const {
  constexpr std::int64_t nanos_per_one = 1'000'000'000, nanos_per_milli = 1'000'000;
  if (nanos_ == 0) {
    out += '0';
    return;
  }
  if (const std::optional<std::int64_t> whole = exact_quotient<nanos_per_one>(nanos_)) {
    append_whole(out, *whole, format_);
    return;
  }
  const Format decimal = format_ == Format::binary_si ? Format::decimal_si : format_;
  if (const std::optional<std::int64_t> milli = exact_quotient<nanos_per_milli>(nanos_))
    append_decimal(out, *milli, ones - 1, decimal);
  else
    append_decimal(out, nanos_, 0, decimal);
}

std::string Quantity::to_string() const {
  std::string out;
  append_to(out);
  return out;
}

}  // namespace cmb2kueue::base
