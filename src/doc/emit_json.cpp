// The JSON writer, and what both writers share.
#include <cassert>
#include <charconv>

#include "cmb2kueue/doc/emit.h"

namespace cmb2kueue::doc {

namespace {

constexpr std::string_view hex = "0123456789abcdef";

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 32) {
      out += "\\u00";
      out += hex[byte >> 4U];
      out += hex[byte & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

void Sink::number(std::int64_t value) {
  char digits[24];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), value);
  literal(std::string_view(digits, static_cast<std::size_t>(end.ptr - digits)));
}

void JsonSink::new_line() {
  if (indent_ == 0) return;
  out_ += '\n';
  out_.append(open_.size() * static_cast<std::size_t>(indent_), ' ');
}

void JsonSink::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  assert(open_.back() == '[');
  if (!first_) out_ += ',';
  new_line();
}

void JsonSink::open(char mark) {
  before_value();
  out_ += mark;
  open_ += mark;
  first_ = true;
}

void JsonSink::close() {
  const char mark = open_.back();
  open_.pop_back();
  if (!first_) new_line();
  out_ += mark == '{' ? '}' : ']';
  first_ = false;
}

void JsonSink::key(std::string_view name) {
  assert(!open_.empty() && open_.back() == '{');
  if (!first_) out_ += ',';
  new_line();
  append_string(out_, name);
  out_ += indent_ == 0 ? ":" : ": ";
  first_ = false;
  after_key_ = true;
}

void JsonSink::text(std::string_view value) {
  before_value();
  append_string(out_, value);
  first_ = false;
}

void JsonSink::literal(std::string_view value) {
  before_value();
  out_ += value;
  first_ = false;
}

void copy(Node node, Sink& sink) {
  if (node.is_scalar()) {
    if (node.kind() == NodeKind::text)
      sink.text(node.text());
    else
      sink.literal(node.kind() == NodeKind::null ? "null" : node.text());
    return;
  }
  if (node.is_map())
    sink.open_map();
  else
    sink.open_list();
  for (Node child : children(node)) {
    if (node.is_map()) sink.key(child.key());
    copy(child, sink);
  }
  sink.close();
}

}  // namespace cmb2kueue::doc
