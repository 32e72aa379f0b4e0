#include "support/result.h"

namespace cmb2kueue::testing {

std::string describe(const base::Status& status) {
  if (status.ok()) return "ok";
  return std::string(to_string(status.kind())) + ": " + status.message() + " [" + status.advice() + "]";
}

}  // namespace cmb2kueue::testing
