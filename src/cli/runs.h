// What the verbs that write share: choosing enrolled tenants, dry runs, several tenants in turn, one report.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

// --dry-run must be none, client or, where there is one to ask, server.
base::Status check_run_options(const Session& session);

// Collects what runs did and the exit code of the worst: the first nonzero of 7, 8, 4, 5, 6, 3, then 2. A tenant
// that is run again in a cell is told as its last run left it.
class RunCollector {
 public:
  RunCollector(Session& session, std::string kind) : session_(session), kind_(std::move(kind)) {}
  void add(const std::string& cell, const std::string& tenant, const base::Result<cutover::Outcome>& outcome);
  // Waiting has ended before everything was over: interrupted.
  void gave_up();
  int finish();

 private:
  struct Taken {
    std::string cell, tenant, state, message;
    int code = 0;
    bool failed = false;
    std::vector<std::string> next;
  };
  Taken& place_of(const std::string& cell, const std::string& tenant);
  std::vector<std::string> next_lines() const;
  int worst_code() const;

  Session& session_;
  std::string kind_;
  std::vector<cutover::Event> events_;
  std::vector<Taken> taken_;  // in the order of their first runs
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  bool gave_up_ = false;
};

// What a verb does to each tenant that is enrolled.
struct EnrolledVerb {
  std::string report;  // kind of the report
  std::function<base::Result<cutover::Outcome>(const cutover::Context&, const std::string& hash)> act;
  // Which tenants --all means; empty: every one.
  std::function<bool(const cutover::Enrolled&)> means = {};
  // Where waiting was asked for: this outcome is not the last word, the same again later goes on. Empty: never.
  std::function<bool(const cutover::Outcome&)> unfinished = {};
};

// Opens the hooks file and every cell of the target, chooses tenants there (those named, all with --all, those of
// --run) and acts on each; where the verb waits, again on those that are not finished, until all are, --timeout has
// passed (interrupted) or a signal came. Nothing is done when a name fits nobody in any cell.
int for_each_enrolled(Session& session, const EnrolledVerb& verb);

}  // namespace cmb2kueue::cli
