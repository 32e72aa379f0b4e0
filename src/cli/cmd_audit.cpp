// audit: read, translate for a look, show.
#include "cmb2kueue/report/documents.h"
#include "commands.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

namespace {

base::Result<model::TenantIndex> root_of(const Session& session, const model::Model& model) {
  if (session.arguments.positional.empty()) return model::TenantIndex{model::no_tenant};
  if (session.arguments.positional.size() > 1)
    return base::Status(base::ErrorKind::usage, "audit shows everything or one subtree", "name one tenant");
  return model::find_tenant(model, session.arguments.positional[0]);
}

}  // namespace

int cmd_audit(Session& session) {
  const base::Result<Inputs> inputs = read_inputs(session);
  if (!inputs.ok()) return session.fail(inputs.status());
  const base::Result<model::TenantIndex> root = root_of(session, inputs->model);
  if (!root.ok()) return session.fail(root.status());
  const base::Result<translate::Translation> translation =
      translate::translate(inputs->model, inputs->mapping, translate::Purpose::look, session.findings);
  if (!translation.ok()) return session.fail(translation.status());
  report::Report report{"AuditReport", "Audit", {}};
  report.blocks.emplace_back(report::export_facts(inputs->model));
  report.blocks.emplace_back(report::tenant_tree(inputs->model, root.value()));
  report.blocks.emplace_back(report::conservation_table(translation.value()));
  report.blocks.emplace_back(report::ledger_facts(translation->ledger));
  report.blocks.emplace_back(report::ledger_table(translation->ledger, inputs->model, session.files, root.value()));
  return session.finish(std::move(report));
}

}  // namespace cmb2kueue::cli
