// Building plans.
#include "plan_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cmb2kueue/base/text.h"
#include "manifests.h"

namespace cmb2kueue::cli {

namespace {

cutover::Inputs plan_inputs(const Prepared& prepared, const quota::SplitRules& splits) {
  cutover::Inputs inputs;
  inputs.export_id = prepared.inputs.model.export_id;
  inputs.export_hash = fmt::format("{:016x}", prepared.inputs.model.content);
  inputs.mapping_hash = fmt::format("{:016x}", prepared.inputs.mapping.content);
  inputs.semantics =
      prepared.inputs.mapping.semantics == mapping::ReservationSemantics::additive ? "additive" : "inclusive";
  inputs.preset = to_string(prepared.inputs.mapping.preset);
  inputs.splits = splits;
  inputs.ramp = prepared.inputs.mapping.ramp;
  inputs.partitioned = prepared.inputs.mapping.partition.has_value();
  if (prepared.inputs.mapping.partition) inputs.partition_signed_by = prepared.inputs.mapping.partition->signed_by;
  return inputs;
}

std::vector<std::string> accepted_by(const Prepared& prepared) {
  std::vector<std::string> lines;
  for (const translate::Acceptance& one : prepared.acceptances)
    lines.push_back(fmt::format("{} for {} by {}: {}", one.code, one.subtree, one.who, one.why));
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Which shared objects a leaf needs: every flavor, priority class and shared namespace, and the chain of its
// Cohorts.
bool needs(const quota::Entitlements& tree, std::uint32_t leaf, const kueue::Object& object) {
  const kueue::ObjectKey key = kueue::key_of(object);
  if (key.kind == kueue::Kind::cohort) {
    for (const std::uint32_t node : quota::chain_of(tree, leaf))
      if (node != leaf && tree.nodes[node].object == key.name) return true;
    return false;
  }
  if (key.kind != kueue::Kind::resource_flavor) return true;
  return std::any_of(tree.nodes[leaf].columns.begin(), tree.nodes[leaf].columns.end(),
                     [&](std::uint32_t column) { return tree.columns[column].flavor == key.name; });
}

cutover::PlannedTenant planned_tenant(const Prepared& prepared, std::size_t cell, std::uint32_t node) {
  const quota::EntitlementNode& one = prepared.translation.cells[cell].nodes[node];
  cutover::PlannedTenant tenant;
  tenant.hash = one.hash;
  tenant.id = one.id;
  tenant.object = one.object;
  tenant.display = one.display;
  tenant.node = node;
  tenant.acceptances = accepted_by(prepared);
  translate::leaf_objects(
      prepared.inputs.model, prepared.inputs.mapping, prepared.translation, cell, node, false,
      [&](const kueue::Object& object, const translate::Origin&) { tenant.objects.push_back(object); });
  return tenant;
}

void add_shared(const Prepared& prepared, std::size_t cell, cutover::PlanCell& planned) {
  const quota::Entitlements& tree = prepared.translation.cells[cell];
  translate::shared_objects(prepared.inputs.model, prepared.inputs.mapping, prepared.translation, cell, false,
                            [&](const kueue::Object& object, const translate::Origin&) {
                              cutover::PlannedShared shared{object, shared_bundle(kueue::key_of(object)), {}};
                              for (const cutover::PlannedTenant& tenant : planned.tenants)
                                if (needs(tree, tenant.node, object)) shared.users.push_back(tenant.hash);
                              if (!shared.users.empty()) planned.shared.push_back(std::move(shared));
                            });
}

// The bundles a plan depends on, with the versions they have now.
base::Status add_versions(OpenTarget& target, cutover::PlanCell& planned) {
  const base::Result<std::map<std::string, std::string>> now = cutover::current_versions(planned, *target.target);
  if (!now.ok()) return now.status();
  planned.versions.assign(now->begin(), now->end());
  return {};
}

base::Result<cutover::PlanCell> plan_cell(Session& session, const Prepared& prepared, std::size_t cell,
                                          OpenTarget& target) {
  cutover::PlanCell planned;
  const quota::Entitlements& tree = prepared.translation.cells[cell];
  planned.cell = tree.cell;
  planned.target = target.address.text;
  planned.tree = tree;
  if (target::Cluster* cluster = target.target->cluster()) {
    base::Result<std::string> identity = cluster->identity();
    if (!identity.ok()) return identity.status();
    planned.identity = std::move(identity).value();
  }
  base::Findings said_by_translate;
  planned.partition = translate::fixed_parts(prepared.inputs.mapping, tree, said_by_translate);
  const base::Result<cutover::State> state = cutover::load_state(context_for(session, target));
  if (!state.ok()) return state.status();
  planned.head = state->head;
  const std::set<model::TenantIndex> wanted(prepared.leaves.begin(), prepared.leaves.end());
  for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
    if (tree.nodes[node].leaf && wanted.contains(tree.nodes[node].tenant))
      planned.tenants.push_back(planned_tenant(prepared, cell, node));
  add_shared(prepared, cell, planned);
  const base::Status versions = add_versions(target, planned);
  if (!versions.ok()) return versions;
  return planned;
}

base::Status read_acceptances(Session& session, std::vector<translate::Acceptance>& all) {
  for (const std::string& path : session.arguments.list("--accept")) {
    const base::Result<std::uint32_t> file = session.read(path);
    if (!file.ok()) return file.status();
    base::Result<std::vector<translate::Acceptance>> read =
        translate::load_acceptances(session.files, file.value(), session.findings);
    if (!read.ok()) return read.status();
    for (translate::Acceptance& one : read.value()) all.push_back(std::move(one));
  }
  return {};
}

}  // namespace

base::Result<Prepared> prepare(Session& session, const std::vector<std::string>& selectors) {
  base::Result<Inputs> inputs = read_inputs(session);
  if (!inputs.ok()) return inputs.status();
  Prepared prepared{std::move(inputs).value(), {}, {}, {}};
  base::Result<std::vector<model::TenantIndex>> leaves = selected_leaves(prepared.inputs.model, selectors);
  if (!leaves.ok()) return leaves.status();
  prepared.leaves = std::move(leaves).value();
  const base::Status read = read_acceptances(session, prepared.acceptances);
  if (!read.ok()) return read;
  base::Result<translate::Translation> translation = translate::translate(
      prepared.inputs.model, prepared.inputs.mapping, translate::Purpose::act, session.findings);
  if (!translation.ok()) return translation.status();
  prepared.translation = std::move(translation).value();
  if (has_errors(session)) return inputs_have_errors();
  return prepared;
}

bool losses_accepted(Session& session, const Prepared& prepared) {
  bool all = true;
  const std::string today = base::rfc3339(session.clock.now_ms()).substr(0, 10);
  std::map<std::string, std::string> open;
  for (const model::TenantIndex leaf : prepared.leaves)
    for (const translate::Unaccepted& one : translate::unaccepted(
             prepared.translation.ledger, prepared.inputs.model, leaf, prepared.acceptances, today)) {
      const model::CatalogueEntry* row = model::find_entry(one.code);
      session.findings.add(
          {one.code, base::Severity::error,
           fmt::format("a loss is not accepted: {} ({})", row == nullptr ? "" : row->lost, one.why),
           "plan --propose-acceptances FILE writes a file to fill in; give it with --accept",
           prepared.inputs.model.tenants[leaf].path, "", prepared.inputs.model.tenants[leaf].place});
      all = false;
    }
  return all;
}

base::Result<cutover::Plan> build_plan(Session& session, const Prepared& prepared,
                                       std::vector<OpenTarget>& targets) {
  const base::Result<quota::SplitRules> splits = translate::split_rules(prepared.inputs.mapping);
  if (!splits.ok()) return splits.status();
  cutover::Plan plan;
  plan.inputs = plan_inputs(prepared, splits.value());
  for (std::size_t cell = 0; cell < prepared.translation.cells.size(); ++cell) {
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const OpenTarget& one) {
      return one.cell.empty() || one.cell == prepared.translation.cells[cell].cell;
    });
    if (target == targets.end()) continue;
    base::Result<cutover::PlanCell> planned = plan_cell(session, prepared, cell, *target);
    if (!planned.ok()) return planned.status();
    plan.cells.push_back(std::move(planned).value());
  }
  if (has_errors(session)) return inputs_have_errors();
  cutover::seal(plan);
  return plan;
}

}  // namespace cmb2kueue::cli
