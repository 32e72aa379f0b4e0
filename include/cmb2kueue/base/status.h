// How a step that cannot go on says so: a closed set of kinds, one sentence for a person, one for what to do next,
// and a place. Something merely learned about the input is a Finding, not a Status.
#pragma once
#include <optional>
#include <string>
#include <utility>

#include "cmb2kueue/base/place.h"

namespace cmb2kueue::base {

// What went wrong, as far as a caller has to tell cases apart; more kinds would only be more to get wrong.
// Each kind stands for one exit code of the command line (man/cmb2kueue.1, EXIT STATUS).
enum class ErrorKind {
  none,
  usage,        // the caller asked for something that makes no sense
  input,        // a file is unreadable, unparsable or contradicts itself
  not_found,    // a named file, tenant or object does not exist
  io,           // the local file system refused
  cluster,      // the target or its credentials refused
  conflict,     // somebody else owns or changed what was to be written
  stale,        // a plan no longer fits the state it was made for
  locked,       // another run holds the lock
  mismatch,     // the result is not what was promised
  interrupted,  // stopped by a signal or a time limit; the same command goes on
  internal,     // a broken promise inside this program
};

// The kind's stable word, as used in JSON output ("usage", "input", ...).
const char* to_string(ErrorKind kind);

// Success, or a failure that a person can act on. Cheap to copy when it is success.
class [[nodiscard]] Status {
 public:
  // Success.
  Status() = default;
  // A failure. The message says what is wrong, with values, without a trailing full stop and without the place,
  // which is shown in front of it; the advice says what to do and may be empty.
  Status(ErrorKind kind, std::string message, std::string advice = {}, Place place = {})
      : kind_(kind), message_(std::move(message)), advice_(std::move(advice)), place_(place) {}

  bool ok() const { return kind_ == ErrorKind::none; }
  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& advice() const { return advice_; }
  Place place() const { return place_; }

  // The same failure with words put in front of the message ("reading plan.json: ...").
  Status prefixed(const std::string& words) const;

 private:
  ErrorKind kind_ = ErrorKind::none;
  std::string message_;
  std::string advice_;
  Place place_;
};

// A value or the Status that says why there is none. Reading the value of a failure is a programming error.
template <class T>
class [[nodiscard]] Result {
 public:
  // Both convert on purpose, so that a function returns either plainly. The status must be a failure.
  Result(T value) : value_(std::move(value)) {}          // NOLINT: meant to convert
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: meant to convert

  bool ok() const { return value_.has_value(); }
  // Success when there is a value.
  const Status& status() const { return status_; }
  // Only when ok().
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace cmb2kueue::base
