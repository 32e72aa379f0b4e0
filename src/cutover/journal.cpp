// Opening and appending.
#include "journal.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "record_json.h"
#include "state_json.h"

namespace cmb2kueue::cutover {

namespace {

constexpr const char* checkpoint_name = "state.json";

std::string file_of(std::uint64_t seq) {
  return fmt::format("journal/{:010}.json", seq);
}

base::Status broken(const std::string& file, const std::string& what) {
  return base::Status(base::ErrorKind::mismatch, "the record " + base::quoted(file) + " " + what,
                      "restore the folder .cmb2kueue from Git or a backup; nothing is written until it is whole");
}

base::Result<std::vector<std::string>> record_files(const Context& context) {
  base::Result<std::vector<std::string>> names = context.target->records().list("journal");
  if (!names.ok()) return names;
  std::erase_if(names.value(), [](const std::string& name) { return !name.ends_with(".json"); });
  return names;
}

// One record from its file; nothing when it does not parse.
std::optional<Record> read_record(const Context& context, const std::string& file, std::string& bytes) {
  const base::Result<std::string> text = context.target->records().read(file);
  if (!text.ok()) return std::nullopt;
  bytes = text.value();
  return parse_record(context.target->records(), bytes);
}

template <class Map, class Value>
void set_or_remove(Map& map, const typename Map::key_type& key, const std::optional<Value>& value) {
  if (value)
    map[key] = *value;
  else
    map.erase(key);
}

}  // namespace

void apply(const Changes& changes, State& state) {
  if (changes.head_run) state.head.run = *changes.head_run;
  if (changes.inputs) state.inputs = *changes.inputs;
  if (changes.tree) state.tree = *changes.tree;
  for (const auto& [hash, tenant] : changes.enrolled) set_or_remove(state.enrolled, hash, tenant);
  if (changes.allotments) state.allotments = *changes.allotments;
  for (const auto& [key, shared] : changes.shared) set_or_remove(state.shared, key, shared);
  for (const auto& [bundle, version] : changes.versions) set_or_remove(state.versions, bundle, version);
  for (const auto& [bundle, version] : changes.pending) set_or_remove(state.pending, bundle, version);
  state.used.insert(changes.used.begin(), changes.used.end());
}

base::Status Journal::read_checkpoint() {
  base::FileSystem& records = context_.target->records();
  if (records.kind_of(checkpoint_name).empty()) return {};
  const base::Result<std::string> text = records.read(checkpoint_name);
  if (!text.ok()) return text.status();
  std::optional<State> state = parse_state(records, text.value());
  if (state) state_ = std::move(*state);  // an unreadable checkpoint is rebuilt from the records
  return {};
}

base::Status Journal::read_newer() {
  const base::Result<std::vector<std::string>> names = record_files(context_);
  if (!names.ok()) return names.status();
  for (std::size_t i = 0; i < names->size(); ++i) {
    const std::string file = "journal/" + names.value()[i];
    if (file <= file_of(state_.head.seq)) continue;
    std::string bytes;
    const std::optional<Record> record = read_record(context_, file, bytes);
    const bool last = i + 1 == names->size();
    if (!record && last) {
      torn_ = file;
      return {};
    }
    if (!record) return broken(file, "is torn, and newer ones follow it");
    if (record->seq != state_.head.seq + 1) return broken(file_of(state_.head.seq + 1), "is missing");
    if (record->previous != state_.head.hash) return broken(file, "does not follow the one before it");
    apply(record->changes, state_);
    state_.head.seq = record->seq;
    state_.head.hash = base::sha256_hex(bytes);
  }
  return {};
}

base::Status Journal::open() {
  state_ = State();
  state_.cell = context_.cell;
  const base::Status checkpoint = read_checkpoint();
  return checkpoint.ok() ? read_newer() : checkpoint;
}

base::Status Journal::keep_tree(const quota::Entitlements& tree) {
  const std::string name = tree_name(tree);
  if (!context_.target->records().kind_of(name).empty()) return {};
  return context_.target->records().replace(name, tree_text(tree));
}

base::Status Journal::checkpoint() {
  return context_.target->records().replace(checkpoint_name, state_text(state_));
}

base::Status Journal::append(Record record) {
  record.seq = state_.head.seq + 1;
  record.previous = state_.head.hash;
  record.time = base::rfc3339(context_.clock->now_ms());
  record.who = context_.who.user + "@" + context_.who.host;
  record.reason = context_.reason;
  record.tool = context_.tool_version;
  if (!context_.dry_run) {
    if (record.changes.tree) {
      const base::Status kept = keep_tree(*record.changes.tree);
      if (!kept.ok()) return kept;
    }
    base::FileSystem& records = context_.target->records();
    const std::string bytes = record_text(record);
    if (!torn_.empty()) {
      const base::Status removed = records.remove(torn_);
      if (!removed.ok()) return removed;
      torn_.clear();
    }
    const base::Status created = records.create(file_of(record.seq), bytes);
    if (created.kind() == base::ErrorKind::conflict)
      return base::Status(base::ErrorKind::locked, "another run has written to the journal meanwhile",
                          "look at cmb2kueue status, then run the same command again");
    if (!created.ok()) return created;
    state_.head.hash = base::sha256_hex(bytes);
  }
  apply(record.changes, state_);
  state_.head.seq = record.seq;
  return context_.dry_run ? base::Status() : checkpoint();
}

base::Result<std::vector<Record>> Journal::read_all(const Context& context) {
  const base::Result<std::vector<std::string>> names = record_files(context);
  if (!names.ok()) return names.status();
  std::vector<Record> found;
  for (const std::string& name : names.value()) {
    std::string bytes;
    std::optional<Record> record = read_record(context, "journal/" + name, bytes);
    if (record) found.push_back(std::move(*record));
  }
  return found;
}

base::Result<State> load_state(const Context& context) {
  Journal journal(context);
  const base::Status opened = journal.open();
  if (!opened.ok()) return opened;
  return journal.state();
}

base::Result<std::vector<HistoryEntry>> history(const Context& context) {
  const base::Result<std::vector<Record>> records = Journal::read_all(context);
  if (!records.ok()) return records.status();
  std::vector<HistoryEntry> entries;
  for (const Record& record : records.value())
    entries.push_back({record.seq, record.time, context.cell, record.run, record.tenant, record.verb, record.step,
                       record.phase, record.object, record.who, record.reason});
  return entries;
}

}  // namespace cmb2kueue::cutover
