// Reader: types, counts and words of manifest fields.
#include "reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "schema_rules.h"

namespace cmb2kueue::kueue {

void Decoding::report(std::string_view rule, std::string message, std::string advice, const std::string& field,
                      base::Place place) {
  findings.add({std::string(rule), severity_of_schema_rule(rule), std::move(message), std::move(advice), subject,
                field, place});
}

Reader::Reader(doc::Node node, std::string path, Decoding& decoding)
    : node_(node), path_(std::move(path)), decoding_(decoding) {
  if (!node_.exists() || node_.is_map()) return;
  if (node_.kind() != doc::NodeKind::null)
    decoding_.report("KS-TYPE", fmt::format("a map is wanted here, not {}", to_string(node_.kind())), "", path_,
                     node_.place());
  node_ = doc::Node();
}

doc::Node Reader::take(std::string_view key) {
  read_.push_back(key);
  const doc::Node found = node_.find(key);
  return found.exists() && found.kind() == doc::NodeKind::null ? doc::Node() : found;
}

bool Reader::has(std::string_view key) const {
  return node_.find(key).exists();
}

void Reader::report(std::string_view rule, std::string message, std::string advice, std::string_view key) {
  const doc::Node node = node_.find(key);
  decoding_.report(rule, std::move(message), std::move(advice), path_of(key),
                   node.exists() ? node.place() : node_.place());
}

void Reader::wrong_type(doc::Node node, std::string_view key, std::string_view wanted) {
  decoding_.report("KS-TYPE", fmt::format("{} is wanted here, not {}", wanted, to_string(node.kind())),
                   wanted == "text" ? "put the value in quotes" : "", path_of(key), node.place());
}

void Reader::missing(std::string_view key) {
  report("KS-REQUIRED", fmt::format("the field {} is missing", key), "add it", key);
}

std::string Reader::text(std::string_view key, bool required) {
  const doc::Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return "";
  }
  if (node.kind() != doc::NodeKind::text) {
    wrong_type(node, key, "text");
    return node.is_scalar() ? std::string(node.text()) : "";
  }
  return std::string(node.text());
}

bool is_subdomain(std::string_view name) {
  if (name.empty() || name.size() > 253) return false;
  char last = '.';
  for (const char c : name) {
    const bool inside = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!inside && (c != '-' || last == '.') && (c != '.' || last == '.' || last == '-')) return false;
    last = c;
  }
  return last != '.' && last != '-';
}

std::string Reader::reference(std::string_view key, bool required) {
  const std::string name = text(key, required);
  const doc::Node node = node_.find(key);
  if (node.exists() && node.kind() == doc::NodeKind::text && !is_subdomain(name))
    report("KS-NAME", fmt::format("{} cannot be the name of an object", base::quoted(name)),
           name.empty() ? "leave the key out to refer to nothing"
                        : "lower-case letters, digits, - and . are allowed, at most 253 of them",
           key);
  return name;
}

std::string Reader::word(std::string_view key, std::string_view fallback, const std::vector<std::string>& allowed) {
  const doc::Node node = take(key);
  if (!node.exists()) return std::string(fallback);
  const std::string value(node.is_scalar() ? node.text() : "");
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
  report("KS-ENUM",
         fmt::format("{} is not one of {}{}", base::quoted(value), fmt::join(allowed, ", "),
                     base::did_you_mean(value, allowed)),
         "", key);
  return std::string(fallback);
}

std::optional<base::Quantity> Reader::quantity(std::string_view key, bool required) {
  const doc::Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return std::nullopt;
  }
  if (node.kind() == doc::NodeKind::decimal)
    report("KS-QUANTITY-FLOAT", fmt::format("{} is a floating-point number; the API refuses it", node.text()),
           fmt::format("put it in quotes: \"{}\"", node.text()), key);
  else if (node.kind() != doc::NodeKind::integer && node.kind() != doc::NodeKind::text) {
    wrong_type(node, key, "a quantity");
    return std::nullopt;
  }
  const std::optional<std::int64_t> whole = node.integer();
  base::Result<base::Quantity> parsed =
      whole ? base::Result<base::Quantity>(base::Quantity::of(*whole, base::Unit::one))
            : base::Quantity::parse(node.text());
  if (!parsed.ok()) {
    report("KS-QUANTITY", parsed.status().message(), "write it like 12, 500m, 1.5 or 16Gi", key);
    return std::nullopt;
  }
  if (!whole && base::Quantity::loses_precision(node.text()))
    report(
        "KS-QUANTITY-ROUNDED",
        fmt::format("{} is finer than 1n and is rounded up to {}", base::quoted(node.text()), parsed->to_string()),
        "", key);
  return parsed.value();
}

std::optional<std::int64_t> Reader::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                            bool required) {
  const doc::Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return std::nullopt;
  }
  const std::optional<std::int64_t> value = node.integer();
  if (node.kind() != doc::NodeKind::integer) {
    wrong_type(node, key, "an integer");
    return std::nullopt;
  }
  if (!value || *value < low || *value > high) {
    report("KS-RANGE", fmt::format("{} is not between {} and {}", node.text(), low, high), "", key);
    return std::nullopt;
  }
  return value;
}

Pairs Reader::pairs(std::string_view key) {
  Reader map = this->map(key);
  Pairs found;
  for (const doc::Node child : doc::children(map.node_)) {
    if (child.kind() != doc::NodeKind::text) map.wrong_type(child, child.key(), "text");
    found.emplace_back(child.key(), child.is_scalar() ? child.text() : std::string_view());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void Reader::check_count(std::string_view key, std::size_t have, std::size_t at_least, std::size_t at_most) {
  if (have >= at_least && have <= at_most) return;
  report("KS-COUNT", fmt::format("{} has {} entries; between {} and {} are allowed", key, have, at_least, at_most),
         "", key);
}

std::vector<std::string> Reader::texts(std::string_view key, std::size_t at_least, std::size_t at_most) {
  std::vector<std::string> found;
  const doc::Node node = take(key);
  if (!node.exists()) {
    if (at_least > 0) missing(key);
    return found;
  }
  if (!node.is_list()) {
    wrong_type(node, key, "a list");
    return found;
  }
  check_count(key, node.size(), at_least, at_most);
  for (const doc::Node child : doc::children(node)) {
    if (child.kind() != doc::NodeKind::text) wrong_type(child, key, "text");
    found.emplace_back(child.is_scalar() ? child.text() : std::string_view());
  }
  return found;
}

void Reader::items(std::string_view key, std::size_t at_least, std::size_t at_most, bool required,
                   const std::function<void(Reader&)>& fn) {
  const doc::Node node = take(key);
  if (!node.exists()) {
    if (required) missing(key);
    return;
  }
  if (!node.is_list()) return wrong_type(node, key, "a list");
  check_count(key, node.size(), at_least, at_most);
  std::size_t index = 0;
  for (const doc::Node child : doc::children(node)) {
    Reader item(child, fmt::format("{}[{}]", path_of(key), index++), decoding_);
    fn(item);
    item.finish();
  }
}

Reader Reader::map(std::string_view key) {
  return Reader(take(key), path_of(key), decoding_);
}

void Reader::finish() {
  std::vector<std::string> known(read_.begin(), read_.end());
  for (const doc::Node child : doc::children(node_)) {
    if (std::find(read_.begin(), read_.end(), child.key()) != read_.end()) continue;
    decoding_.report("KS-UNKNOWN-FIELD",
                     fmt::format("there is no field {} here in {}{}", base::quoted(child.key()),
                                 decoding_.api_version, base::did_you_mean(child.key(), known)),
                     "the API would drop it silently, or refuse it under strict validation", path_of(child.key()),
                     child.key_place());
  }
}

}  // namespace cmb2kueue::kueue
