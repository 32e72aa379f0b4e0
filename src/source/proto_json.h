// proto3 JSON as exports carry it: 64-bit integers as strings or numbers, enumerations by name or number, defaults
// present or absent alike. Which fields a message has is a table of rows; a row reads a field into its struct or
// notes it for the ledger.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmb2kueue/doc/tree.h"
#include "cmb2kueue/source/source.h"
#include "draft.h"

namespace cmb2kueue::source {

// A message's enumeration: its words with their numbers.
using EnumTable = std::vector<std::pair<std::string_view, std::int64_t>>;

class ProtoReader {
 public:
  ProtoReader(base::Findings& into, const Options& given, model::Model& filled)
      : findings(into), options(given), model(filled) {}

  base::Findings& findings;
  const Options& options;
  model::Model& model;
  std::string subject;                           // who the fields belong to, for findings
  model::TenantIndex tenant = model::no_tenant;  // of the draft, for facts
  std::vector<model::FieldFact> facts;
  std::uint64_t problems = 0;          // how often say() was called
  bool timestamps_in_seconds = false;  // source.timestampUnit says so

  std::string text(doc::Node node);
  std::int64_t integer(doc::Node node, std::int64_t low, std::int64_t high);
  std::uint32_t u32(doc::Node node) { return static_cast<std::uint32_t>(integer(node, 0, UINT32_MAX)); }
  std::int64_t i64(doc::Node node) { return integer(node, INT64_MIN, INT64_MAX); }
  std::int64_t timestamp(doc::Node node);  // milliseconds
  std::int64_t enumeration(doc::Node node, const EnumTable& table);
  std::vector<std::pair<std::string, std::string>> string_map(doc::Node node);  // sorted by key
  void say(std::string_view rule, std::string message, std::string advice, doc::Node node);

  // Notes a field whose value is not its zero; `field` is an index into model.fields.
  void note(std::uint16_t field, doc::Node node);
  std::uint16_t field(std::string_view name, std::string_view code, std::string_view loss, std::string_view remedy);

 private:
  std::map<std::string_view, std::uint16_t> fields_;
};

// True for what proto3 leaves out or prints alike: null, "", 0, false, [], {}.
bool is_zero(doc::Node node);
// Fingerprint of a value with everything below it.
std::uint64_t value_hash(doc::Node node, std::uint64_t seed = 0);

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
  for (const doc::Node child : doc::children(node)) {
    const FieldRow<T>* row = nullptr;
    for (const FieldRow<T>& candidate : table.rows)
      if (candidate.key == child.key()) row = &candidate;
    if (row == nullptr) {
      std::vector<std::string> known;
      for (const FieldRow<T>& candidate : table.rows) known.emplace_back(candidate.key);
      report_unknown(reader, table.name, known, child);
      continue;
    }
    if (!row->code.empty()) reader.note(reader.field(row->loss, row->code, row->loss, row->remedy), child);
    if (row->read != nullptr && child.kind() != doc::NodeKind::null) row->read(reader, into, child);
  }
}

// Calls fn for each item of a list; anything else but null is reported.
template <class Function>
void each(ProtoReader& reader, doc::Node node, Function&& fn) {
  if (!node.exists() || node.kind() == doc::NodeKind::null) return;
  if (!node.is_list()) return reader.say("E-FIELD-TYPE", "a list is wanted here", "", node);
  for (const doc::Node item : doc::children(node)) fn(item);
}

}  // namespace cmb2kueue::source
