// The JSON writer, and what both writers share.
#include <array>
#include <cassert>
#include <charconv>

#include "cmb2kueue/doc/emit.h"
#include "json_mistake.h"
#include "scalars.h"

namespace cmb2kueue::doc {

namespace {

constexpr std::array<bool, 256> plain_in_string = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = ' '; c < plain.size(); ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

void append_escape(std::string& out, unsigned char c) {
  out += '\\';
  if (c == '"' || c == '\\') {
    out += static_cast<char>(c);
  } else if (c == '\n') {
    out += 'n';
  } else {
    out += "u00";
    out += "0123456789abcdef"[c >> 4U];
    out += "0123456789abcdef"[c & 15U];
  }
}

// What needs no escape goes over in one piece.
void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    if (plain_in_string[c]) continue;
    out.append(text, from, at - from);
    append_escape(out, c);
    from = at + 1;
  }
  out.append(text, from);
  out += '"';
}

// Booleans and numbers as every reader spells them. YAML knows forms that JSON does not, and some numbers
// (infinity) that have no other form; those go out as text.
void copy_literal(Node node, Sink& sink) {
  const std::string_view text = node.text();
  if (node.kind() == NodeKind::null) return sink.literal("null");
  if (node.kind() == NodeKind::boolean) return sink.boolean(parse_boolean(text));
  if (json_scalar_kind(text) == node.kind()) return sink.literal(text);
  if (const std::optional<std::int64_t> whole = node.integer()) return sink.number(*whole);
  char digits[40];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), parse_decimal(text));
  const std::string_view shortest(digits, static_cast<std::size_t>(end.ptr - digits));
  if (json_scalar_kind(shortest) == NodeKind::text) return sink.text(text);
  sink.literal(shortest);
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
      copy_literal(node, sink);
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
