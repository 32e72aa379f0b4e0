// Plans as JSON, and whether one still holds.
#include "cmb2kueue/cutover/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "state_json.h"

namespace cmb2kueue::cutover {

namespace {

void write_tenant(doc::Sink& sink, const PlannedTenant& tenant) {
  sink.open_map();
  sink.text_field("hash", tenant.hash);
  sink.text_field("id", tenant.id);
  sink.text_field("object", tenant.object);
  sink.text_field("display", tenant.display);
  sink.number_field("node", tenant.node);
  write_texts(sink, "acceptances", tenant.acceptances);
  write_texts(sink, "jobIds", tenant.job_ids);
  write_objects(sink, "objects", tenant.objects);
  sink.close();
}

void write_cell(doc::Sink& sink, const PlanCell& cell) {
  sink.open_map();
  sink.text_field("cell", cell.cell);
  sink.text_field("target", cell.target);
  if (!cell.identity.empty()) sink.text_field("identity", cell.identity);
  sink.key("head");
  write_head(sink, cell.head);
  sink.key("versions");
  sink.open_map();
  for (const auto& [bundle, version] : cell.versions) sink.text_entry(bundle, version);
  sink.close();
  sink.key("partition");
  write_parts(sink, cell.partition);
  sink.key("tenants");
  sink.open_list();
  for (const PlannedTenant& tenant : cell.tenants) write_tenant(sink, tenant);
  sink.close();
  sink.key("shared");
  sink.open_list();
  for (const PlannedShared& shared : cell.shared) {
    sink.open_map();
    sink.text_field("bundle", shared.bundle);
    write_texts(sink, "users", shared.users);
    sink.key("object");
    write_object(sink, shared.object);
    sink.close();
  }
  sink.close();
  sink.key("tree");
  write_tree(sink, cell.tree);
  sink.close();
}

PlannedTenant read_tenant(JsonReader& reader, doc::Node node) {
  PlannedTenant tenant;
  tenant.hash = reader.text(node, "hash");
  tenant.id = reader.text(node, "id");
  tenant.object = reader.text(node, "object");
  tenant.display = reader.text(node, "display");
  tenant.node = reader.index(node, "node");
  tenant.acceptances = reader.texts(node, "acceptances");
  tenant.job_ids = reader.texts(node, "jobIds");
  tenant.objects = reader.objects(node, "objects");
  return tenant;
}

PlanCell read_cell(JsonReader& reader, doc::Node node) {
  PlanCell cell;
  cell.cell = reader.text(node, "cell");
  cell.target = reader.text(node, "target");
  if (node.find("identity").exists()) cell.identity = reader.text(node, "identity");
  cell.head = reader.head(node.find("head"));
  for (const doc::Node item : doc::children(node.find("versions")))
    cell.versions.emplace_back(item.key(), item.text());
  cell.partition = reader.parts(node.find("partition"));
  for (const doc::Node item : doc::children(node.find("tenants")))
    cell.tenants.push_back(read_tenant(reader, item));
  for (const doc::Node item : doc::children(node.find("shared")))
    cell.shared.push_back(
        {reader.object(item.find("object")), reader.text(item, "bundle"), reader.texts(item, "users")});
  cell.tree = reader.tree(node.find("tree"));
  for (const quota::FixedPart& part : cell.partition)
    if (part.node >= cell.tree.nodes.size() || part.column >= cell.tree.columns.size())
      reader.fail(node.find("partition"), "a part of the partition is of nothing in the tree");
  for (const PlannedTenant& tenant : cell.tenants)
    if (tenant.node >= cell.tree.nodes.size() || cell.tree.nodes[tenant.node].hash != tenant.hash)
      reader.fail(node.find("tenants"), fmt::format("the tenant {} is not in the tree", base::quoted(tenant.id)));
  return cell;
}

// The rules only count where no partition overrides them.
bool same_splits(const Inputs& before, const Inputs& now) {
  if (before.partitioned || now.partitioned) return before.partitioned == now.partitioned;
  const auto same = [](const quota::Split& a, const quota::Split& b) {
    return a.kind == b.kind && a.percent == b.percent;
  };
  const quota::SplitRules &a = before.splits, &b = now.splits;
  return same(a.internal, b.internal) && same(a.pool, b.pool) && same(a.limit, b.limit) && a.minimum == b.minimum &&
         a.primary_resource == b.primary_resource;
}

std::string body_of(const Plan& plan) {
  std::string out;
  doc::JsonSink sink(out, 1);
  sink.open_map();
  sink.text_field("format", plan.format);
  sink.text_field("nonce", plan.nonce);
  sink.key("inputs");
  write_inputs(sink, plan.inputs);
  sink.key("cells");
  sink.open_list();
  for (const PlanCell& cell : plan.cells) write_cell(sink, cell);
  sink.close();
  sink.close();
  return out + "\n";
}

}  // namespace

std::string to_json(const Plan& plan) {
  return body_of(plan);
}

// The nonce is the fingerprint of everything else, heads included: the same plan made again after something was
// recorded is another plan, and an edited plan is none.
void seal(Plan& plan) {
  plan.nonce.clear();
  plan.nonce = base::sha256_hex(body_of(plan));
}

base::Result<Plan> parse_plan(base::SourceFiles& files, std::uint32_t file) {
  const base::Result<doc::Document> document = doc::parse_one(files, file);
  if (!document.ok()) return document.status();
  const doc::Node root = document.value().root();
  JsonReader reader;
  Plan plan;
  if (!root.is_map() || reader.text(root, "format") != plan.format)
    return base::Status(base::ErrorKind::input, "this is not a plan of " + plan.format,
                        "make one with cmb2kueue plan --out FILE", root.place());
  plan.nonce = reader.text(root, "nonce");
  plan.inputs = reader.inputs(root.find("inputs"));
  for (const doc::Node item : doc::children(root.find("cells"))) plan.cells.push_back(read_cell(reader, item));
  const char* advice = "make a new plan; change the export or the mapping instead";
  if (!reader.good)
    return base::Status(base::ErrorKind::input, "the plan was edited or cut: " + reader.problem, advice,
                        reader.place);
  Plan sealed = plan;
  seal(sealed);
  if (plan.nonce != sealed.nonce)
    return base::Status(base::ErrorKind::input, "the plan was edited or cut: it does not match its own fingerprint",
                        advice, root.find("nonce").exists() ? root.find("nonce").place() : root.place());
  return plan;
}

std::vector<target::BundleRef> bundles_of(const PlanCell& cell) {
  std::map<std::string, std::vector<kueue::ObjectKey>> keys;
  for (const PlannedTenant& tenant : cell.tenants)
    keys[tenant_bundle(tenant.object)] = target::keys_of(tenant.objects);
  for (const PlannedShared& shared : cell.shared) keys[shared.bundle] = {kueue::key_of(shared.object)};
  std::vector<target::BundleRef> bundles;
  for (auto& [name, holding] : keys) bundles.emplace_back(name, std::move(holding));
  return bundles;
}

base::Result<std::map<std::string, std::string>> current_versions(const PlanCell& cell, target::Target& target) {
  std::map<std::string, std::string> now;
  for (const target::BundleRef& bundle : bundles_of(cell)) {
    const base::Result<target::Image> image = target.capture(bundle);
    if (!image.ok()) return image.status();
    now[bundle.name] = image->version;
  }
  return now;
}

std::vector<std::string> stale_reasons(const PlanCell& cell, const Inputs& inputs, const State& state,
                                       const std::map<std::string, std::string>& now) {
  std::vector<std::string> reasons;
  for (const auto& [bundle, version] : cell.versions) {
    const auto found = now.find(bundle);
    if (found == now.end()) continue;  // of a tenant that was taken out of the plan
    const std::string& current = found->second;
    const auto written = state.versions.find(bundle);
    const bool ours = written != state.versions.end() && written->second == current;
    if (current == version || ours) continue;
    reasons.push_back(fmt::format("{} {}", bundle,
                                  current.empty()   ? "is gone"
                                  : version.empty() ? "exists now"
                                                    : "was changed since"));
  }
  if (!state.enrolled.empty() && !same_splits(state.inputs, inputs))
    reasons.emplace_back("capacity is divided by other rules than when enrolled tenants moved");
  if (!state.enrolled.empty()) {
    if (tree_name(state.tree) != tree_name(cell.tree))
      reasons.emplace_back("the tenant tree or its reservations are not those the enrolled tenants moved with");
    if (state.inputs.preset != inputs.preset)
      reasons.push_back(fmt::format("the preset was {}, the plan says {}", state.inputs.preset, inputs.preset));
    if (state.inputs.semantics != inputs.semantics)
      reasons.push_back(
          fmt::format("reservations were {}, the plan says {}", state.inputs.semantics, inputs.semantics));
  }
  return reasons;
}

}  // namespace cmb2kueue::cutover
