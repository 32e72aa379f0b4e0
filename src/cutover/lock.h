// One writer at a time: a file that only one process can create; in a cluster a Lease for the tenant and one for
// the cell. A dead process of this host is taken over at once, a Lease that nobody renews any more when it has run
// out. A sleeper that wakes up after a take-over cannot write, since every write follows an append to a journal
// that has moved on without it.
#pragma once
#include <string>
#include <vector>

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
  // `taken_over` says from whom it was taken, "" when it was free. `tenant` is its hash, "" for none.
  base::Status acquire(const std::string& run, const std::string& tenant, bool force, std::string& taken_over);
  void release();

  // Call before every write. Renews a Lease once a third of it has passed. Locked when it is somebody else's by
  // now, or when two thirds have passed and it cannot be renewed: then nothing may be written any more.
  base::Status keep();

 private:
  base::Status take(const std::string& name, bool force, std::string& taken_over);
  base::Status refused(const std::string& text) const;
  base::Status take_away(const std::string& name, const std::string& text);
  base::Status renew(const std::string& name);
  void drop(const std::string& name);
  std::string text() const;
  bool leased() const;

  const Context& context_;
  std::string run_;
  std::int64_t since_ms_ = 0, renewed_ms_ = 0;
  std::vector<std::string> held_;  // names, in the order they were taken
  std::string text_;               // of all of them, as written last
};

}  // namespace cmb2kueue::cutover
