// What the verbs that write share: choosing enrolled tenants, dry runs, several tenants in turn, one report.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

// --dry-run must be none, client or, where there is one to ask, server.
base::Status check_run_options(const Session& session);

// Collects what runs did and the exit code of the worst: the first nonzero of 7, 8, 4, 5, 6, 3, then 2.
class RunCollector {
 public:
  RunCollector(Session& session, std::string kind) : session_(session), kind_(std::move(kind)) {}
  void add(const std::string& cell, const std::string& tenant, const base::Result<cutover::Outcome>& outcome);
  int finish();

 private:
  Session& session_;
  std::string kind_;
  struct Told {
    bool failed = false;             // in some cell
    std::vector<std::string> cells;  // where it failed
    std::vector<std::string> next;
  };
  std::vector<std::string> next_lines() const;

  std::vector<cutover::Event> events_;
  std::vector<std::pair<std::string, Told>> told_;  // by tenant, in the order they were run
  report::Table results_{"results", "Results", {}, {}, 0, ""};
  std::vector<int> codes_;
};

// Opens every cell of the target, chooses tenants there (those named, all with --all, those of --run) and runs
// `act` on each. Nothing is done when a name fits nobody in any cell.
int for_each_enrolled(
    Session& session, const std::string& kind,
    const std::function<base::Result<cutover::Outcome>(const cutover::Context&, const std::string& hash)>& act);

}  // namespace cmb2kueue::cli
