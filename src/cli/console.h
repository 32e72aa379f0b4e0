// Where output goes: documents to stdout, talk to stderr, colour only where it belongs, and progress for long work.
#pragma once
#include <cstdint>
#include <string>

#include "cmb2kueue/report/report.h"

namespace cmb2kueue::cli {

class Console {
 public:
  // Decides on colour: --color beats NO_COLOR (non-empty), which beats FORCE_COLOR and CLICOLOR_FORCE (non-empty,
  // not "0"); else a terminal that is not TERM=dumb.
  void decide_color(const std::string& flag);

  void document(const std::string& text);  // stdout
  void talk(const std::string& line);      // stderr, a newline is added
  const report::Style& style() const { return style_; }
  bool stdout_failed() const { return stdout_failed_; }
  bool reader_gone() const { return reader_gone_; }  // it failed because nobody reads it any more

  // Progress for work of `total` steps: on a terminal one line rewritten at most ten times a second after the
  // first second, elsewhere a plain line every five seconds. Call with done == total to finish.
  void progress(const std::string& what, std::uint64_t done, std::uint64_t total);

 private:
  report::Style style_;
  bool stdout_failed_ = false;
  bool reader_gone_ = false;
  std::int64_t progress_started_ = 0;
  std::int64_t progress_shown_ = 0;
  bool progress_line_open_ = false;
};

}  // namespace cmb2kueue::cli
