// Quotas whose unit does not fit what they count. All of these pass the API, which is why they are worth saying;
// the value that was understood is always printed.
#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "rule_table.h"

namespace cmb2kueue::check {

namespace {

using base::int128;
using base::Quantity;

constexpr int128 one = 1'000'000'000;

bool counts_things(std::string_view resource) {
  if (resource == "pods") return true;
  for (const char* word : {"gpu", "tpu", "npu", "fpga"})
    if (resource.find(word) != std::string_view::npos) return true;
  return false;
}

bool is_whole(const Quantity& quantity) {
  return quantity.nanos() % one == 0;
}

std::string plain(const Quantity& quantity) {
  const int128 whole = quantity.nanos() / one;
  return whole > INT64_MAX || whole < INT64_MIN ? quantity.to_string()
                                                : base::with_commas(static_cast<std::int64_t>(whole));
}

// People write powers of ten, or nines, where they mean "no limit".
bool means_unlimited(const Quantity& value) {
  int128 whole = value.nanos() / one;
  if ((whole + 1) % 10 == 0) ++whole;
  while (whole > 0 && whole % 10 == 0) whole /= 10;
  return whole == 1;
}

void check_cpu(const Quantity& value, const GroupPath& field, const Subject& subject) {
  if (value.format() == Quantity::Format::binary_si)
    subject.report(
        "KQ-UNIT",
        fmt::format("cpu {} counts cores with a suffix of bytes: {} cores", value.to_string(), plain(value)),
        "write whole cores, or milli-cores with m", field.text());
}

// A quota of more cores than a large company has is rather a number of milli-cores. Limits are left alone: many are
// written high on purpose.
void check_many_cores(const Quantity& nominal, const GroupPath& field, const Subject& subject) {
  constexpr std::int64_t suspicious_cores = 100'000;
  if (nominal > Quantity::of(suspicious_cores, base::Unit::one) && !means_unlimited(nominal))
    subject.report("KQ-UNIT", fmt::format("cpu {} is {} whole cores", nominal.to_string(), plain(nominal)),
                   "write m behind a number of milli-cores", field.text());
}

void check_bytes(std::string_view resource, const Quantity& value, const GroupPath& field, const Subject& subject) {
  if (!is_whole(value))
    subject.report("KQ-UNIT", fmt::format("{} {} is a fraction of a byte", resource, value.to_string()),
                   "write bytes with Ki, Mi or Gi", field.text());
  else if (resource == "memory" && !value.is_zero() && value < Quantity::of(1, base::Unit::mebi))
    subject.report("KQ-UNIT", fmt::format("memory {} is {} bytes, less than 1Mi", value.to_string(), plain(value)),
                   "a bare number counts bytes; write a suffix", field.text());
}

void check_value(std::string_view resource, const Quantity& value, const GroupPath& field, const Subject& subject) {
  if (value.is_zero() || value.negative()) return;
  if (resource == "cpu") return check_cpu(value, field, subject);
  if (measured_in_bytes(resource)) return check_bytes(resource, value, field, subject);
  if (!counts_things(resource)) return;
  if (value.format() == Quantity::Format::binary_si)
    subject.report(
        "KQ-UNIT",
        fmt::format("{} counts devices, and {} is {} of them", resource, value.to_string(), plain(value)),
        "write a whole number without a suffix", field.text());
  else if (!is_whole(value))
    subject.report("KQ-UNIT", fmt::format("{} counts devices, and {} is a fraction", resource, value.to_string()),
                   "write a whole number; Kueue rounds fractions up", field.text());
}

}  // namespace

bool measured_in_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

void check_units(const kueue::ResourceQuota& row, const GroupPath& at, const Subject& subject) {
  check_value(row.resource, row.nominal, at.of("nominalQuota"), subject);
  if (row.resource == "cpu" && row.nominal.format() != Quantity::Format::binary_si)
    check_many_cores(row.nominal, at.of("nominalQuota"), subject);
  if (row.borrowing_limit) check_value(row.resource, *row.borrowing_limit, at.of("borrowingLimit"), subject);
  if (row.lending_limit) check_value(row.resource, *row.lending_limit, at.of("lendingLimit"), subject);
}

}  // namespace cmb2kueue::check
