// A strict JSON reader that keeps nothing but a stack of what is open.
#include "json_mistake.h"

#include <cmath>
#include <vector>

#include "cmb2kueue/base/text.h"
#include "parsers.h"
#include "scalars.h"

namespace cmb2kueue::doc {

namespace {

bool is_white(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

class MistakeFinder {
 public:
  explicit MistakeFinder(std::string_view text) : text_(text) {}
  std::optional<JsonMistake> find();

 private:
  enum class Expects { value, value_or_end, key, key_or_end, separator };

  void step();
  void value();
  void key();
  void separator();
  void close();
  void token();
  bool string();
  bool escape();
  bool surrogate_pair();
  void ended();
  void fail(std::size_t offset, const std::string& what, const std::string& advice = "") {
    if (!mistake_) mistake_ = JsonMistake{static_cast<std::uint32_t>(offset), what, advice};
  }
  void open(Expects next) {
    open_.push_back(at_++);
    expects_ = next;
  }
  bool in_map() const { return text_[open_.back()] == '{'; }
  std::string here() const { return base::quoted(text_.substr(at_, 1)); }
  void skip_white() {
    while (at_ < text_.size() && is_white(text_[at_])) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  // where each open list or map begins
  Expects expects_ = Expects::value;
  std::size_t comma_ = 0;  // the last one
  std::optional<JsonMistake> mistake_;
};

std::optional<JsonMistake> MistakeFinder::find() {
  const std::uint32_t bad = first_bad_byte(text_);
  if (bad < text_.size()) fail(bad, "a byte sequence that is not UTF-8", "save the file as UTF-8");
  while (!mistake_ && (!open_.empty() || expects_ != Expects::separator)) {
    skip_white();
    if (at_ == text_.size())
      ended();
    else
      step();
  }
  skip_white();
  if (!mistake_ && at_ < text_.size())
    fail(at_, "something stands behind the document", "a file holds one document; remove what follows it");
  return mistake_;
}

void MistakeFinder::step() {
  switch (expects_) {
    case Expects::value:
    case Expects::value_or_end:
      return value();
    case Expects::key:
    case Expects::key_or_end:
      return key();
    case Expects::separator:
      return separator();
  }
}

void MistakeFinder::value() {
  const char c = text_[at_];
  if (c == '{') return open(Expects::key_or_end);
  if (c == '[') return open(Expects::value_or_end);
  if (c == ']' && expects_ == Expects::value_or_end) return close();
  if (c == ']' && !open_.empty() && !in_map())
    return fail(comma_, "a comma stands in front of \"]\"", "remove the comma");
  expects_ = Expects::separator;
  if (c == '"')
    string();
  else
    token();
}

void MistakeFinder::token() {
  std::size_t end = at_;
  while (end < text_.size() && !is_white(text_[end]) &&
         std::string_view("{}[],:\"").find(text_[end]) == std::string_view::npos)
    ++end;
  if (end == at_) return fail(at_, "there is " + here() + " where a value belongs");
  const std::string_view word = text_.substr(at_, end - at_);
  const NodeKind kind = json_scalar_kind(word);
  if (kind == NodeKind::text) {
    const bool number = is_digit(word[0]) || word[0] == '-' || word[0] == '+' || word[0] == '.';
    fail(at_,
         number ? base::quoted(word, 40) + " is not a number, or too large for one"
                : "there is " + base::quoted(word, 40) + " where a value belongs",
         number ? "" : "texts stand in double quotes");
  }
  at_ = end;
}

void MistakeFinder::key() {
  if (text_[at_] == '}') {
    if (expects_ == Expects::key) return fail(comma_, "a comma stands in front of \"}\"", "remove the comma");
    return close();
  }
  if (text_[at_] != '"') return fail(at_, "there is " + here() + " where a key in double quotes belongs");
  if (!string()) return;
  skip_white();
  if (at_ == text_.size()) return;
  if (text_[at_] != ':') return fail(at_, "there is " + here() + " where the colon behind a key belongs");
  ++at_;
  expects_ = Expects::value;
}

void MistakeFinder::separator() {
  const char c = text_[at_];
  const char end = in_map() ? '}' : ']';
  if (c == end) return close();
  if (c != ',') {
    if (c == '}' || c == ']')
      return fail(at_, "there is " + here() + " where \"" + end + "\" belongs",
                  "brackets are closed in reverse order");
    return fail(at_, "there is " + here() + " where a comma or \"" + end + "\" belongs");
  }
  comma_ = at_++;
  expects_ = in_map() ? Expects::key : Expects::value;
}

void MistakeFinder::close() {
  ++at_;
  open_.pop_back();
  expects_ = Expects::separator;
}

// From the opening quote to behind the closing one.
bool MistakeFinder::string() {
  const std::size_t start = at_++;
  for (; at_ < text_.size(); ++at_) {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c < ' ') {
      if (c == '\n' || c == '\r')
        fail(start, "a string is not closed on its line; a line end in it would be a control character",
             "line ends in texts are written as \\n");
      else
        fail(at_, "a control character stands unescaped in a string", "write it as \\u and four digits");
      return false;
    }
    if (c == '\\' && !escape()) return false;
  }
  fail(start, "a string is not closed");
  return false;
}

// At the backslash; ends at the last character of the escape.
bool MistakeFinder::escape() {
  const std::size_t start = at_++;
  const char c = at_ < text_.size() ? text_[at_] : '"';
  bool good = at_ < text_.size() && std::string_view("\"\\/bfnrtu").find(c) != std::string_view::npos;
  if (good && c == 'u') good = surrogate_pair();
  if (!good) fail(start, "an escape in a string is not valid", "a backslash itself is written as \\\\");
  return good;
}

// At the u. One escape, or two that make one character together.
bool MistakeFinder::surrogate_pair() {
  const auto four = [&](std::size_t from) -> int {
    int value = 0;
    for (std::size_t i = from; i < from + 4; ++i) {
      if (i >= text_.size() || !is_hex(text_[i])) return -1;
      value = value * 16 + (is_digit(text_[i]) ? text_[i] - '0' : (text_[i] | 0x20) - 'a' + 10);
    }
    return value;
  };
  const int first = four(at_ + 1);
  if (first < 0 || (first >= 0xDC00 && first < 0xE000)) return false;
  at_ += 4;
  if (first < 0xD800 || first >= 0xE000) return true;
  if (text_.substr(at_ + 1, 2) != "\\u") return false;
  const int second = four(at_ + 3);
  at_ += 6;
  return second >= 0xDC00 && second < 0xE000;
}

void MistakeFinder::ended() {
  if (open_.empty()) return fail(at_, "there is nothing in it");
  const std::size_t from = open_.back();
  fail(from, std::string("the ") + (in_map() ? "map" : "list") + " that begins here is not closed",
       "the text ends before its bracket; is the file complete?");
}

}  // namespace

std::optional<JsonMistake> find_json_mistake(std::string_view text) {
  return MistakeFinder(text).find();
}

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)? or one of the three words.
NodeKind json_scalar_kind(std::string_view token) {
  if (token == "true" || token == "false") return NodeKind::boolean;
  if (token == "null") return NodeKind::null;
  const auto digits = [&](std::size_t at) {
    while (at < token.size() && is_digit(token[at])) ++at;
    return at;
  };
  const std::size_t start = !token.empty() && token[0] == '-' ? 1 : 0;
  std::size_t at = digits(start);
  if (at == start || (token[start] == '0' && at > start + 1)) return NodeKind::text;
  NodeKind kind = NodeKind::integer;
  if (at < token.size() && token[at] == '.') {
    const std::size_t fraction = digits(at + 1);
    if (fraction == at + 1) return NodeKind::text;
    kind = NodeKind::decimal;
    at = fraction;
  }
  if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < token.size() && (token[exponent] == '-' || token[exponent] == '+')) ++exponent;
    at = digits(exponent);
    if (at == exponent) return NodeKind::text;
    kind = NodeKind::decimal;
  }
  if (at != token.size()) return NodeKind::text;
  const bool may_be_huge = token.size() > 300 || (kind == NodeKind::decimal && token.find_first_of("eE") < at);
  return may_be_huge && !std::isfinite(parse_decimal(token)) ? NodeKind::text : kind;
}

}  // namespace cmb2kueue::doc
