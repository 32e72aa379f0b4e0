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
constexpr std::size_t small_checkpoint = 1U << 16U;
constexpr std::size_t seq_digits = 10;

std::string file_of(std::uint64_t seq) {
  return fmt::format("journal/{:010}.json", seq);
}

base::Status broken(const std::string& file, const std::string& what) {
  return base::Status(base::ErrorKind::mismatch, "the record " + base::quoted(file) + " " + what,
                      "restore the folder .cmb2kueue from Git or a backup; nothing is written until it is whole");
}

bool is_record_name(const std::string& name) {
  return name.size() == seq_digits + 5 && name.ends_with(".json") &&
         name.find_first_not_of("0123456789") == seq_digits;
}

base::Result<std::vector<std::string>> record_files(const Context& context) {
  base::Result<std::vector<std::string>> names = context.target->records().list("journal");
  if (!names.ok()) return names;
  std::erase_if(names.value(), [](const std::string& name) { return !is_record_name(name); });
  return names;
}

template <class Map, class Value>
void set_or_remove(Map& map, const typename Map::key_type& key, const std::optional<Value>& value) {
  if (value)
    map[key] = *value;
  else
    map.erase(key);
}

void join_or_leave(State& state, const kueue::ObjectKey& key, const std::string& user, bool joins) {
  const auto shared = state.shared.find(key);
  if (shared == state.shared.end()) return;
  std::vector<std::string>& users = shared->second.users;
  const auto at = std::lower_bound(users.begin(), users.end(), user);
  const bool there = at != users.end() && *at == user;
  if (joins && !there) users.insert(at, user);
  if (!joins && there) users.erase(at);
}

}  // namespace

bool Changes::empty() const {
  return !head_run && !inputs && !tree && enrolled.empty() && allotments.empty() && shared.empty() &&
         joins.empty() && leaves.empty() && versions.empty() && pending.empty() && used.empty();
}

std::map<AllotmentKey, std::optional<Allotment>> allotment_changes(const std::map<AllotmentKey, Allotment>& before,
                                                                   const std::map<AllotmentKey, Allotment>& after) {
  std::map<AllotmentKey, std::optional<Allotment>> changes;
  for (const auto& [at, allotment] : before)
    if (!after.contains(at)) changes[at] = std::nullopt;
  for (const auto& [at, allotment] : after) {
    const auto found = before.find(at);
    if (found == before.end() || found->second != allotment) changes[at] = allotment;
  }
  return changes;
}

void apply(const Changes& changes, State& state) {
  if (changes.head_run) state.head.run = *changes.head_run;
  if (changes.inputs) state.inputs = *changes.inputs;
  if (changes.tree) state.tree = *changes.tree;
  for (const auto& [hash, tenant] : changes.enrolled) set_or_remove(state.enrolled, hash, tenant);
  for (const auto& [at, allotment] : changes.allotments) set_or_remove(state.allotments, at, allotment);
  for (const auto& [key, shared] : changes.shared) set_or_remove(state.shared, key, shared);
  for (const auto& [key, user] : changes.joins) join_or_leave(state, key, user, true);
  for (const auto& [key, user] : changes.leaves) join_or_leave(state, key, user, false);
  for (const auto& [bundle, version] : changes.versions) set_or_remove(state.versions, bundle, version);
  for (const auto& [bundle, version] : changes.pending) set_or_remove(state.pending, bundle, version);
  state.used.insert(changes.used.begin(), changes.used.end());
}

// An unreadable checkpoint is rebuilt from the records; one that knows of records which are not there shows that
// records were lost.
base::Status Journal::read_checkpoint() {
  base::FileSystem& records = context_.target->records();
  if (records.kind_of(checkpoint_name).empty()) return {};
  const base::Result<std::string> text = records.read(checkpoint_name);
  if (!text.ok()) return text.status();
  std::optional<State> state = parse_state(records, text.value());
  if (!state) return {};
  state_ = std::move(*state);
  acknowledged_ = state_.head.seq;
  checkpoint_bytes_ = text->size();
  return check_acknowledged();
}

base::Status Journal::check_acknowledged() const {
  if (acknowledged_ == 0) return {};
  const std::string file = file_of(acknowledged_);
  const base::Result<std::string> text = context_.target->records().read(file);
  if (text.status().kind() == base::ErrorKind::not_found)
    return broken(file, "is missing, though state.json was made after it");
  if (!text.ok()) return text.status();
  if (base::sha256_hex(text.value()) != state_.head.hash)
    return broken(file, "is not the one that state.json was made after");
  return {};
}

// Takes one record of the file in; `last` may be torn.
base::Status Journal::take(const std::string& file, bool last) {
  const std::string next = file_of(state_.head.seq + 1);
  if (file != next) return broken(next, "is missing");
  const base::Result<std::string> text = context_.target->records().read(file);
  if (!text.ok()) return text.status();
  base::Result<std::optional<Record>> read = parse_record(context_.target->records(), text.value());
  if (!read.ok()) return broken(file, read.status().message());
  if (!read.value() && !last) return broken(file, "is torn, and newer ones follow it");
  if (!read.value()) {
    torn_ = file;
    return {};
  }
  const Record& record = *read.value();
  if (record.seq != state_.head.seq + 1 || record.previous != state_.head.hash)
    return broken(file, "does not follow the one before it");
  apply(record.changes, state_);
  state_.head.seq = record.seq;
  state_.head.hash = base::sha256_hex(text.value());
  newer_bytes_ += text->size();
  return {};
}

base::Status Journal::read_newer() {
  const base::Result<std::vector<std::string>> names = record_files(context_);
  if (!names.ok()) return names.status();
  for (std::size_t i = 0; i < names->size(); ++i) {
    const std::string file = "journal/" + names.value()[i];
    if (file <= file_of(acknowledged_)) continue;
    const base::Status taken = take(file, i + 1 == names->size());
    if (!taken.ok()) return taken;
  }
  return {};
}

base::Status Journal::open() {
  state_ = State();
  state_.cell = context_.cell;
  torn_.clear();
  acknowledged_ = 0;
  checkpoint_bytes_ = newer_bytes_ = 0;
  const base::Status checkpoint = read_checkpoint();
  return checkpoint.ok() ? read_newer() : checkpoint;
}

base::Status Journal::current() const {
  if (context_.dry_run) return {};
  const base::Result<std::string> next = context_.target->records().read(file_of(state_.head.seq + 1));
  if (next.ok())
    return base::Status(base::ErrorKind::locked, "another run has taken over",
                        "look at cmb2kueue status, then run the same command again");
  return next.status().kind() == base::ErrorKind::not_found ? base::Status() : next.status();
}

bool Journal::holds(const Head& head) const {
  if (head.seq == 0) return true;
  const base::Result<std::string> text = context_.target->records().read(file_of(head.seq));
  return text.ok() && base::sha256_hex(text.value()) == head.hash;
}

base::Status Journal::keep_tree(const quota::Entitlements& tree) {
  const std::string name = tree_name(tree);
  const base::Status kept = context_.target->records().create(name, tree_text(tree));
  return kept.kind() == base::ErrorKind::conflict ? base::Status() : kept;  // kept before
}

base::Status Journal::checkpoint() {
  const std::string text = state_text(state_);
  const base::Status written = context_.target->records().replace(checkpoint_name, text);
  if (!written.ok()) return written;
  acknowledged_ = state_.head.seq;
  checkpoint_bytes_ = text.size();
  newer_bytes_ = 0;
  return {};
}

void Journal::settle() {
  if (context_.dry_run || acknowledged_ == state_.head.seq || !current().ok()) return;
  static_cast<void>(checkpoint());  // lost without harm: the next reader folds the records
}

// The record itself, whole on disk or not at all. One that could not be read back is never written.
base::Status Journal::write(Record& record) {
  base::FileSystem& records = context_.target->records();
  if (record.changes.tree) {
    const base::Status kept = keep_tree(*record.changes.tree);
    if (!kept.ok()) return kept;
  }
  const std::string bytes = record_text(record);
  const base::Result<std::optional<Record>> back = parse_record(records, bytes);
  if (!back.ok() || !back.value())
    return base::Status(base::ErrorKind::internal,
                        fmt::format("the record of step {} could not be read back{}", record.step,
                                    back.ok() ? std::string() : ": it " + back.status().message()),
                        "nothing was written; this is a defect of cmb2kueue");
  if (!torn_.empty()) {
    const base::Status removed = records.remove(torn_);
    if (!removed.ok() && removed.kind() != base::ErrorKind::not_found) return removed;
    torn_.clear();
  }
  const base::Status created = records.create(file_of(record.seq), bytes);
  if (created.kind() == base::ErrorKind::conflict)
    return base::Status(base::ErrorKind::locked, "another run has written to the journal meanwhile",
                        "look at cmb2kueue status, then run the same command again");
  if (!created.ok()) return created;
  state_.head.hash = base::sha256_hex(bytes);
  newer_bytes_ += bytes.size();
  return {};
}

base::Status Journal::append(Record record) {
  record.seq = state_.head.seq + 1;
  record.previous = state_.head.hash;
  record.time = base::rfc3339(context_.clock->now_ms());
  record.who = context_.who.user + "@" + context_.who.host;
  record.reason = context_.reason;
  record.tool = context_.tool_version;
  if (!context_.dry_run) {
    const base::Status written = write(record);
    if (!written.ok()) return written;
  }
  apply(record.changes, state_);
  state_.head.seq = record.seq;
  if (context_.dry_run) return {};
  const bool due = acknowledged_ == 0 || newer_bytes_ > std::max(small_checkpoint, checkpoint_bytes_);
  if (due) static_cast<void>(checkpoint());  // lost without harm: the record is what counts
  return {};
}

base::Result<std::vector<Record>> Journal::read_all(const Context& context) {
  const base::Result<std::vector<std::string>> names = record_files(context);
  if (!names.ok()) return names.status();
  std::vector<Record> found;
  for (const std::string& name : names.value()) {
    const base::Result<std::string> text = context.target->records().read("journal/" + name);
    if (!text.ok()) return text.status();
    base::Result<std::optional<Record>> record = parse_record(context.target->records(), text.value());
    if (record.ok() && record.value()) {
      found.push_back(std::move(*record.value()));
      continue;
    }
    Record unreadable;
    unreadable.seq = std::stoull(name);
    unreadable.phase = "unreadable";
    found.push_back(std::move(unreadable));
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
