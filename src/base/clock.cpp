// Time of day as RFC 3339, and what /proc says about processes.
#include "cmb2kueue/base/clock.h"

#include <fmt/format.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace cmb2kueue::base {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// Field 22 of /proc/PID/stat. The command in field 2 may hold spaces and parentheses, so counting starts behind the
// last closing one. 0 when there is no such process.
std::uint64_t start_ticks(std::int64_t pid) {
  const std::string stat = first_line(fmt::format("/proc/{}/stat", pid));
  std::size_t at = stat.rfind(')');
  if (at == std::string::npos) return 0;
  for (int field = 2; field < 22; ++field) {
    at = stat.find(' ', at + 1);
    if (at == std::string::npos) return 0;
  }
  return std::stoull(stat.substr(at + 1));
}

std::string user_name() {
  const passwd* entry = getpwuid(getuid());
  return entry != nullptr ? entry->pw_name : std::to_string(getuid());
}

}  // namespace

std::int64_t SystemClock::now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string rfc3339(std::int64_t ms) {
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::int64_t parse_rfc3339(const std::string& text) {
  std::tm parts{};
  int read = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%*1[Tt]%2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                  &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &read) != 6)
    return -1;
  std::size_t at = static_cast<std::size_t>(read);
  if (at < text.size() && text[at] == '.')
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9';) ++at;
  int offset_hours = 0, offset_minutes = 0;
  const std::string zone = text.substr(at);
  int used = 0;
  const bool utc = zone == "Z" || zone == "z";
  if (!utc && (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') ||
               std::sscanf(zone.c_str() + 1, "%2d:%2d%n", &offset_hours, &offset_minutes, &used) != 2 || used != 5))
    return -1;
  if (parts.tm_mon < 1 || parts.tm_mon > 12 || parts.tm_mday < 1 || parts.tm_mday > 31 || parts.tm_hour > 23 ||
      parts.tm_min > 59 || parts.tm_sec > 60)
    return -1;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  const std::int64_t offset = (offset_hours * 60 + offset_minutes) * 60 * (zone[0] == '-' ? -1 : 1);
  return (static_cast<std::int64_t>(timegm(&parts)) - offset) * 1000;
}

ProcessIdentity this_process() {
  ProcessIdentity identity;
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  identity.host = host;
  identity.boot_id = first_line("/proc/sys/kernel/random/boot_id");
  identity.pid = getpid();
  identity.started = start_ticks(identity.pid);
  identity.user = user_name();
  return identity;
}

Liveness liveness(const ProcessIdentity& holder) {
  const ProcessIdentity here = this_process();
  if (holder.host != here.host) return Liveness::unknown;
  if (holder.boot_id != here.boot_id) return Liveness::dead;  // this host has started anew since
  if (kill(static_cast<pid_t>(holder.pid), 0) != 0 && errno == ESRCH) return Liveness::dead;
  return start_ticks(holder.pid) == holder.started ? Liveness::alive : Liveness::dead;
}

}  // namespace cmb2kueue::base
