// MapReader: types, counts and words of fields.
#include "cmb2kueue/doc/map_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::doc {

void ReadContext::report(std::string_view rule, std::string message, std::string advice, const std::string& field,
                         base::Place place) {
  const std::string id = prefix + std::string(rule);
  findings.add({id, severity_of(id), std::move(message), std::move(advice), subject, field, place});
}

MapReader::MapReader(Node node, std::string path, ReadContext& context)
    : node_(node), path_(std::move(path)), context_(context) {
  if (!node_.exists() || node_.is_map()) return;
  if (node_.kind() != NodeKind::null)
    context_.report("TYPE", fmt::format("a map is wanted here, not {}", to_string(node_.kind())), "", path_,
                    node_.place());
  node_ = Node();
}

Node MapReader::take(std::string_view key) {
  const Node found = node_.find(key);
  read_.emplace_back(key);
  return found.exists() && found.kind() == NodeKind::null ? Node() : found;
}

bool MapReader::has(std::string_view key) const {
  return node_.find(key).exists();
}

void MapReader::report(std::string_view rule, std::string message, std::string advice, std::string_view key) {
  const Node node = node_.find(key);
  context_.report(rule, std::move(message), std::move(advice), path_of(key),
                  node.exists() ? node.place() : node_.place());
}

void MapReader::wrong_type(Node node, std::string_view key, std::string_view wanted) {
  context_.report("TYPE", fmt::format("{} is wanted here, not {}", wanted, to_string(node.kind())),
                  wanted == "text" ? "put the value in quotes" : "", path_of(key), node.place());
}

void MapReader::missing(std::string_view key) {
  report("REQUIRED", fmt::format("the field {} is missing", key), "add it", key);
}

std::string MapReader::text(std::string_view key, bool required) {
  const Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return "";
  }
  if (node.kind() != NodeKind::text) {
    wrong_type(node, key, "text");
    return node.is_scalar() ? std::string(node.text()) : "";
  }
  return std::string(node.text());
}

namespace {

// Whether a byte is a lower-case letter or digit. A table, since every name of every object comes by here.
constexpr std::array<bool, 256> inside_names = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyz0123456789"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

}  // namespace

bool is_subdomain(std::string_view name) {
  if (name.empty() || name.size() > 253) return false;
  char last = '.';
  for (const char c : name) {
    if (!inside_names[static_cast<unsigned char>(c)] && (c != '-' || last == '.') &&
        (c != '.' || last == '.' || last == '-'))
      return false;
    last = c;
  }
  return last != '.' && last != '-';
}

std::string MapReader::reference(std::string_view key, bool required) {
  const std::string name = text(key, required);
  const Node node = node_.find(key);
  if (node.exists() && node.kind() == NodeKind::text && !is_subdomain(name))
    report("NAME", fmt::format("{} cannot be the name of an object", base::quoted(name)),
           name.empty() ? "leave the key out to refer to nothing"
                        : "lower-case letters, digits, - and . are allowed, at most 253 of them",
           key);
  return name;
}

std::string MapReader::word(std::string_view key, std::string_view fallback,
                            const std::vector<std::string>& allowed) {
  const Node node = take(key);
  if (!node.exists()) return std::string(fallback);
  const std::string value(node.is_scalar() ? node.text() : "");
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
  report("ENUM",
         fmt::format("{} is not one of {}{}", base::quoted(value), fmt::join(allowed, ", "),
                     base::did_you_mean(value, allowed)),
         "", key);
  return std::string(fallback);
}

std::optional<base::Quantity> MapReader::quantity(std::string_view key, bool required) {
  const Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return std::nullopt;
  }
  if (node.kind() == NodeKind::decimal)
    report("QUANTITY-FLOAT", fmt::format("{} is a floating-point number; the API refuses it", node.text()),
           fmt::format("put it in quotes: \"{}\"", node.text()), key);
  else if (node.kind() != NodeKind::integer && node.kind() != NodeKind::text) {
    wrong_type(node, key, "a quantity");
    return std::nullopt;
  }
  const std::optional<std::int64_t> whole = node.integer();
  base::Result<base::Quantity> parsed =
      whole ? base::Result<base::Quantity>(base::Quantity::of(*whole, base::Unit::one))
            : base::Quantity::parse(node.text());
  if (!parsed.ok()) {
    report("QUANTITY", parsed.status().message(), "write it like 12, 500m, 1.5 or 16Gi", key);
    return std::nullopt;
  }
  if (!whole && base::Quantity::loses_precision(node.text()))
    report(
        "QUANTITY-ROUNDED",
        fmt::format("{} is finer than 1n and is rounded up to {}", base::quoted(node.text()), parsed->to_string()),
        "", key);
  return parsed.value();
}

std::optional<std::int64_t> MapReader::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                               bool required) {
  const Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return std::nullopt;
  }
  const std::optional<std::int64_t> value = node.integer();
  if (node.kind() != NodeKind::integer) {
    wrong_type(node, key, "an integer");
    return std::nullopt;
  }
  if (!value || *value < low || *value > high) {
    report("RANGE", fmt::format("{} is not between {} and {}", node.text(), low, high), "", key);
    return std::nullopt;
  }
  return value;
}

bool MapReader::boolean(std::string_view key, bool fallback) {
  const Node node = take(key);
  if (!node.exists()) return fallback;
  if (node.kind() != NodeKind::boolean) wrong_type(node, key, "true or false");
  return node.boolean().value_or(fallback);
}

std::vector<std::int64_t> MapReader::integers(std::string_view key, std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> found;
  const Node node = take(key);
  if (!node.exists()) return found;
  if (!node.is_list()) {
    wrong_type(node, key, "a list");
    return found;
  }
  for (const Node child : children(node)) {
    const std::optional<std::int64_t> value = child.integer();
    if (!value || *value < low || *value > high)
      context_.report("RANGE", fmt::format("a whole number between {} and {} is wanted here", low, high), "",
                      path_of(key), child.place());
    else
      found.push_back(*value);
  }
  return found;
}

std::vector<std::string> MapReader::keys() const {
  std::vector<std::string> found;
  for (const Node child : children(node_)) found.emplace_back(child.key());
  return found;
}

Pairs MapReader::pairs(std::string_view key) {
  MapReader map = this->map(key);
  Pairs found;
  for (const Node child : children(map.node_)) {
    if (child.kind() != NodeKind::text) map.wrong_type(child, child.key(), "text");
    found.emplace_back(child.key(), child.is_scalar() ? child.text() : std::string_view());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void MapReader::check_count(std::string_view key, std::size_t have, std::size_t at_least, std::size_t at_most) {
  if (have >= at_least && have <= at_most) return;
  report("COUNT", fmt::format("{} has {} entries; between {} and {} are allowed", key, have, at_least, at_most), "",
         key);
}

std::vector<std::string> MapReader::texts(std::string_view key, std::size_t at_least, std::size_t at_most) {
  std::vector<std::string> found;
  const Node node = take(key);
  if (!node.exists()) {
    if (at_least > 0) missing(key);
    return found;
  }
  if (!node.is_list()) {
    wrong_type(node, key, "a list");
    return found;
  }
  check_count(key, node.size(), at_least, at_most);
  for (const Node child : children(node)) {
    if (child.kind() != NodeKind::text) wrong_type(child, key, "text");
    found.emplace_back(child.is_scalar() ? child.text() : std::string_view());
  }
  return found;
}

void MapReader::items(std::string_view key, std::size_t at_least, std::size_t at_most, bool required,
                      const std::function<void(MapReader&)>& fn) {
  const Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return;
  }
  if (!node.is_list()) return wrong_type(node, key, "a list");
  check_count(key, node.size(), at_least, at_most);
  std::size_t index = 0;
  for (const Node child : children(node)) {
    MapReader item(child, fmt::format("{}[{}]", path_of(key), index++), context_);
    fn(item);
    item.finish();
  }
}

MapReader MapReader::map(std::string_view key) {
  return MapReader(take(key), path_of(key), context_);
}

void MapReader::finish() {
  for (const Node child : children(node_)) {
    if (std::find(read_.begin(), read_.end(), child.key()) != read_.end()) continue;
    const std::string meant = base::did_you_mean(child.key(), read_);
    context_.report(
        "UNKNOWN-FIELD",
        fmt::format("there is no field {} here in {}{}", base::quoted(child.key()), context_.format, meant),
        meant.empty() ? context_.unknown_advice : "correct its spelling; otherwise " + context_.unknown_advice,
        path_of(child.key()), child.key_place());
  }
}

}  // namespace cmb2kueue::doc
