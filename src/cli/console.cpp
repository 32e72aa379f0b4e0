// Console: the two streams and the rules for colour and progress.
#include "console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace cmb2kueue::cli {

namespace {

bool set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool forced(const char* name) {
  return set(name) && std::string(std::getenv(name)) != "0";
}

bool color_by_environment() {
  if (set("NO_COLOR")) return false;
  if (forced("FORCE_COLOR") || forced("CLICOLOR_FORCE")) return true;
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string(term) == "dumb";
  return !dumb && isatty(STDOUT_FILENO) == 1;
}

std::int64_t monotonic_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void Console::decide_color(const std::string& flag) {
  style_.color = flag == "always" || (flag != "never" && color_by_environment());
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style_.width = size.ws_col;
}

void Console::document(const std::string& text) {
  if (stdout_failed_) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  stdout_failed_ = !written || std::fflush(stdout) != 0;
  reader_gone_ = stdout_failed_ && errno == EPIPE;
}

void Console::talk(const std::string& line) {
  const std::string whole = (progress_line_open_ ? "\n" : "") + line + "\n";
  progress_line_open_ = false;
  std::fwrite(whole.data(), 1, whole.size(), stderr);
}

void Console::progress(const std::string& what, std::uint64_t done, std::uint64_t total) {
  const std::int64_t now = monotonic_ms();
  if (progress_started_ == 0) progress_started_ = progress_shown_ = now;
  const bool terminal = isatty(STDERR_FILENO) == 1;
  const bool finished = done >= total;
  const std::int64_t elapsed = now - progress_started_;
  if (!finished && (elapsed < 1000 || now - progress_shown_ < (terminal ? 100 : 5000))) return;
  const bool shown_before = progress_line_open_ || progress_shown_ != progress_started_;
  if (!finished || shown_before) {
    const std::int64_t left =
        done == 0 ? 0 : elapsed * static_cast<std::int64_t>(total - done) / static_cast<std::int64_t>(done) / 1000;
    const std::string line = fmt::format("{}: {} of {}, {} s left", what, done, total, left);
    fmt::print(stderr, "{}{}{}", terminal ? "\r" : "", line, terminal && !finished ? "" : "\n");
    progress_line_open_ = terminal && !finished;
    progress_shown_ = now;
  }
  if (finished) progress_started_ = 0;
}

}  // namespace cmb2kueue::cli
