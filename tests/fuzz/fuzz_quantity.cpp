// Any bytes as a quantity: no crash, and what is read is printed as something that reads as the same value.
#include <cstdlib>

#include "cmb2kueue/base/quantity.h"

using cmb2kueue::base::Quantity;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const cmb2kueue::base::Result<Quantity> quantity = Quantity::parse(text);
  static_cast<void>(Quantity::loses_precision(text));
  if (!quantity.ok()) return 0;
  const cmb2kueue::base::Result<Quantity> again = Quantity::parse(quantity.value().to_string());
  if (!again.ok() || again.value().nanos() != quantity.value().nanos()) std::abort();
  if (again.value().to_string() != quantity.value().to_string()) std::abort();
  static_cast<void>(quantity.value().plus(quantity.value()));
  static_cast<void>(quantity.value().kueue_units("cpu"));
  return 0;
}
