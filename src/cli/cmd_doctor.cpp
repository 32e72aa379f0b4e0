// doctor: whether clusters are ready.
#include "cmb2kueue/base/text.h"
#include "commands.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

namespace {

base::Status examine(Session& session, OpenTarget& target, report::Table& table) {
  target::Cluster* cluster = target.target->cluster();
  if (cluster == nullptr)
    return base::Status(base::ErrorKind::usage, base::quoted(target.address.text) + " is no cluster",
                        "doctor looks at clusters: --target kube:CONTEXT");
  const std::uint64_t before = session.findings.count(base::Severity::error);
  const base::Status examined = cluster->examine(session.findings);
  if (!examined.ok()) return examined;
  const base::Result<std::string> identity = cluster->identity();
  const std::uint64_t errors = session.findings.count(base::Severity::error) - before;
  table.rows.push_back({target.cell, target.address.text, identity.ok() ? identity.value() : "not readable",
                        errors == 0 ? "ready" : base::counted(errors, "problem")});
  return {};
}

}  // namespace

int cmd_doctor(Session& session) {
  const base::Result<std::vector<std::string>> cells = cells_of_target(session);
  if (!cells.ok()) return session.fail(cells.status());
  base::Result<std::vector<OpenTarget>> targets = open_targets(session, cells.value());
  if (!targets.ok()) return session.fail(targets.status());
  report::Report report{"DoctorReport", "", {}};
  report::Table table{"clusters",
                      "Clusters",
                      {{"cell", "cell"}, {"target", "target"}, {"identity", "identity"}, {"verdict", "verdict"}},
                      {},
                      0,
                      ""};
  for (OpenTarget& target : targets.value()) {
    const base::Status examined = examine(session, target, table);
    if (!examined.ok()) return session.fail(examined);
  }
  report.blocks.emplace_back(std::move(table));
  return session.finish(std::move(report));
}

}  // namespace cmb2kueue::cli
