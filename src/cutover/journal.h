// The journal: records kept with the objects, each written and acknowledged before what it announces. State is the
// fold of its records; state.json is a checkpoint of that fold that may be lost without harm.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"

namespace cmb2kueue::cutover {

using AllotmentKey = std::pair<std::uint32_t, std::uint32_t>;  // node, column

// What a record changes, and nothing else: its size goes with the change, not with the state. An empty optional in
// a map removes the entry.
struct Changes {
  std::optional<std::string> head_run;
  std::optional<Inputs> inputs;
  std::optional<quota::Entitlements> tree;
  std::map<std::string, std::optional<Enrolled>> enrolled;
  std::map<AllotmentKey, std::optional<Allotment>> allotments;
  std::map<kueue::ObjectKey, std::optional<SharedObject>> shared;
  std::vector<std::pair<kueue::ObjectKey, std::string>> joins, leaves;  // users of shared objects
  std::map<std::string, std::optional<std::string>> versions;
  std::map<std::string, std::optional<std::string>> pending;
  std::vector<std::string> used;

  bool empty() const;
};

// The entries in which `after` differs from `before`.
std::map<AllotmentKey, std::optional<Allotment>> allotment_changes(const std::map<AllotmentKey, Allotment>& before,
                                                                   const std::map<AllotmentKey, Allotment>& after);

struct Record {
  std::uint64_t seq = 0;
  std::string previous;                       // hash of the record before
  std::string time, run, tenant, verb, step;  // tenant: path
  std::string phase;                          // intent, done, undo-intent, undone, ask, answer, lock, note
  std::string object;                         // bundle
  std::string before, after;                  // versions of the bundle
  std::string who, reason, nonce, tool;
  std::string hook;    // of ask and answer: "cede KEY of NAME VERSION (FINGERPRINT)"
  std::string answer;  // of answer: "done", or why not
  Changes changes;
};

void apply(const Changes& changes, State& state);

// Everything about the store: opening (checkpoint and newer records), and appending.
class Journal {
 public:
  explicit Journal(const Context& context) : context_(context) {}

  // Errors, kind mismatch, each naming the file: a record in the middle is missing or torn, one does not follow the
  // one before, one was made by another format, or state.json acknowledges a record that is not there. A torn last
  // record that nobody acknowledged counts as never written and is replaced by the next one.
  base::Status open();
  const State& state() const { return state_; }

  // Appends by creating the next record: exactly one of several writers can (kind locked for the others). In a dry
  // run nothing is written and the state moves in memory only.
  base::Status append(Record record);

  // Locked once somebody else has appended: whoever slept through a take-over must not write any more.
  base::Status current() const;

  // The head is one this journal has gone through; so is that of an untouched target.
  bool holds(const Head& head) const;

  // Brings the checkpoint up to the head. It is also written whenever the records since the last one outweigh it,
  // so that keeping it costs no more than the records do. Failure is harmless and not reported.
  void settle();

  // Every record; one that cannot be read has the phase "unreadable" and nothing but its number.
  static base::Result<std::vector<Record>> read_all(const Context& context);

 private:
  base::Status read_checkpoint();
  base::Status check_acknowledged() const;
  base::Status read_newer();
  base::Status take(const std::string& file, bool last);
  base::Status keep_tree(const quota::Entitlements& tree);
  base::Status write(Record& record);
  base::Status checkpoint();
  const Context& context_;
  State state_;
  std::string torn_;                // file of a torn last record, to be replaced
  std::uint64_t acknowledged_ = 0;  // head of the checkpoint on disk, 0 when there is none
  std::size_t checkpoint_bytes_ = 0, newer_bytes_ = 0;
};

}  // namespace cmb2kueue::cutover
