// A unified diff as `diff -u` prints it: hunks of an edit script with lines of context around them.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cmb2kueue/diff/change_set.h"
#include "edit_script.h"

namespace cmb2kueue::diff {

namespace {

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

Script steps(const EditScript& edits) {
  Script script;
  for (std::size_t gap = 0; gap < edits.dropped.size(); ++gap) {
    if (gap > 0) script += ' ';
    script.append(edits.dropped[gap], '-');
    script.append(edits.added[gap], '+');
  }
  return script;
}

// Lines as numbers, equal lines as equal numbers. A last line without its newline differs from the same line with.
class Numbers {
 public:
  std::vector<int> of(const Lines& lines) {
    std::vector<int> numbers;
    numbers.reserve(lines.lines.size());
    for (const std::string_view line : lines.lines) numbers.push_back(number(with_newline_, line));
    if (!lines.ends_with_newline) numbers.back() = -1 - number(without_, lines.lines.back());
    return numbers;
  }

 private:
  using Known = std::unordered_map<std::string_view, int>;
  static int number(Known& known, std::string_view line) {
    return known.try_emplace(line, static_cast<int>(known.size())).first->second;
  }
  Known with_newline_, without_;
};

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
  std::string print(std::size_t context);

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

std::string Printer::print(std::size_t context) {
  std::string out;
  std::size_t step = 0;
  for (const auto& [from, to] : stretches(script_, context)) {
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

}  // namespace

std::string unified(const std::string& name_before, const std::string& text_before, const std::string& name_after,
                    const std::string& text_after, int context) {
  if (text_before == text_after) return "";
  const Lines a = split(text_before), b = split(text_after);
  const std::size_t around = static_cast<std::size_t>(std::max(context, 0));
  Numbers numbers;
  const std::vector<int> numbers_a = numbers.of(a), numbers_b = numbers.of(b);
  const Script script = steps(edit_script(numbers_a, numbers_b, around));
  return fmt::format("--- {}\n+++ {}\n{}", name_before, name_after, Printer(a, b, script).print(around));
}

}  // namespace cmb2kueue::diff
