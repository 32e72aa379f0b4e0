// A unified diff as `diff -u` prints it: Myers' greedy algorithm (1986) over lines, with common ends cut off first.
// Past a bound on the work what is left in the middle is replaced whole, which is still a correct diff.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cmb2kueue/diff/change_set.h"

namespace cmb2kueue::diff {

namespace {

constexpr int most_edits = 1500;

struct Lines {
  std::vector<std::string_view> lines;
  bool ends_with_newline = true;
};

Lines split(const std::string& text) {
  Lines result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) {
      result.ends_with_newline = false;
      result.lines.push_back(std::string_view(text).substr(at));
      break;
    }
    result.lines.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  return result;
}

// One step of the script: ' ' keeps a line of both sides, '-' drops one of the first, '+' adds one of the second.
using Script = std::string;

class Myers {
 public:
  Myers(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) : a_(a), b_(b) {}
  Script script();

 private:
  Script middle(std::size_t start, std::size_t end_a, std::size_t end_b) const;
  const std::vector<std::string_view>& a_;
  const std::vector<std::string_view>& b_;
};

Script Myers::middle(std::size_t start, std::size_t end_a, std::size_t end_b) const {
  const int n = static_cast<int>(end_a - start), m = static_cast<int>(end_b - start);
  const Script whole = Script(static_cast<std::size_t>(n), '-') + Script(static_cast<std::size_t>(m), '+');
  const int limit = std::min(n + m, most_edits);
  std::vector<std::vector<int>> trace;
  std::vector<int> furthest(static_cast<std::size_t>(2 * limit + 3), 0);
  const auto at = [&](std::vector<int>& v, int k) -> int& { return v[static_cast<std::size_t>(k + limit + 1)]; };
  for (int d = 0; d <= limit; ++d) {
    trace.push_back(furthest);
    for (int k = -d; k <= d; k += 2) {
      int x = k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1)) ? at(furthest, k + 1)
                                                                               : at(furthest, k - 1) + 1;
      int y = x - k;
      while (x < n && y < m && a_[start + static_cast<std::size_t>(x)] == b_[start + static_cast<std::size_t>(y)])
        ++x, ++y;
      at(furthest, k) = x;
      if (x < n || y < m) continue;
      Script reversed;
      for (int back = d; back > 0; --back) {
        std::vector<int>& before = trace[static_cast<std::size_t>(back)];
        const int diagonal = x - y;
        const bool down =
            diagonal == -back || (diagonal != back && at(before, diagonal - 1) < at(before, diagonal + 1));
        const int last_x = down ? at(before, diagonal + 1) : at(before, diagonal - 1);
        const int last_y = last_x - (down ? diagonal + 1 : diagonal - 1);
        while (x > last_x && y > last_y && x > 0 && y > 0 &&
               (down ? y > last_y + 1 || x > last_x : x > last_x + 1)) {
          reversed += ' ';
          --x;
          --y;
        }
        reversed += down ? '+' : '-';
        x = last_x;
        y = last_y;
      }
      reversed.append(static_cast<std::size_t>(x), ' ');
      std::reverse(reversed.begin(), reversed.end());
      return reversed;
    }
  }
  return whole;
}

Script Myers::script() {
  std::size_t start = 0, end_a = a_.size(), end_b = b_.size();
  while (start < end_a && start < end_b && a_[start] == b_[start]) ++start;
  while (end_a > start && end_b > start && a_[end_a - 1] == b_[end_b - 1]) --end_a, --end_b;
  return Script(start, ' ') + middle(start, end_a, end_b) + Script(a_.size() - end_a, ' ');
}

struct Hunk {
  std::size_t from = 0, to = 0;        // steps of the script
  std::size_t line_a = 0, line_b = 0;  // first lines, from 0
  std::size_t count_a = 0, count_b = 0;
  std::string body;
};

std::string range(std::size_t line, std::size_t count) {
  if (count == 1) return std::to_string(line + 1);
  return fmt::format("{},{}", count == 0 ? line : line + 1, count);
}

// Stretches of the script around changes, with `context` kept lines on both sides.
std::vector<std::pair<std::size_t, std::size_t>> stretches(const Script& script, std::size_t context) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < script.size(); ++i) {
    if (script[i] == ' ') continue;
    const std::size_t from = i > context ? i - context : 0, to = std::min(script.size(), i + 1 + context);
    if (!found.empty() && from <= found.back().second)
      found.back().second = to;
    else
      found.emplace_back(from, to);
  }
  return found;
}

class Printer {
 public:
  Printer(const Lines& a, const Lines& b, const Script& script) : a_(a), b_(b), script_(script) {}
  std::string print(int context);

 private:
  void line(Hunk& hunk, char step);
  const Lines& a_;
  const Lines& b_;
  const Script& script_;
  std::size_t at_a_ = 0, at_b_ = 0;
};

void Printer::line(Hunk& hunk, char step) {
  const bool from_b = step == '+';
  const std::string_view text = from_b ? b_.lines[at_b_] : a_.lines[at_a_];
  hunk.body += step;
  hunk.body += text;
  hunk.body += '\n';
  const bool last_a = !from_b && at_a_ + 1 == a_.lines.size() && !a_.ends_with_newline;
  const bool last_b = step != '-' && at_b_ + 1 == b_.lines.size() && !b_.ends_with_newline;
  if (last_a || last_b) hunk.body += "\\ No newline at end of file\n";
  if (step != '+') ++at_a_, ++hunk.count_a;
  if (step != '-') ++at_b_, ++hunk.count_b;
}

std::string Printer::print(int context) {
  std::string out;
  std::size_t step = 0;
  for (const auto& [from, to] : stretches(script_, static_cast<std::size_t>(context))) {
    for (; step < from; ++step) {
      at_a_ += script_[step] != '+';
      at_b_ += script_[step] != '-';
    }
    Hunk hunk;
    hunk.line_a = at_a_;
    hunk.line_b = at_b_;
    for (; step < to; ++step) line(hunk, script_[step]);
    out += fmt::format("@@ -{} +{} @@\n{}", range(hunk.line_a, hunk.count_a), range(hunk.line_b, hunk.count_b),
                       hunk.body);
  }
  return out;
}

// A last line without its newline differs from the same line with one.
constexpr std::string_view no_newline_mark = "\n(no newline)";

std::string marked(const Lines& lines) {
  return std::string(lines.lines.back()) + std::string(no_newline_mark);
}

}  // namespace

std::string unified(const std::string& name_before, const std::string& text_before, const std::string& name_after,
                    const std::string& text_after, int context) {
  if (text_before == text_after) return "";
  const Lines a = split(text_before), b = split(text_after);
  std::vector<std::string_view> compared_a = a.lines, compared_b = b.lines;
  std::string marked_a, marked_b;
  if (!a.ends_with_newline) compared_a.back() = marked_a = marked(a);
  if (!b.ends_with_newline) compared_b.back() = marked_b = marked(b);
  const Script script = Myers(compared_a, compared_b).script();
  return fmt::format("--- {}\n+++ {}\n{}", name_before, name_after, Printer(a, b, script).print(context));
}

}  // namespace cmb2kueue::diff
