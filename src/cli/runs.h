// What the verbs that write share: choosing enrolled tenants, dry runs, several tenants in turn, one report.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

// --dry-run must be none or client; verbs that write need --target typed.
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
  std::vector<cutover::Event> events_;
  std::vector<std::string> next_;
  report::Table results_{"results", "Results", {}, {}, 0, ""};
  std::vector<int> codes_;
};

// Enrolled tenants of one state that the command line names (by id, path, object name or unique name), or all with
// --all, or those of --run. Errors: not_found.
base::Result<std::vector<std::string>> chosen_tenants(const Session& session, const cutover::State& state);

// Opens every cell of the target, chooses tenants there and runs `act` on each.
int for_each_enrolled(
    Session& session, const std::string& kind,
    const std::function<base::Result<cutover::Outcome>(const cutover::Context&, const std::string& hash)>& act);

}  // namespace cmb2kueue::cli
