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
        skipped_(source.text.starts_with(byte_order_mark) ? 3 : 0) {
    line_starts_.push_back(0);
    for (std::size_t at = source.text.find('\n'); at != std::string_view::npos; at = source.text.find('\n', at + 1))
      line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }

  std::vector<Document> take() { return std::move(documents_); }
  std::uint32_t place(const YAML::Mark& mark) const;

  void OnDocumentStart(const YAML::Mark&) override {
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
  std::vector<std::uint32_t> line_starts_;
  std::vector<Document> documents_;
  std::unique_ptr<TreeBuilder> builder_;
  std::map<YAML::anchor_t, std::uint32_t> anchors_;
  std::string expects_key_;  // one character per open container
  bool only_null_ = false;
};

// yaml-cpp counts columns in bytes of UTF-8 from the last line feed, so line and column give the true offset; the
// byte-order mark is not part of its first line.
std::uint32_t EventReader::place(const YAML::Mark& mark) const {
  const std::size_t line = std::min(static_cast<std::size_t>(std::max(mark.line, 0)), line_starts_.size() - 1);
  const std::uint32_t column = static_cast<std::uint32_t>(std::max(mark.column, 0));
  if (!source_.line_offsets.empty())
    return source_.line_offsets[std::min(line, source_.line_offsets.size() - 1)] + column;
  return source_.base + line_starts_[line] + column + (line == 0 ? skipped_ : 0);
}

void EventReader::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) fail(mark, "an alias refers to nothing that stands before it");
  if (take_key()) fail(mark, "an alias stands as a key", "write the key out");
  check(builder_->alias(found->second, place(mark)));
}

void EventReader::scalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         const std::string& value, bool plain) {
  const std::uint32_t at = place(mark);
  if (!base::valid_utf8(value)) fail(mark, "a byte sequence that is not UTF-8");
  const bool text_tag = tag == "!" || tag == "tag:yaml.org,2002:str";
  if (!plain && !text_tag) fail(mark, "the tag " + base::quoted(tag) + " is not known here", "remove the tag");
  const TextRef text = builder_->place_text(value, at);
  if (take_key()) {
    check(builder_->key(text, at, plain && value == "<<"));
    return;
  }
  if (anchor != 0) anchors_[anchor] = builder_->upcoming();
  const NodeKind kind = plain ? resolve_plain(value) : NodeKind::text;
  only_null_ = expects_key_.empty() && kind == NodeKind::null;
  builder_->scalar(kind, text, at);
}

void EventReader::open(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
  if (tag != "?" && !tag.empty() && tag != "!" && tag != "tag:yaml.org,2002:map" && tag != "tag:yaml.org,2002:seq")
    fail(mark, "the tag " + base::quoted(tag) + " is not known here", "remove the tag");
  if (take_key()) fail(mark, "a list or map stands as a key", "keys are plain text");
  if (anchor != 0) anchors_[anchor] = builder_->upcoming();
  only_null_ = false;
  check(builder_->open(kind, place(mark)));
  expects_key_ += kind == NodeKind::map ? wants_key : not_a_map;
}

// yaml-cpp's messages in plain words, without its "yaml-cpp: error at line ..." in front.
std::string cleaned(const std::string& message) {
  return "not YAML: " + (message.empty() ? std::string("it cannot be parsed") : message);
}

// yaml-cpp parses nested flow collections and block indents by recursion; a text that nests absurdly is refused
// before it can exhaust the stack. Counts at most what is opened, so it never refuses a text within the limit.
bool nests_absurdly(std::string_view text) {
  constexpr std::size_t limit = 2000;
  std::size_t open_marks = 0, dashes = 0;
  for (const char c : text) {
    if (c == '[' || c == '{')
      ++open_marks;
    else if ((c == ']' || c == '}') && open_marks > 0)
      --open_marks;
    dashes = c == '-' || c == '?' || c == ' ' ? dashes + (c != ' ') : 0;
    if (open_marks > limit || dashes > limit) return true;
  }
  return false;
}

}  // namespace

base::Result<std::vector<Document>> parse_yaml(const base::SourceFiles& files, const YamlSource& source,
                                               const Limits& limits) {
  EventReader reader(files, source, limits);
  if (source.text.size() > 0x7fffffffU)
    return base::Status(base::ErrorKind::input, "a YAML file larger than 2 GiB", "export JSON instead",
                        {source.file, 0});
  if (nests_absurdly(source.text))
    return base::Status(base::ErrorKind::input, "lists and maps are nested thousands deep", "check the file",
                        {source.file, source.base});
  try {
    ViewBuffer buffer(source.text);
    std::istream in(&buffer);
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(reader)) {
    }
  } catch (const Stop& stop) {
    return stop.status;
  } catch (const YAML::Exception& error) {
    return base::Status(base::ErrorKind::input, cleaned(error.msg), "check indentation, quotes and brackets here",
                        {source.file, reader.place(error.mark)});
  }
  return reader.take();
}

}  // namespace cmb2kueue::doc
