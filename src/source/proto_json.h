// proto3 JSON as exports carry it: 64-bit integers as strings or numbers, enumerations by name or number, defaults
// present or absent alike. Which fields a message has is a table of rows; a row reads a field into its struct or
// notes it for the ledger.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cmb2kueue/doc/tree.h"
#include "cmb2kueue/source/source.h"
#include "draft.h"

namespace cmb2kueue::source {

// A message's enumeration: its words with their numbers.
using EnumTable = std::vector<std::pair<std::string_view, std::int64_t>>;

// What a scalar or history came to, whatever way it was spelled: equal for 7 and "7", for Leaf and 0.
struct Canonical {
  std::uint64_t hash = 0;
  bool zero = false;
};

class ProtoReader {
 public:
  // Fields the model knows already, from another file, are not added again.
  ProtoReader(base::Findings& into, const Options& given, model::Model& filled);

  base::Findings& findings;
  const Options& options;
  model::Model& model;
  std::string subject;                           // who the fields belong to, for findings
  model::TenantIndex tenant = model::no_tenant;  // of the draft, for facts
  std::vector<model::FieldFact> facts;
  std::uint64_t problems = 0;          // how often say() was called
  bool timestamps_in_seconds = false;  // source.timestampUnit says so
  std::optional<Canonical> seen;       // of the scalar read last; unset behind a message

  std::string text(doc::Node node);
  std::int64_t integer(doc::Node node, std::int64_t low, std::int64_t high);
  bool flag(doc::Node node);
  double real(doc::Node node);       // not negative
  std::string time(doc::Node node);  // RFC 3339
  std::uint32_t u32(doc::Node node) { return static_cast<std::uint32_t>(integer(node, 0, UINT32_MAX)); }
  std::int64_t i64(doc::Node node) { return integer(node, INT64_MIN, INT64_MAX); }
  std::int64_t timestamp(doc::Node node);  // milliseconds
  std::int64_t enumeration(doc::Node node, const EnumTable& table);
  std::vector<std::pair<std::string, std::string>> string_map(doc::Node node);  // sorted by key
  void say(std::string_view rule, std::string message, std::string advice, doc::Node node);

  // Notes a field whose value is not its zero; `field` is an index into model.fields.
  void note(std::uint16_t field, doc::Node node);
  void note(std::uint16_t field, doc::Node node, const std::optional<Canonical>& value);
  std::uint16_t field(std::string_view text, std::string_view code, std::string_view remedy);

  // Takes over what another reader noted, which may have numbered its fields otherwise. Its findings are its own.
  void take_notes(ProtoReader& other);

 private:
  friend void report_unknown(ProtoReader&, std::string_view, const std::vector<std::string>&, doc::Node);
  std::map<std::string, std::uint16_t, std::less<>> fields_;
  std::unordered_map<const char*, std::uint16_t> field_of_literal_;     // the same, by where the text lies
  std::map<std::pair<std::string, std::string>, std::string> unknown_;  // messages, so that many cost little
};

// True for what proto3 leaves out or prints alike: null, "", 0, false, [], {}.
bool is_zero(doc::Node node);
// Fingerprint of a value with everything below it; fields at their zero do not show.
std::uint64_t value_hash(doc::Node node, std::uint64_t seed = 0);
std::uint64_t number_hash(std::int64_t value);

// One field of a message that is read into T, noted for the ledger, or both.
template <class T>
struct FieldRow {
  std::string_view key;
  void (*read)(ProtoReader& reader, T& into, doc::Node node) = nullptr;
  std::string_view code = {};  // catalogue code; "" when an object carries the field
  std::string_view loss = {};
  std::string_view remedy = {};
};

template <class T>
struct MessageTable {
  std::string_view name;  // "TenantDefinition"
  std::vector<FieldRow<T>> rows;
};

void report_not_a_map(ProtoReader& reader, std::string_view message, doc::Node node);
void report_unknown(ProtoReader& reader, std::string_view message, const std::vector<std::string>& known,
                    doc::Node child);

// Reads a message by its table. null is an unset message.
template <class T>
void read_message(ProtoReader& reader, const MessageTable<T>& table, T& into, doc::Node node) {
  if (!node.exists() || node.kind() == doc::NodeKind::null) return;
  if (!node.is_map()) return report_not_a_map(reader, table.name, node);
  std::size_t at = 0;  // exports keep the order of the interface, so the next row mostly fits
  for (const doc::Node child : doc::children(node)) {
    const std::string_view key = child.key();
    std::size_t tries = 0;
    for (; tries < table.rows.size() && table.rows[at].key != key; ++tries)
      at = at + 1 < table.rows.size() ? at + 1 : 0;
    if (tries == table.rows.size()) {
      std::vector<std::string> known;
      for (const FieldRow<T>& candidate : table.rows) known.emplace_back(candidate.key);
      report_unknown(reader, table.name, known, child);
      continue;
    }
    const FieldRow<T>& row = table.rows[at];
    reader.seen.reset();
    if (row.read != nullptr && child.kind() != doc::NodeKind::null) row.read(reader, into, child);
    if (!row.code.empty()) reader.note(reader.field(row.loss, row.code, row.remedy), child, reader.seen);
  }
  reader.seen.reset();
}

// A field a reader consumes; tests walk them all.
struct ReadField {
  std::string_view message, field, code;
};
template <class T>
void list_rows(const MessageTable<T>& table, std::vector<ReadField>& into) {
  for (const FieldRow<T>& row : table.rows) into.push_back({table.name, row.key, row.code});
}

// Calls fn for each item of a list; anything else but null is reported.
template <class Function>
void each(ProtoReader& reader, doc::Node node, Function&& fn) {
  if (!node.exists() || node.kind() == doc::NodeKind::null) return;
  if (!node.is_list()) return reader.say("E-FIELD-TYPE", "a list is wanted here", "", node);
  for (const doc::Node item : doc::children(node)) fn(item);
}

}  // namespace cmb2kueue::source
