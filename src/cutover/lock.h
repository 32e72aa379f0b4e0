// One writer at a time: a file that only one process can create. A dead process of this host is taken over at once;
// a sleeper that wakes up after a take-over cannot write, since every write follows an append to a journal that has
// moved on without it.
#pragma once
#include <string>

#include "cmb2kueue/cutover/cutover.h"

namespace cmb2kueue::cutover {

std::string holder_id(const base::ProcessIdentity& who);  // "host/pid"

class Lock {
 public:
  explicit Lock(const Context& context) : context_(context) {}
  ~Lock() { release(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  // Takes the lock; `force` also from a live holder (rollback only). Errors: locked, naming holder and age.
  // `taken_over` says from whom it was taken, "" when it was free.
  base::Status acquire(const std::string& run, bool force, std::string& taken_over);
  void release();

 private:
  base::Status refused(const std::string& text) const;
  base::Status take_away(const std::string& text);
  const Context& context_;
  bool held_ = false;
  std::string text_;
};

}  // namespace cmb2kueue::cutover
