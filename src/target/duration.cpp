// Durations as Go writes them, for --request-timeout.
#include <charconv>

#include "kubeconfig.h"

namespace cmb2kueue::target {

namespace {

struct UnitOfTime {
  std::string_view name;
  double ms;
};
constexpr UnitOfTime units[] = {{"ns", 1e-6}, {"us", 1e-3}, {"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"h", 3.6e6}};

}  // namespace

// A number alone is seconds (client-go v0.35, tools/clientcmd/helpers.go, ParseTimeout).
std::int64_t parse_duration_ms(const std::string& text) {
  std::string_view rest = text;
  double total = 0;
  if (rest.empty()) return -1;
  while (!rest.empty()) {
    double number = 0;
    const std::from_chars_result read =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (read.ec != std::errc() || number < 0) return -1;
    rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
    if (rest.empty())
      return read.ptr - text.data() == static_cast<std::ptrdiff_t>(text.size()) && total == 0
                 ? static_cast<std::int64_t>(number * 1e3)
                 : -1;
    const std::size_t end = std::min(rest.find_first_of("0123456789."), rest.size());
    double factor = -1;
    for (const UnitOfTime& unit : units)
      if (unit.name == rest.substr(0, end)) factor = unit.ms;
    if (factor < 0) return -1;
    total += number * factor;
    rest.remove_prefix(end);
  }
  return total > 1e15 ? -1 : static_cast<std::int64_t>(total);
}

}  // namespace cmb2kueue::target
