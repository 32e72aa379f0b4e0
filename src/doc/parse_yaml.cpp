// YAML through yaml-cpp's events; its node tree, which costs fifty times the text, is never built.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <map>
#include <streambuf>

#include "cmb2kueue/base/text.h"
#include "parsers.h"
#include "scalars.h"
#include "tree_builder.h"
#include "yaml_mistake.h"

namespace cmb2kueue::doc {

namespace {

// Reads a string_view without copying it.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* start = const_cast<char*>(text.data());
    setg(start, start, start + text.size());
  }
};

// Thrown through yaml-cpp to end the parse; never leaves this file.
struct Stop {
  base::Status status;
};

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class EventReader : public YAML::EventHandler {
 public:
  EventReader(const base::SourceFiles& files, const YamlSource& source, const Limits& limits)
      : files_(files),
        source_(source),
        limits_(limits),
        skipped_(source.text.starts_with(byte_order_mark) ? 3 : 0) {}

  std::vector<Document> take() { return std::move(documents_); }
  std::uint32_t place(const YAML::Mark& mark) const;

  void OnDocumentStart(const YAML::Mark& mark) override {
    check_start(mark);
    builder_ = std::make_unique<TreeBuilder>(files_, source_.file, limits_);
    anchors_.clear();
    expects_key_.clear();
  }
  void OnDocumentEnd() override {
    if (builder_ != nullptr && !builder_->empty() && !only_null_) documents_.push_back(builder_->finish());
    builder_.reset();
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { scalar(mark, "", anchor, "", true); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    scalar(mark, tag, anchor, value, tag == "?" || tag.empty());
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(NodeKind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(NodeKind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  void check(base::Status status) const {
    if (!status.ok()) throw Stop{std::move(status)};
  }
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message, const std::string& advice = "") const {
    throw Stop{base::Status(base::ErrorKind::input, message, advice, {source_.file, place(mark)})};
  }
  void check_start(const YAML::Mark& mark);
  // True when the next node is a key of the innermost map; flips that map between key and value.
  bool take_key() {
    if (expects_key_.empty() || expects_key_.back() == not_a_map) return false;
    const bool is_key = expects_key_.back() == wants_key;
    expects_key_.back() = is_key ? wants_value : wants_key;
    return is_key;
  }
  void scalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value,
              bool plain);
  void open(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor);
  void close() {
    expects_key_.pop_back();
    check(builder_->close());
  }

  static constexpr char not_a_map = '-', wants_key = 'k', wants_value = 'v';
  const base::SourceFiles& files_;
  const YamlSource& source_;
  const Limits limits_;
  const std::uint32_t skipped_;
  std::vector<Document> documents_;
  std::unique_ptr<TreeBuilder> builder_;
  std::map<YAML::anchor_t, std::uint32_t> anchors_;
  std::string expects_key_;  // one character per open container
  bool only_null_ = false;
  int document_start_ = -1;
};

// yaml-cpp counts bytes, of UTF-8 that is known to be good, and does not count a byte-order mark. It goes on
// counting behind the end of a text that ends too early.
std::uint32_t EventReader::place(const YAML::Mark& mark) const {
  if (source_.folded) return source_.base;
  const std::size_t line = static_cast<std::size_t>(std::max(mark.line, 0));
  const std::uint32_t column = static_cast<std::uint32_t>(std::max(mark.column, 0));
  const std::uint32_t position = skipped_ + static_cast<std::uint32_t>(std::max(mark.pos, 0));
  const std::uint32_t end = static_cast<std::uint32_t>(files_.text(source_.file).size());
  if (source_.line_offsets.empty())
    return source_.base + std::min(position, static_cast<std::uint32_t>(source_.text.size()));
  return std::min(end, source_.line_offsets[std::min(line, source_.line_offsets.size() - 1)] + column);
}

// True when the last line before this one that says anything ends a document.
bool follows_end_mark(std::string_view text) {
  while (!text.empty()) {
    text.remove_suffix(text.ends_with('\n') ? 1 : 0);
    const std::size_t begin = text.rfind('\n') + 1;
    const std::string_view line = text.substr(begin);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') return line.starts_with("...");
    text = text.substr(0, begin);
  }
  return false;
}

// yaml-cpp takes whatever does not continue a document for the beginning of the next, and a token that cannot begin
// anything for an empty document, forever.
void EventReader::check_start(const YAML::Mark& mark) {
  if (mark.pos == document_start_) fail(mark, "not YAML: nothing can begin with this", "check what stands here");
  const std::size_t at = skipped_ + static_cast<std::size_t>(mark.pos);
  const bool first = document_start_ < 0;
  document_start_ = mark.pos;
  if (first || source_.text.substr(at, 3) == "---") return;
  if (!follows_end_mark(source_.text.substr(0, at - static_cast<std::size_t>(mark.column))))
    fail(mark,
         "not YAML: this line does not continue what stands before it; is it indented too little or too much?",
         "a document of its own begins with ---");
}

void EventReader::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) fail(mark, "an alias refers to nothing that stands before it");
  if (take_key()) fail(mark, "an alias stands as a key", "write the key out");
  check(builder_->alias(found->second, place(mark)));
}

// yaml-cpp 0.7 reads the escapes \N and \_ as bytes of Latin-1. All else in a value is whole UTF-8 characters.
std::string mended(std::string_view value) {
  std::string out;
  while (!value.empty()) {
    const std::size_t good = first_bad_byte(value);
    out += value.substr(0, good);
    if (good == value.size()) break;
    out += '\xC2';
    out += value[good];
    value.remove_prefix(good + 1);
  }
  return out;
}

// A key is text to its readers, so a plain key that is no text is written the way the API server's reader does.
// Decimals stay as they stand.
std::string key_text(const std::string& value, NodeKind kind) {
  if (kind == NodeKind::boolean) return parse_boolean(value) ? "true" : "false";
  const std::optional<std::int64_t> whole = kind == NodeKind::integer ? parse_integer(value) : std::nullopt;
  return whole ? std::to_string(*whole) : value;
}

void EventReader::scalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         const std::string& value, bool plain) {
  if (!base::valid_utf8(value)) return scalar(mark, tag, anchor, mended(value), plain);
  const std::uint32_t at = place(mark);
  const bool text_tag = tag == "!" || tag == "tag:yaml.org,2002:str";
  if (!plain && !text_tag) fail(mark, "the tag " + base::quoted(tag) + " is not known here", "remove the tag");
  const NodeKind kind = plain ? resolve_plain(value) : NodeKind::text;
  if (take_key()) {
    if (kind == NodeKind::null)
      fail(mark, "a key is missing or null", "write the key, in quotes if it is the word null");
    check(builder_->key(builder_->place_text(key_text(value, kind), at), at, plain && value == "<<"));
    return;
  }
  if (anchor != 0) anchors_[anchor] = builder_->upcoming();
  only_null_ = expects_key_.empty() && kind == NodeKind::null;
  builder_->scalar(kind, builder_->place_text(value, at));
}

void EventReader::open(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
  if (tag != "?" && !tag.empty() && tag != "!" && tag != "tag:yaml.org,2002:map" && tag != "tag:yaml.org,2002:seq")
    fail(mark, "the tag " + base::quoted(tag) + " is not known here", "remove the tag");
  if (take_key()) fail(mark, "a list or map stands as a key", "keys are plain text; or is a bracket not closed?");
  if (anchor != 0) anchors_[anchor] = builder_->upcoming();
  only_null_ = false;
  check(builder_->open(kind, place(mark)));
  expects_key_ += kind == NodeKind::map ? wants_key : not_a_map;
}

// What yaml-cpp would misread in silence: it takes a byte 4 for the end of the text and passes others through, and
// a carriage return alone is a line end to other readers.
base::Status check_bytes(const EventReader& reader, const YamlSource& source) {
  const std::string_view text = source.text;
  std::string what = "a byte sequence that is not UTF-8";
  std::size_t at = first_bad_byte(text);
  for (std::size_t i = 0; i < at; ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '\r' ? text.substr(i + 1, 1) == "\n" : c == '\t' || c == '\n' || (c >= ' ' && c != 0x7F)) continue;
    what = c == '\r' ? "a carriage return without a line feed" : "a control character";
    at = i;
  }
  if (at == text.size()) return {};
  YAML::Mark mark;
  mark.pos = static_cast<int>(at) - (text.starts_with(byte_order_mark) ? 3 : 0);
  mark.line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  mark.column = static_cast<int>(at - (text.substr(0, at).rfind('\n') + 1));
  return base::Status(base::ErrorKind::input, "not YAML: " + what, "save the file as plain text in UTF-8",
                      {source.file, reader.place(mark)});
}

}  // namespace

base::Result<std::vector<Document>> parse_yaml(const base::SourceFiles& files, const YamlSource& source,
                                               const Limits& limits) {
  EventReader reader(files, source, limits);
  if (source.text.size() > 0x7fffffffU)
    return base::Status(base::ErrorKind::input, "a YAML file larger than 2 GiB", "export JSON instead",
                        {source.file, 0});
  const base::Status bytes = check_bytes(reader, source);
  if (!bytes.ok()) return bytes;
  try {
    ViewBuffer buffer(source.text);
    std::istream in(&buffer);
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(reader)) {
    }
  } catch (const Stop& stop) {
    return stop.status;
  } catch (const YAML::Exception& error) {
    return base::Status(base::ErrorKind::input, "not YAML: " + yaml_mistake(error.msg),
                        "check indentation, quotes and brackets here and on the line before",
                        {source.file, reader.place(error.mark)});
  }
  return reader.take();
}

}  // namespace cmb2kueue::doc
