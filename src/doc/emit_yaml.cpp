// The YAML writer: a plain string writer. What stands between a key and its value is written with the value, since
// only then it is known.
#include <cassert>

#include "cmb2kueue/doc/emit.h"
#include "yaml_quoting.h"

namespace cmb2kueue::doc {

namespace {

// Readers look for the colon of a key in 1024 characters only; a longer key has to be announced.
constexpr std::size_t longest_simple_key = 1000;

void append_hex(std::string& out, unsigned code, int digits) {
  while (digits-- > 0) out += "0123456789ABCDEF"[(code >> (4 * static_cast<unsigned>(digits))) & 15U];
}

// The escape of the character at `at`; moves `at` to its last byte.
void append_escape(std::string& out, std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned c = byte(at);
  if (c == '\n' || c == '\t') {
    out += c == '\n' ? "\\n" : "\\t";
  } else if (c < 0xE0) {
    out += "\\x";
    append_hex(out, c < 0x80 ? c : byte(++at), 2);
  } else {
    out += "\\u";
    append_hex(out, (c & 15U) << 12U | (byte(at + 1) & 63U) << 6U | (byte(at + 2) & 63U), 4);
    at += 2;
  }
}

void append_escaped(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (must_escape(text, at)) {
      append_escape(out, text, at);
      continue;
    }
    if (text[at] == '"' || text[at] == '\\') out += '\\';
    out += text[at];
  }
  out += '"';
}

void append_single_quoted(std::string& out, std::string_view text) {
  out += '\'';
  std::size_t from = 0;
  for (std::size_t at = text.find('\''); at != std::string_view::npos; at = text.find('\'', at + 1)) {
    out.append(text, from, at + 1 - from);
    from = at;  // the quote again
  }
  out.append(text, from);
  out += '\'';
}

void append_scalar(std::string& out, std::string_view text) {
  switch (quoting_of(text)) {
    case Quoting::plain:
      out += text;
      break;
    case Quoting::single:
      append_single_quoted(out, text);
      break;
    case Quoting::escaped:
      append_escaped(out, text);
      break;
  }
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
  const std::size_t start = out_.size();
  append_scalar(out_, name);
  after_key_ = true;
  if (out_.size() - start <= longest_simple_key) return;
  out_.insert(start, "? ");
  out_ += '\n';
  out_.append(levels_.back().indent, ' ');
}

void YamlSink::field(FieldName name) {
  assert(!levels_.empty() && !levels_.back().list);
  begin_entry(levels_.back());
  out_ += name.text();
  after_key_ = true;
}

void YamlSink::before_scalar() {
  if (after_key_) {
    out_.append(": ", 2);
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  assert(levels_.back().list);
  begin_entry(levels_.back());
  out_.append("- ", 2);
}

void YamlSink::open(bool list) {
  Level level;
  level.list = list;
  if (after_key_) {
    out_ += ':';
    level.indent = levels_.back().indent + (list ? 0 : 2);
  } else if (!levels_.empty()) {
    begin_entry(levels_.back());
    out_.append("- ", 2);
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
