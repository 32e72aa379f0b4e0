// The time of day and who is running, behind a door, since neither may leak into outputs unasked.
#pragma once
#include <cstdint>
#include <string>

namespace cmb2kueue::base {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_ms() = 0;  // milliseconds since 1970-01-01T00:00:00Z
};

class SystemClock : public Clock {
 public:
  std::int64_t now_ms() override;
};

// Stands still until told otherwise.
class FixedClock : public Clock {
 public:
  explicit FixedClock(std::int64_t ms) : ms_(ms) {}
  std::int64_t now_ms() override { return ms_; }
  void set(std::int64_t ms) { ms_ = ms; }

 private:
  std::int64_t ms_;
};

// "2026-03-04T05:06:07Z" (UTC, whole seconds), and back; -1 when the text is not RFC 3339.
std::string rfc3339(std::int64_t ms);
std::int64_t parse_rfc3339(const std::string& text);

// Who holds a lock: host, boot, process and its start time, so that a dead process of this host is recognised
// even when its pid was given out again.
struct ProcessIdentity {
  std::string host;
  std::string boot_id;
  std::int64_t pid = 0;
  std::uint64_t started = 0;  // kernel ticks since boot (/proc/PID/stat, field 22)
  std::string user;

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};
ProcessIdentity this_process();

// dead: this host, this boot, and no process of that number and start time is left (a zombie counts as dead).
// unknown: another host, or another boot: host names are not unique, so the holder may be alive elsewhere.
enum class Liveness { alive, dead, unknown };
Liveness liveness(const ProcessIdentity& holder);

}  // namespace cmb2kueue::base
