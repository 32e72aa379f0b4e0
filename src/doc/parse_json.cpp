// JSON through simdjson's On-Demand reader, which gives the byte offset of every token.
#include <simdjson.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "parsers.h"
#include "tree_builder.h"

namespace cmb2kueue::doc {

namespace {

namespace ondemand = simdjson::ondemand;

// Where the last thing that is not white space ends: the likeliest place of what is missing or too much.
std::uint32_t last_token(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? 0 : static_cast<std::uint32_t>(last);
}

// Walks one document into a TreeBuilder. Fields are walked in source order, nothing is looked up.
class JsonWalk {
 public:
  JsonWalk(TreeBuilder& builder, ondemand::document& document, std::string_view text, std::uint32_t base,
           std::uint32_t file)
      : builder_(builder), document_(document), text_(text), base_(base), file_(file) {}

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
  base::Status number(std::string_view token, std::uint32_t place);
  base::Status word(std::string_view token, std::uint32_t place);

  std::uint32_t offset(const char* at) const { return base_ + static_cast<std::uint32_t>(at - text_.data()); }
  base::Status failed(const std::string& what, std::uint32_t place) const {
    return base::Status(base::ErrorKind::input, "not JSON: " + what, "", {file_, place});
  }
  // The reader knows better than its caller where a bracket is missing.
  base::Status failed(simdjson::error_code code, std::uint32_t place) const {
    const char* where = nullptr;
    if (code == simdjson::INCOMPLETE_ARRAY_OR_OBJECT)
      place = base_ + last_token(text_);
    else if (code == simdjson::TAPE_ERROR && !document_.current_location().get(where))
      place = offset(where);
    return failed(json_error(code), place);
  }

  TreeBuilder& builder_;
  ondemand::document& document_;
  std::string_view text_;
  std::uint32_t base_;
  std::uint32_t file_;
};

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  return token;
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
  if (first == '-' || (first >= '0' && first <= '9')) {
    base::Status status = number(token, place);
    double ignored = 0;
    if (status.ok()) [[maybe_unused]]
      const auto code = value.get_double().get(ignored);  // moves past the token
    return status;
  }
  base::Status status = word(token, place);
  if (!status.ok()) return status;
  if (first == 'n') {
    [[maybe_unused]] const bool is_null = value.is_null();
  } else {
    bool ignored = false;
    [[maybe_unused]] const auto code = value.get_bool().get(ignored);
  }
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
    text = builder_.place_text(plain, place);
  }
  base::Status status = builder_.key(text, place - 1);
  if (!status.ok()) return status;
  return value(member.value());
}

template <class Value>
base::Status JsonWalk::array(Value& value_, std::uint32_t place) {
  base::Status status = builder_.open(NodeKind::list, place);
  if (!status.ok()) return status;
  ondemand::array items;
  if (const simdjson::error_code code = value_.get_array().get(items)) return failed(code, place);
  for (auto result : items) {
    ondemand::value item;
    if (const simdjson::error_code code = std::move(result).get(item)) return failed(code, place);
    status = value(item);
    if (!status.ok()) return status;
  }
  return builder_.close();
}

template <class Value>
base::Status JsonWalk::text(Value& value, std::string_view token, std::uint32_t place) {
  std::string_view plain;
  if (const simdjson::error_code code = value.get_string().get(plain)) return failed(code, place);
  const std::string_view inside = token.substr(1, plain.size());
  if (token.size() == plain.size() + 2 && inside == plain)
    builder_.scalar(NodeKind::text, {place + 1, static_cast<std::uint32_t>(plain.size()), false}, place);
  else
    builder_.scalar(NodeKind::text, builder_.place_text(plain, place), place);
  return {};
}

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
base::Status JsonWalk::number(std::string_view token, std::uint32_t place) {
  const auto digits = [&](std::size_t at) {
    while (at < token.size() && token[at] >= '0' && token[at] <= '9') ++at;
    return at;
  };
  const std::size_t start = token[0] == '-' ? 1 : 0;
  std::size_t at = digits(start);
  bool good = at > start && (token[start] != '0' || at == start + 1);
  NodeKind kind = NodeKind::integer;
  if (good && at < token.size() && token[at] == '.') {
    const std::size_t fraction = digits(at + 1);
    good = fraction > at + 1;
    kind = NodeKind::decimal;
    at = fraction;
  }
  if (good && at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < token.size() && (token[exponent] == '-' || token[exponent] == '+')) ++exponent;
    at = digits(exponent);
    good = at > exponent;
    kind = NodeKind::decimal;
  }
  if (!good || at != token.size()) return failed(base::quoted(token, 40) + " is not a number", place);
  builder_.scalar(kind, {place, static_cast<std::uint32_t>(token.size()), false}, place);
  return {};
}

base::Status JsonWalk::word(std::string_view token, std::uint32_t place) {
  if (token != "true" && token != "false" && token != "null")
    return failed("there is " + base::quoted(token, 40) + " where a value belongs", place);
  builder_.scalar(token == "null" ? NodeKind::null : NodeKind::boolean,
                  {place, static_cast<std::uint32_t>(token.size()), false}, place);
  return {};
}

}  // namespace

std::string json_error(int code) {
  switch (static_cast<simdjson::error_code>(code)) {
    case simdjson::UTF8_ERROR:
      return "a byte sequence that is not UTF-8";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed";
    case simdjson::UNESCAPED_CHARS:
      return "a control character stands unescaped in a string";
    case simdjson::EMPTY:
      return "there is nothing in it";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return "a list or map is not closed, or something stands behind the document";
    case simdjson::STRING_ERROR:
      return "an escape in a string is not valid";
    case simdjson::TRAILING_CONTENT:
      return "something stands behind the document";
    case simdjson::TAPE_ERROR:
      return "a comma, colon or bracket is missing or too many";
    default:
      return simdjson::error_message(static_cast<simdjson::error_code>(code));
  }
}

struct JsonParser::Implementation {
  ondemand::parser parser;
};

JsonParser::JsonParser() : implementation_(std::make_unique<Implementation>()) {}
JsonParser::~JsonParser() = default;

base::Result<Document> JsonParser::parse(const base::SourceFiles& files, std::uint32_t file, std::uint32_t offset,
                                         std::uint32_t length, const Limits& limits) {
  const std::string_view text = files.text(file).substr(offset, length);
  const simdjson::padded_string_view view(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
  TreeBuilder builder(files, file, limits);
  ondemand::document document;
  if (const simdjson::error_code code = implementation_->parser.iterate(view).get(document))
    return base::Status(base::ErrorKind::input, "not JSON: " + json_error(code), "",
                        {file, offset + (code == simdjson::UTF8_ERROR ? first_bad_byte(text) : last_token(text))});
  JsonWalk walk(builder, document, text, offset, file);
  base::Status status = walk.value(document);
  if (!status.ok()) return status;
  const char* rest = nullptr;
  if (!document.current_location().get(rest) && rest < text.data() + text.size())
    return base::Status(base::ErrorKind::input, "not JSON: " + json_error(simdjson::TRAILING_CONTENT), "",
                        {file, offset + static_cast<std::uint32_t>(rest - text.data())});
  return builder.finish();
}

std::uint32_t first_bad_byte(std::string_view text) {
  std::size_t low = 0;  // valid_utf8 of every prefix up to here
  for (std::size_t step = 1U << 20U; step > 0; step /= 32)
    while (low + step <= text.size() && base::valid_utf8(text.substr(low, step))) low += step;
  return low < text.size() ? static_cast<std::uint32_t>(low) : 0;
}

}  // namespace cmb2kueue::doc
