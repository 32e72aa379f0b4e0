// Arithmetic on quantities and counts: every operation that can overflow says so instead of wrapping.
#include "cmb2kueue/base/quantity.h"

namespace cmb2kueue::base {

namespace {

constexpr std::int64_t nanos_per_milli = 1'000'000;
constexpr std::int64_t nanos_per_one = 1'000'000'000;

}  // namespace

Quantity Quantity::of(std::int64_t count, Unit unit) {
  switch (unit) {
    case Unit::one:
      return Quantity(int128{count} * nanos_per_one, Format::decimal_si);
    case Unit::milli:
      return Quantity(int128{count} * nanos_per_milli, Format::decimal_si);
    case Unit::mebi:
      return Quantity(int128{count} * (int128{nanos_per_one} << 20), Format::binary_si);
    case Unit::mega:
      return Quantity(int128{count} * (int128{nanos_per_one} * 1'000'000), Format::decimal_si);
  }
  return Quantity();
}

std::optional<std::int64_t> Quantity::kueue_units(std::string_view resource) const {
  const std::int64_t unit = resource == "cpu" ? nanos_per_milli : nanos_per_one;
  int128 units = nanos_ / unit;
  if (nanos_ % unit != 0) units += nanos_ < 0 ? -1 : 1;
  if (units > INT64_MAX || units < INT64_MIN) return std::nullopt;
  return static_cast<std::int64_t>(units);
}

std::optional<Quantity> Quantity::plus(const Quantity& other) const {
  int128 sum = 0;
  if (__builtin_add_overflow(nanos_, other.nanos_, &sum)) return std::nullopt;
  return Quantity(sum, is_zero() ? other.format_ : format_);
}

std::optional<Quantity> Quantity::minus(const Quantity& other) const {
  int128 difference = 0;
  if (__builtin_sub_overflow(nanos_, other.nanos_, &difference)) return std::nullopt;
  return Quantity(difference, is_zero() ? other.format_ : format_);
}

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

}  // namespace cmb2kueue::base
