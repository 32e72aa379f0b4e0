// Time of day as RFC 3339, and what /proc says about processes.
#include "cmb2kueue/base/clock.h"

#include <fmt/format.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace cmb2kueue::base {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// Field 22 of /proc/PID/stat. The command in field 2 may hold spaces and parentheses, so counting starts behind the
// last closing one. 0 when there is no such process, or only what is left of one until its parent asks (state Z or
// X).
std::uint64_t start_ticks(std::int64_t pid) {
  const std::string stat = first_line(fmt::format("/proc/{}/stat", pid));
  const std::size_t command_end = stat.rfind(')');
  if (command_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(command_end + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return 0;
  for (int skipped = 4; skipped < 22; ++skipped) fields >> field;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

// Takes `digits` digits and the separator behind them ('\0': none; a 'T' may be small) off the text; -1 when it
// reads otherwise.
int number(std::string_view& text, std::size_t digits, char separator) {
  if (text.size() < digits + (separator == '\0' ? 0 : 1)) return -1;
  int value = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  if (separator == '\0') return value;
  const char c = text.front();
  text.remove_prefix(1);
  return c == separator || (separator == 'T' && c == 't') ? value : -1;
}

bool skip_fraction(std::string_view& text) {
  if (text.empty() || text[0] != '.') return true;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  text.remove_prefix(end);
  return end > 1;
}

// Minutes east of Greenwich for "Z" or "+01:00"; empty for anything else.
std::optional<int> zone_minutes(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const int hours = number(text, 2, ':'), minutes = number(text, 2, '\0');
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  return sign * (hours * 60 + minutes);
}

std::string user_name() {
  const passwd* entry = getpwuid(getuid());
  return entry != nullptr ? entry->pw_name : std::to_string(getuid());
}

}  // namespace

// A signal ends the wait early, so that whoever was asked to stop need not wait it out.
void SystemClock::sleep_ms(std::int64_t ms) {
  timespec left{ms / 1000, (ms % 1000) * 1'000'000};
  nanosleep(&left, nullptr);
}

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
  std::string_view rest = text;
  const int year = number(rest, 4, '-'), month = number(rest, 2, '-'), day = number(rest, 2, 'T');
  const int hour = number(rest, 2, ':'), minute = number(rest, 2, ':'), second = number(rest, 2, '\0');
  if (year < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return -1;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (month < 0 || day < 0 || !date.ok()) return -1;
  if (!skip_fraction(rest)) return -1;
  const std::optional<int> offset = zone_minutes(rest);
  if (!offset) return -1;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute - *offset) * 60 + second) * 1000;
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
  if (holder.boot_id != here.boot_id || holder.pid <= 0) return Liveness::unknown;
  if (kill(static_cast<pid_t>(holder.pid), 0) != 0 && errno == ESRCH) return Liveness::dead;
  return start_ticks(holder.pid) == holder.started ? Liveness::alive : Liveness::dead;
}

}  // namespace cmb2kueue::base
