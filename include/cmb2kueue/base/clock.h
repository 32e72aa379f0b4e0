// The time of day and who is running, behind a door, since neither may leak into outputs unasked. Whoever needs the
// time takes a Clock&; only the command line makes a SystemClock.
#pragma once
#include <cstdint>
#include <string>

namespace cmb2kueue::base {

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970-01-01T00:00:00Z. May go backwards when the host's clock is set.
  virtual std::int64_t now_ms() = 0;
  // Waits so long, or until a signal arrives.
  virtual void sleep_ms(std::int64_t ms) = 0;
};

class SystemClock : public Clock {
 public:
  std::int64_t now_ms() override;
  void sleep_ms(std::int64_t ms) override;
};

// Stands still until told otherwise; whoever sleeps by it moves it on and is back at once.
class FixedClock : public Clock {
 public:
  explicit FixedClock(std::int64_t ms) : ms_(ms) {}
  std::int64_t now_ms() override { return ms_; }
  void sleep_ms(std::int64_t ms) override { ms_ += ms; }
  void set(std::int64_t ms) { ms_ = ms; }

 private:
  std::int64_t ms_;
};

// "2026-03-04T05:06:07Z": UTC, whole seconds, what is below a second is cut off.
std::string rfc3339(std::int64_t ms);

// Milliseconds of an RFC 3339 time. Any zone offset is taken, a fraction of a second is read over; -1 when the text
// is anything else, a date without a time, a day the calendar lacks or blanks included.
std::int64_t parse_rfc3339(const std::string& text);

// Who holds a lock: host, boot, process and its start time, so that a dead process of this host is recognised
// even when its pid was given out again. All five are for people too: a refused lock names them.
struct ProcessIdentity {
  // As gethostname(2) says; not unique across machines.
  std::string host;
  // /proc/sys/kernel/random/boot_id; empty where there is none.
  std::string boot_id;
  std::int64_t pid = 0;
  // Kernel ticks since boot (/proc/PID/stat, field 22); 0 when unknown.
  std::uint64_t started = 0;
  // Login name of the real user, or its number.
  std::string user;

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};
ProcessIdentity this_process();

// dead: this host, this boot, and no process of that number and start time is left (a zombie counts as dead).
// unknown: another host, or another boot: host names are not unique, so the holder may be alive elsewhere.
enum class Liveness { alive, dead, unknown };
Liveness liveness(const ProcessIdentity& holder);

}  // namespace cmb2kueue::base
