// Scalars of proto3 JSON, and facts for the ledger.
#include "proto_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cmb2kueue/base/clock.h"
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

// A whole number, if only one too large for 64 bits.
bool looks_whole(doc::Node node) {
  if (node.kind() == doc::NodeKind::integer) return true;
  std::string_view text = node.kind() == doc::NodeKind::text ? node.text() : std::string_view();
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
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
      return node.text().empty();
    case doc::NodeKind::list:
    case doc::NodeKind::map:
      return node.size() == 0;
  }
  return true;
}

std::uint64_t number_hash(std::int64_t value) {
  std::uint64_t mixed = static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL;
  mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9ULL;
  return mixed ^ (mixed >> 29);
}

// Depth is bounded by the parser's limit, so recursion is too. Maps hash the same in every order of their keys.
std::uint64_t value_hash(doc::Node node, std::uint64_t seed) {
  if (node.is_scalar()) {
    const std::optional<std::int64_t> whole = whole_number(node);
    return whole ? number_hash(*whole) ^ seed : base::fnv1a(node.text(), base::fnv1a("") ^ seed);
  }
  std::uint64_t hash = node.is_map() ? 0 : base::fnv1a("");
  for (const doc::Node child : doc::children(node)) {
    if (node.is_map() && is_zero(child)) continue;
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
  seen = {base::fnv1a(node.is_scalar() ? node.text() : std::string_view()), is_zero(node)};
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
  seen.reset();
  if (!value && !looks_whole(node)) {
    say("E-FIELD-TYPE", fmt::format("a whole number is wanted here, not {}", to_string(node.kind())), "", node);
    return std::max<std::int64_t>(low, 0);
  }
  if (!value || *value < low || *value > high) {
    say("E-FIELD-RANGE", fmt::format("{} is not between {} and {}", base::quoted(node.text(), 40), low, high), "",
        node);
    return std::max<std::int64_t>(low, 0);
  }
  seen = {number_hash(*value), *value == 0};
  return *value;
}

bool ProtoReader::flag(doc::Node node) {
  const std::optional<bool> value = node.boolean();
  if (!value)
    say("E-FIELD-TYPE", fmt::format("true or false is wanted here, not {}", to_string(node.kind())), "", node);
  seen = {number_hash(value.value_or(false) ? 1 : 0), !value.value_or(false)};
  return value.value_or(false);
}

double ProtoReader::real(doc::Node node) {
  const std::optional<double> value = node.decimal();
  seen = {value_hash(node), value.value_or(1) == 0};
  if (!value) {
    say("E-FIELD-TYPE", fmt::format("a number is wanted here, not {}", to_string(node.kind())), "", node);
    return 0;
  }
  if (*value < 0) say("E-FIELD-RANGE", fmt::format("{} is negative", node.text()), "", node);
  return std::max(*value, 0.0);
}

std::string ProtoReader::time(doc::Node node) {
  const std::string value = text(node);
  if (node.kind() == doc::NodeKind::text && !value.empty() && base::parse_rfc3339(value) < 0)
    say("E-FIELD-TYPE", base::quoted(value) + " is no time", "write it as RFC 3339: 2026-03-04T05:06:07Z", node);
  return value;
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
    if (number ? *number != value : !node.is_scalar() || node.text() != word) continue;
    seen = {number_hash(value), value == 0};
    return value;
  }
  for (const auto& [word, value] : table) words.emplace_back(word);
  seen.reset();
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
  std::uint64_t hash = 0;
  for (const doc::Node child : doc::children(node)) {
    found.emplace_back(child.key(), text(child));
    hash += base::fnv1a(found.back().second, base::fnv1a(child.key()));
  }
  std::sort(found.begin(), found.end());
  seen = {hash, found.empty()};
  return found;
}

ProtoReader::ProtoReader(base::Findings& into, const Options& given, model::Model& filled)
    : findings(into), options(given), model(filled) {
  for (std::uint16_t i = 0; i < model.fields.size(); ++i) fields_.emplace(model.fields[i].field, i);
}

// `text` is "field: what is lost".
std::uint16_t ProtoReader::field(std::string_view text, std::string_view code, std::string_view remedy) {
  const auto known = field_of_literal_.find(text.data());
  if (known != field_of_literal_.end()) return known->second;
  const std::size_t colon = text.find(": ");
  const std::string_view name = text.substr(0, colon);
  auto slot = fields_.find(name);
  if (slot == fields_.end()) {
    const std::string_view loss = colon == std::string_view::npos ? text : text.substr(colon + 2);
    slot = fields_.emplace(name, static_cast<std::uint16_t>(model.fields.size())).first;
    model.fields.push_back({std::string(name), std::string(code), std::string(loss), std::string(remedy)});
  }
  field_of_literal_.emplace(text.data(), slot->second);
  return slot->second;
}

void ProtoReader::take_notes(ProtoReader& other) {
  std::vector<std::uint16_t> here;
  for (const model::FieldNote& one : other.model.fields) {
    const auto [slot, fresh] = fields_.try_emplace(one.field, static_cast<std::uint16_t>(model.fields.size()));
    if (fresh) model.fields.push_back(one);
    here.push_back(slot->second);
  }
  for (model::FieldFact& fact : other.facts) fact.field = here[fact.field];
  if (facts.empty())
    facts.swap(other.facts);
  else
    facts.insert(facts.end(), other.facts.begin(), other.facts.end());
  problems += other.problems;
}

void ProtoReader::note(std::uint16_t field_index, doc::Node node) {
  if (!is_zero(node)) facts.push_back({field_index, tenant, value_hash(node), node.place()});
}

void ProtoReader::note(std::uint16_t field_index, doc::Node node, const std::optional<Canonical>& value) {
  if (!value) return note(field_index, node);
  if (!value->zero) facts.push_back({field_index, tenant, value->hash, node.place()});
}

void report_not_a_map(ProtoReader& reader, std::string_view message, doc::Node node) {
  reader.say("E-FIELD-TYPE", fmt::format("a {} is a map, not {}", message, to_string(node.kind())), "", node);
}

void report_unknown(ProtoReader& reader, std::string_view message, const std::vector<std::string>& known,
                    doc::Node child) {
  std::string& text = reader.unknown_[{std::string(message), std::string(child.key())}];
  if (text.empty())
    text = fmt::format("{} has no field {} that this tool knows{}", message, base::quoted(child.key()),
                       base::did_you_mean(child.key(), known));
  report(reader.findings, reader.options.strict_unknown ? "E-UNKNOWN-FIELD" : "N-UNKNOWN-FIELD", text,
         "it is not carried over; check whether it changes what the tenant was promised", reader.subject,
         std::string(child.key()), child.key_place());
}

}  // namespace cmb2kueue::source
