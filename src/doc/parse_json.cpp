// JSON through simdjson's On-Demand reader, which gives the byte offset of every token. Only its structure is used:
// numbers are checked but not converted and texts without escapes are not copied, which is where the time goes.
// What is wrong with a text that does not parse is found by a second, slower look (json_mistake.h).
#include <simdjson.h>

#include <cstring>

#include "cmb2kueue/base/text.h"
#include "json_mistake.h"
#include "parsers.h"
#include "tree_builder.h"

namespace cmb2kueue::doc {

namespace {

namespace ondemand = simdjson::ondemand;

// Walks one document into a TreeBuilder. Fields are walked in source order, nothing is looked up.
class JsonWalk {
 public:
  JsonWalk(TreeBuilder& builder, const char* text, std::uint32_t base, std::uint32_t file)
      : builder_(builder), text_(text), base_(base), file_(file) {}

  template <class Value>
  base::Status value(Value& value);

 private:
  template <class Value>
  base::Status object(Value& value, std::uint32_t place);
  template <class Value>
  base::Status array(Value& value, std::uint32_t place);
  base::Status field(ondemand::field& field);
  template <class Value>
  base::Status text(Value& value, std::string_view token, std::uint32_t place);

  std::uint32_t offset(const char* at) const { return base_ + static_cast<std::uint32_t>(at - text_); }
  base::Status failed(simdjson::error_code code, std::uint32_t place) const {
    return base::Status(base::ErrorKind::input, std::string("not JSON: ") + simdjson::error_message(code), "",
                        {file_, place});
  }

  TreeBuilder& builder_;
  const char* text_;
  std::uint32_t base_;
  std::uint32_t file_;
};

std::string_view trimmed(std::string_view token) {
  std::size_t size = token.size();
  while (size > 0 &&
         (token[size - 1] == ' ' || token[size - 1] == '\t' || token[size - 1] == '\r' || token[size - 1] == '\n'))
    --size;
  return token.substr(0, size);
}

// Where the first quote or backslash stands, the size where there is none. (find_first_of calls a function for
// every character.)
std::size_t first_mark(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] != '"' && text[at] != '\\') ++at;
  return at;
}

template <class Value>
base::Status JsonWalk::value(Value& value) {
  std::string_view token;
  if constexpr (requires { value.raw_json_token().get(token); }) {
    if (const simdjson::error_code code = value.raw_json_token().get(token)) return failed(code, base_);
  } else {
    token = value.raw_json_token();
  }
  const std::uint32_t place = offset(token.data());
  token = trimmed(token);
  const char first = token.empty() ? '\0' : token.front();
  if (first == '{') return object(value, place);
  if (first == '[') return array(value, place);
  if (first == '"') return text(value, token, place);
  const NodeKind kind = json_scalar_kind(token);
  if (kind == NodeKind::text) return failed(simdjson::TAPE_ERROR, place);
  const std::uint32_t size = kind == NodeKind::null ? 0 : static_cast<std::uint32_t>(token.size());
  builder_.scalar(kind, {place, size, false});
  return {};
}

template <class Value>
base::Status JsonWalk::object(Value& value, std::uint32_t place) {
  base::Status status = builder_.open(NodeKind::map, place);
  if (!status.ok()) return status;
  ondemand::object members;
  if (const simdjson::error_code code = value.get_object().get(members)) return failed(code, place);
  for (auto result : members) {
    ondemand::field member;
    if (const simdjson::error_code code = std::move(result).get(member)) return failed(code, place);
    status = field(member);
    if (!status.ok()) return status;
  }
  return builder_.close();
}

base::Status JsonWalk::field(ondemand::field& member) {
  const char* raw = member.key().raw();
  const std::uint32_t place = offset(raw);
  const char* end = raw;
  while (*end != '"' && *end != '\\') ++end;
  TextRef text{place, static_cast<std::uint32_t>(end - raw), false};
  if (*end == '\\') {
    std::string_view plain;
    if (const simdjson::error_code code = member.unescaped_key().get(plain)) return failed(code, place);
    text = builder_.place_text(plain, place - 1);
  }
  base::Status status = builder_.key(text, place - 1);
  if (!status.ok()) return status;
  return value(member.value());
}

template <class Value>
base::Status JsonWalk::array(Value& list, std::uint32_t place) {
  base::Status status = builder_.open(NodeKind::list, place);
  if (!status.ok()) return status;
  ondemand::array items;
  if (const simdjson::error_code code = list.get_array().get(items)) return failed(code, place);
  for (auto result : items) {
    ondemand::value item;
    if (const simdjson::error_code code = std::move(result).get(item)) return failed(code, place);
    status = value(item);
    if (!status.ok()) return status;
  }
  return builder_.close();
}

// A token without a backslash is its own text.
template <class Value>
base::Status JsonWalk::text(Value& value, std::string_view token, std::uint32_t place) {
  const std::string_view inside = token.substr(1);
  const std::size_t end = first_mark(inside);
  if (end + 1 == inside.size() && inside[end] == '"') {
    ondemand::raw_json_string ignored;
    if (const simdjson::error_code code = value.get_raw_json_string().get(ignored)) return failed(code, place);
    builder_.scalar(NodeKind::text, {place + 1, static_cast<std::uint32_t>(end), false});
    return {};
  }
  std::string_view plain;
  if (const simdjson::error_code code = value.get_string().get(plain)) return failed(code, place);
  builder_.scalar(NodeKind::text, builder_.place_text(plain, place));
  return {};
}

// The tree has its own, kinder words for depth and duplicate keys; everything else is a mistake in the text.
base::Status mistake(std::string_view text, std::uint32_t file, std::uint32_t offset,
                     const base::Status& fallback) {
  const std::optional<JsonMistake> found = find_json_mistake(text);
  if (!found) return fallback;
  return base::Status(base::ErrorKind::input, "not JSON: " + found->what, found->advice,
                      {file, offset + found->offset});
}

}  // namespace

struct JsonParser::Implementation {
  ondemand::parser parser;
};

JsonParser::JsonParser() : implementation_(std::make_unique<Implementation>()) {}
JsonParser::~JsonParser() = default;

base::Result<Document> JsonParser::parse(const base::SourceFiles& files, std::uint32_t file, std::uint32_t offset,
                                         std::uint32_t length, const Limits& limits) {
  const std::string_view text = files.text(file).substr(offset, length);
  const base::Status unexplained(base::ErrorKind::input, "not JSON: it cannot be parsed", "", {file, offset});
  const simdjson::padded_string_view view(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
  constexpr std::uint32_t bytes_a_node = 8;  // few documents have more nodes than that; those grow
  TreeBuilder builder(files, file, limits);
  builder.reserve(length / bytes_a_node + 1);
  ondemand::document document;
  if (implementation_->parser.iterate(view).get(document)) return mistake(text, file, offset, unexplained);
  JsonWalk walk(builder, text.data(), offset, file);
  const base::Status status = walk.value(document);
  if (!status.ok()) return mistake(text, file, offset, status);
  // What stands behind the document; a scalar on its own was not even consumed.
  const char* rest = nullptr;
  const bool consumed =
      document.current_location().get(rest) != simdjson::SUCCESS || rest >= text.data() + text.size();
  if (!consumed && find_json_mistake(text)) return mistake(text, file, offset, unexplained);
  return builder.finish();
}

std::uint32_t first_bad_byte(std::string_view text) {
  std::size_t at = simdjson::validate_utf8(text.data(), text.size()) ? text.size() : 0;
  while (at < text.size()) {
    const unsigned char lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (at + length > text.size() || !simdjson::validate_utf8(text.data() + at, length)) break;
    at += length;
  }
  return static_cast<std::uint32_t>(at);
}

}  // namespace cmb2kueue::doc
