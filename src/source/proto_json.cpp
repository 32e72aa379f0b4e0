// Scalars of proto3 JSON, and facts for the ledger.
#include "proto_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::source {

namespace {

constexpr std::int64_t smallest_milliseconds = 100'000'000'000;  // below it a timestamp counts seconds

std::optional<std::int64_t> whole_number(doc::Node node) {
  if (node.kind() == doc::NodeKind::integer) return node.integer();
  if (node.kind() == doc::NodeKind::decimal) {
    const double value = node.decimal().value_or(0.5);
    if (value >= -9e15 && value <= 9e15 && value == static_cast<double>(static_cast<std::int64_t>(value)))
      return static_cast<std::int64_t>(value);
    return std::nullopt;
  }
  if (node.kind() != doc::NodeKind::text) return std::nullopt;
  const std::string_view text = node.text();
  std::int64_t value = 0;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool is_zero(doc::Node node) {
  switch (node.kind()) {
    case doc::NodeKind::null:
      return true;
    case doc::NodeKind::boolean:
      return !node.boolean().value_or(true);
    case doc::NodeKind::integer:
    case doc::NodeKind::decimal:
      return node.decimal().value_or(1) == 0;
    case doc::NodeKind::text:
      return node.text().empty() || node.text() == "0";
    case doc::NodeKind::list:
    case doc::NodeKind::map:
      return node.size() == 0;
  }
  return true;
}

// Depth is bounded by the parser's limit, so recursion is too. Maps hash the same in every order of their keys.
std::uint64_t value_hash(doc::Node node, std::uint64_t seed) {
  if (node.is_scalar()) return base::fnv1a(node.text(), base::fnv1a("") ^ seed);
  std::uint64_t hash = node.is_map() ? 0 : base::fnv1a("");
  for (const doc::Node child : doc::children(node)) {
    const std::uint64_t own = value_hash(child, base::fnv1a(child.key()) ^ seed);
    hash = node.is_map() ? hash + own : (hash ^ own) * 1099511628211ULL;
  }
  return hash;
}

void ProtoReader::say(std::string_view rule, std::string message, std::string advice, doc::Node node) {
  ++problems;
  report(findings, rule, std::move(message), std::move(advice), subject, std::string(node.key()), node.place());
}

std::string ProtoReader::text(doc::Node node) {
  if (node.kind() == doc::NodeKind::text) return std::string(node.text());
  if (node.is_scalar() && node.kind() != doc::NodeKind::null) {
    say("E-FIELD-TYPE", fmt::format("text is wanted here, not {}", to_string(node.kind())),
        "put the value in quotes", node);
    return std::string(node.text());
  }
  say("E-FIELD-TYPE", fmt::format("text is wanted here, not {}", to_string(node.kind())), "", node);
  return "";
}

std::int64_t ProtoReader::integer(doc::Node node, std::int64_t low, std::int64_t high) {
  const std::optional<std::int64_t> value = whole_number(node);
  if (!value && node.kind() != doc::NodeKind::integer) {
    say("E-FIELD-TYPE", fmt::format("a whole number is wanted here, not {}", to_string(node.kind())), "", node);
    return std::max<std::int64_t>(low, 0);
  }
  if (!value || *value < low || *value > high) {
    say("E-FIELD-RANGE", fmt::format("{} is not between {} and {}", node.text(), low, high), "", node);
    return std::max<std::int64_t>(low, 0);
  }
  return *value;
}

std::int64_t ProtoReader::timestamp(doc::Node node) {
  const std::int64_t value = integer(node, 0, INT64_MAX / 1000);
  if (timestamps_in_seconds) return value * 1000;
  if (value > 0 && value < smallest_milliseconds)
    say("E-TIMESTAMP-SECONDS", "the timestamp looks like seconds; milliseconds are expected",
        "export milliseconds, or say source.timestampUnit: seconds", node);
  return value;
}

std::int64_t ProtoReader::enumeration(doc::Node node, const EnumTable& table) {
  std::vector<std::string> words;
  const std::optional<std::int64_t> number =
      node.kind() == doc::NodeKind::integer ? node.integer() : std::optional<std::int64_t>();
  for (const auto& [word, value] : table) {
    if (number ? *number == value : node.is_scalar() && node.text() == word) return value;
    words.emplace_back(word);
  }
  const std::string_view typed = node.is_scalar() ? node.text() : std::string_view();
  say("E-ENUM",
      fmt::format("{} is not one of {}{}", base::quoted(typed), fmt::join(words, ", "),
                  base::did_you_mean(typed, words)),
      "", node);
  return table.front().second;
}

std::vector<std::pair<std::string, std::string>> ProtoReader::string_map(doc::Node node) {
  std::vector<std::pair<std::string, std::string>> found;
  if (!node.is_map()) {
    say("E-FIELD-TYPE", fmt::format("a map is wanted here, not {}", to_string(node.kind())), "", node);
    return found;
  }
  for (const doc::Node child : doc::children(node)) found.emplace_back(child.key(), text(child));
  std::sort(found.begin(), found.end());
  return found;
}

std::uint16_t ProtoReader::field(std::string_view name, std::string_view code, std::string_view loss,
                                 std::string_view remedy) {
  const auto [slot, fresh] = fields_.try_emplace(name, static_cast<std::uint16_t>(model.fields.size()));
  if (!fresh) return slot->second;
  const std::size_t colon = loss.find(": ");
  model.fields.push_back({std::string(loss.substr(0, colon)), std::string(code),
                          std::string(colon == std::string_view::npos ? loss : loss.substr(colon + 2)),
                          std::string(remedy)});
  return slot->second;
}

void ProtoReader::note(std::uint16_t field_index, doc::Node node) {
  if (!is_zero(node)) facts.push_back({field_index, tenant, value_hash(node), node.place()});
}

void report_not_a_map(ProtoReader& reader, std::string_view message, doc::Node node) {
  reader.say("E-FIELD-TYPE", fmt::format("a {} is a map, not {}", message, to_string(node.kind())), "", node);
}

void report_unknown(ProtoReader& reader, std::string_view message, const std::vector<std::string>& known,
                    doc::Node child) {
  const std::string rule = reader.options.strict_unknown ? "E-UNKNOWN-FIELD" : "N-UNKNOWN-FIELD";
  report(reader.findings, rule,
         fmt::format("{} has no field {} that this tool knows{}", message, base::quoted(child.key()),
                     base::did_you_mean(child.key(), known)),
         "it is not carried over; check whether it changes what the tenant was promised", reader.subject,
         std::string(child.key()), child.key_place());
}

}  // namespace cmb2kueue::source
