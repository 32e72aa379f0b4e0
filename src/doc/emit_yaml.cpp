// The YAML writer: a plain string writer with a table of which characters may stand unquoted.
#include <array>
#include <cassert>

#include "cmb2kueue/doc/emit.h"
#include "scalars.h"

namespace cmb2kueue::doc {

namespace {

constexpr std::string_view hex = "0123456789abcdef";

// 0: harmless anywhere. 1: harmless except in first place. 2: harmless except before or after certain others
// (checked apart). 3: needs quotes. 4: needs double quotes with an escape.
constexpr std::array<unsigned char, 256> character_classes = [] {
  std::array<unsigned char, 256> classes{};
  for (int c = 0; c < 32; ++c) classes[static_cast<std::size_t>(c)] = 4;
  classes[127] = 4;
  for (const char c : std::string_view("-?,[]{}&*!|>'\"%@`"))  // indicators
    classes[static_cast<unsigned char>(c)] = 1;
  for (const char c : std::string_view(":# ")) classes[static_cast<unsigned char>(c)] = 2;
  for (const char c : std::string_view(",[]{}")) classes[static_cast<unsigned char>(c)] = 3;
  return classes;
}();

enum class Quoting { plain, single, escaped };

Quoting quoting_of(std::string_view text) {
  if (text.empty()) return Quoting::single;
  unsigned char worst = 0;
  bool specials = false;
  for (const char c : text) {
    const unsigned char character_class = character_classes[static_cast<unsigned char>(c)];
    if (character_class > worst) worst = character_class;
    specials |= character_class == 2;
  }
  if (worst == 4) return Quoting::escaped;
  if (text.find("\xC2\x85") != std::string_view::npos || text.find("\xE2\x80\xA8") != std::string_view::npos ||
      text.find("\xE2\x80\xA9") != std::string_view::npos || text.find("\xEF\xBB\xBF") != std::string_view::npos)
    return Quoting::escaped;  // line ends of YAML 1.1, and a byte-order mark
  if (worst == 3 || character_classes[static_cast<unsigned char>(text.front())] != 0) return Quoting::single;
  if (specials && (text.back() == ' ' || text.back() == ':' || text.find(": ") != std::string_view::npos ||
                   text.find(" #") != std::string_view::npos))
    return Quoting::single;
  return plain_is_ambiguous(text) ? Quoting::single : Quoting::plain;
}

void append_escaped(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += text[i];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 32 || c == 127) {
      out += "\\x";
      out += hex[c >> 4U];
      out += hex[c & 15U];
    } else if (text.substr(i, 2) == "\xC2\x85") {
      out += "\\u0085";
      ++i;
    } else if (text.substr(i, 3) == "\xE2\x80\xA8" || text.substr(i, 3) == "\xE2\x80\xA9") {
      out += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (text.substr(i, 3) == "\xEF\xBB\xBF") {
      out += "\\uFEFF";
      i += 2;
    } else {
      out += text[i];
    }
  }
  out += '"';
}

void append_scalar(std::string& out, std::string_view text) {
  switch (quoting_of(text)) {
    case Quoting::plain:
      out += text;
      return;
    case Quoting::escaped:
      append_escaped(out, text);
      return;
    case Quoting::single:
      break;
  }
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
}

}  // namespace

void YamlSink::begin_document() {
  assert(levels_.empty());
  out_ += "---\n";
}

// An entry of a collection starts on its own line, except the first behind a dash.
void YamlSink::begin_entry(Level& level) {
  if (level.empty && level.behind_dash) {
    level.empty = false;
    return;
  }
  if (level.empty && levels_.size() > 1) out_ += '\n';
  level.empty = false;
  out_.append(level.indent, ' ');
}

void YamlSink::key(std::string_view name) {
  assert(!levels_.empty() && !levels_.back().list);
  begin_entry(levels_.back());
  append_scalar(out_, name);
  out_ += ':';
  after_key_ = true;
}

void YamlSink::before_scalar() {
  if (after_key_) {
    out_ += ' ';
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  assert(levels_.back().list);
  begin_entry(levels_.back());
  out_ += "- ";
}

void YamlSink::open(bool list) {
  Level level;
  level.list = list;
  if (after_key_) {
    level.indent = levels_.back().indent + (list ? 0 : 2);
  } else if (!levels_.empty()) {
    begin_entry(levels_.back());
    out_ += "- ";
    level.indent = levels_.back().indent + 2;
    level.behind_dash = true;
  }
  levels_.push_back(level);
  // A list under a key of a map that itself stands behind a dash keeps that map's indentation; nothing to do here.
  after_key_ = false;
}

void YamlSink::close() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty) return;
  if (!level.behind_dash && !levels_.empty()) out_ += ' ';
  out_ += level.list ? "[]\n" : "{}\n";
}

void YamlSink::text(std::string_view value) {
  before_scalar();
  append_scalar(out_, value);
  out_ += '\n';
}

void YamlSink::literal(std::string_view value) {
  before_scalar();
  out_ += value;
  out_ += '\n';
}

}  // namespace cmb2kueue::doc
