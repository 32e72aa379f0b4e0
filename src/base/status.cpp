// The words of the error kinds.
#include "cmb2kueue/base/status.h"

namespace cmb2kueue::base {

const char* to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::none:
      return "none";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::not_found:
      return "not-found";
    case ErrorKind::io:
      return "io";
    case ErrorKind::cluster:
      return "cluster";
    case ErrorKind::conflict:
      return "conflict";
    case ErrorKind::stale:
      return "stale";
    case ErrorKind::locked:
      return "locked";
    case ErrorKind::mismatch:
      return "mismatch";
    case ErrorKind::interrupted:
      return "interrupted";
    case ErrorKind::internal:
      return "internal";
  }
  return "internal";
}

Status Status::prefixed(const std::string& words) const {
  return Status(kind_, words + ": " + message_, advice_, place_);
}

}  // namespace cmb2kueue::base
