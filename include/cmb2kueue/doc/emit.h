// Documents are written as events into a sink; no tree is built to write. The caller fixes the key order.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::doc {

// The name of a field that is known when the program is compiled. What compiles is plain text for every reader, so
// that sinks write it as it stands.
class FieldName {
 public:
  consteval FieldName(const char* text) : text_(text) {
    if (text_.empty()) throw "a field has a name";
    for (const char c : text_)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) throw "a field's name is made of letters";
    for (const std::string_view word : {"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
      if (text_ == word) throw "this word means something to some readers";
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// Wrong nesting is a programming error (asserted). Inside a map every value follows a key() or field().
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void open_map() = 0;
  virtual void open_list() = 0;
  virtual void close() = 0;  // the innermost open map or list
  virtual void key(std::string_view name) = 0;
  virtual void field(FieldName name) { key(name.text()); }
  virtual void text(std::string_view value) = 0;     // always read back as text: quoted where a reader might not
  virtual void literal(std::string_view value) = 0;  // true, false, null and numbers, as they are

  // Shorthands.
  void number(std::int64_t value);
  void boolean(bool value) { literal(value ? "true" : "false"); }
  void text_field(FieldName name, std::string_view value) {
    field(name);
    text(value);
  }
  void number_field(FieldName name, std::int64_t value) {
    field(name);
    number(value);
  }
  void boolean_field(FieldName name, bool value) {
    field(name);
    boolean(value);
  }
  void text_entry(std::string_view name, std::string_view value) {  // of a map whose keys are data
    key(name);
    text(value);
  }
};

// Block YAML, two spaces, lists at the indentation of their key as kubectl prints them, empty collections as {}
// and []. Text is plain only if YAML 1.1 and 1.2 readers both read it as text (`on`, `1e3`, `y`, `~`, `0x1f`,
// `2001-01-01`, leading and trailing space ... are quoted); control characters and line ends use double quotes.
class YamlSink : public Sink {
 public:
  explicit YamlSink(std::string& out) : out_(out) {}
  void open_map() override { open(false); }
  void open_list() override { open(true); }
  void close() override;
  void key(std::string_view name) override;
  void field(FieldName name) override;
  void text(std::string_view value) override;
  void literal(std::string_view value) override;
  void begin_document();  // writes "---\n"

 private:
  // What is open: a collection writes its {} or [] only when it closes without an entry, since an entry starts on a
  // line of its own unless it is the first key behind a dash.
  struct Level {
    bool list = false;
    bool empty = true;
    std::uint32_t indent = 0;
    bool behind_dash = false;  // the first entry goes on the line of a dash
  };
  void open(bool list);
  void begin_entry(Level& level);
  void before_scalar();
  std::string& out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

// JSON; indent 0 is compact on one line, else pretty with that many spaces. No trailing newline. Escapes what has
// to be and nothing else, so text stays readable UTF-8.
class JsonSink : public Sink {
 public:
  explicit JsonSink(std::string& out, int indent = 2) : out_(out), indent_(indent) {}
  void open_map() override { open('{'); }
  void open_list() override { open('['); }
  void close() override;
  void key(std::string_view name) override;
  void text(std::string_view value) override;
  void literal(std::string_view value) override;

 private:
  void open(char mark);
  void before_value();
  void new_line();
  std::string& out_;
  int indent_;
  std::string open_;  // one character per open level: '{' or '['
  bool first_ = true;
  bool after_key_ = false;
};

// Replays a parsed node into a sink (source order of keys). Scalars that are not JSON as they stand are spelled the
// way JSON does (`on` becomes true, `0x1f` 31); .inf and .nan, which JSON lacks, become text.
void copy(Node node, Sink& sink);

}  // namespace cmb2kueue::doc
