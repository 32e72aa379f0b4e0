// The journal: records kept with the objects, each written and acknowledged before what it announces. State is the
// fold of its records; state.json is a checkpoint of that fold that may be lost without harm.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"

namespace cmb2kueue::cutover {

// What a record changes. An empty optional in a map removes the entry.
struct Changes {
  std::optional<std::string> head_run;
  std::optional<Inputs> inputs;
  std::optional<quota::Entitlements> tree;
  std::map<std::string, std::optional<Enrolled>> enrolled;
  std::optional<std::map<std::pair<std::uint32_t, std::uint32_t>, Allotment>> allotments;  // all of them, anew
  std::map<kueue::ObjectKey, std::optional<SharedObject>> shared;
  std::map<std::string, std::optional<std::string>> versions;
  std::map<std::string, std::optional<std::string>> pending;
  std::vector<std::string> used;
};

struct Record {
  std::uint64_t seq = 0;
  std::string previous;                       // hash of the record before
  std::string time, run, tenant, verb, step;  // tenant: path
  std::string phase;                          // intent, done, undo-intent, undone, lock, note
  std::string object;                         // bundle
  std::string before, after;                  // versions of the bundle
  std::string who, reason, nonce, tool;
  Changes changes;
};

void apply(const Changes& changes, State& state);

// Everything about the store: opening (checkpoint and newer records), and appending.
class Journal {
 public:
  explicit Journal(const Context& context) : context_(context) {}

  // Errors: mismatch when a record in the middle is missing or torn or does not follow the one before. A torn last
  // record counts as never written.
  base::Status open();
  const State& state() const { return state_; }

  // Appends by creating the next record: exactly one of several writers can (kind conflict for the others). Then
  // the checkpoint is replaced. In a dry run nothing is written and the state moves in memory only.
  base::Status append(Record record);

  static base::Result<std::vector<Record>> read_all(const Context& context);

 private:
  base::Status read_checkpoint();
  base::Status read_newer();
  base::Status keep_tree(const quota::Entitlements& tree);
  base::Status checkpoint();
  const Context& context_;
  State state_;
  std::string torn_;  // file of a torn last record, to be replaced
};

}  // namespace cmb2kueue::cutover
