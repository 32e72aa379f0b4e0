// Exact Kubernetes resource quantities: every spelling the API server accepts is parsed, compared by value and
// printed in the canonical form the server prints (Kubernetes v1.35 apimachinery pkg/api/resource/quantity.go).
// Values are whole nano-units in 128 bits, so nothing rounds but what the server rounds too: below 1n goes up to
// 1n.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::base {

__extension__ typedef __int128 int128;

// What one count of a source system stands for: a CMB memoryMB is a mebi (Mi), networkMbps a mega (M), a YuniKorn
// vcore a milli (m). Counts are integers in this unit everywhere between reading and writing.
enum class Unit { one, milli, mebi, mega };

class Quantity {
 public:
  enum class Format : std::uint8_t { decimal_si, binary_si, decimal_exponent };

  Quantity() = default;  // 0, decimal_si

  // Errors (kind input): not a quantity (says at which character), exponent or value out of range. The largest
  // magnitude is 1.7e29 (2^127 nano-units); binary suffixes are capped at 2^63-1 as the server caps them. Takes
  // time linear in the text whatever the exponent says. No blanks, no locale; at least one digit is asked for, as
  // the CRD pattern does ("Gi" alone is no quantity, though the Go parser takes it for 0).
  static Result<Quantity> parse(std::string_view text);
  // True if parse() of this text had to round up to a whole nano-unit.
  static bool loses_precision(std::string_view text);

  // Exact for every count. mebi counts are binary_si, all others decimal_si.
  static Quantity of(std::int64_t count, Unit unit);
  // The value nanos * 10^-9.
  static Quantity from_nanos(int128 nanos, Format format = Format::decimal_si) { return Quantity(nanos, format); }

  int128 nanos() const { return nanos_; }
  Format format() const { return format_; }
  bool negative() const { return nanos_ < 0; }
  bool is_zero() const { return nanos_ == 0; }

  // Canonical text: "500m", "12", "1k", "1536Mi", "0". Never loses a digit, and parse() gives the value back. It is
  // a fixed point of the server: what is read there as this text is printed as this text. Three differences from
  // one pass of the server's printer follow from that: a text that merely looks canonical ("007", "1.500") is not
  // echoed; a binary value no binary suffix fits is printed in decimal at once (83k, not 83000), also beyond
  // 2^63-1; and SI does not stop counting beyond E (2000E, where the server prints 2).
  std::string to_string() const;
  // The same behind what `out` holds; for writers of millions of rows.
  void append_to(std::string& out) const;

  // Kueue's internal integer for this resource: cpu in milli, all others in ones, rounded away from zero
  // (Kueue v0.17.0 pkg/resources/requests.go). Empty when it does not fit int64.
  std::optional<std::int64_t> kueue_units(std::string_view resource) const;

  // Empty on overflow. The format is that of the left side unless it is zero.
  std::optional<Quantity> plus(const Quantity& other) const;
  std::optional<Quantity> minus(const Quantity& other) const;

  // By value: 0.5 equals 500m.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.nanos_ == b.nanos_; }
  friend std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return a.nanos_ < b.nanos_   ? std::strong_ordering::less
           : a.nanos_ > b.nanos_ ? std::strong_ordering::greater
                                 : std::strong_ordering::equal;
  }

 private:
  Quantity(int128 nanos, Format format) : nanos_(nanos), format_(format) {}
  int128 nanos_ = 0;
  Format format_ = Format::decimal_si;
};

// Checked integer arithmetic for counts; empty on overflow.
std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b);

}  // namespace cmb2kueue::base
