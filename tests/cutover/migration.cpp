#include "migration.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {

namespace {

using base::Quantity;
using base::Unit;
using quota::EntitlementNode;

EntitlementNode node(const std::string& name, std::int32_t parent, bool leaf, quota::Shares reserved,
                     quota::Shares total) {
  EntitlementNode made;
  made.hash = name == "root" ? "root" : hash_of(name);
  made.id = made.display = name;
  made.object = name == "root" ? "cell-x" : name + "-object";
  made.parent = parent;
  made.leaf = leaf;
  made.reserved = std::move(reserved);
  made.total = std::move(total);
  if (leaf) made.columns = {0, 1};
  return made;
}

kueue::ResourceQuota row(const std::string& resource, std::int64_t count) {
  kueue::ResourceQuota made;
  made.resource = resource;
  made.nominal = Quantity::of(count, Unit::one);
  return made;
}

std::vector<kueue::ResourceGroup> groups(std::int64_t cpu, std::int64_t pods) {
  return {{{"cpu"}, {{"default", {row("cpu", cpu)}}}}, {{"pods"}, {{"concurrency", {row("pods", pods)}}}}};
}

kueue::Object cohort(const std::string& name, const std::string& parent, std::int64_t cpu, std::int64_t pods) {
  kueue::Cohort made;
  made.meta.name = name;
  made.parent = parent;
  made.groups = groups(cpu, pods);
  return made;
}

kueue::Object flavor(const std::string& name) {
  kueue::ResourceFlavor made;
  made.meta.name = name;
  return made;
}

PlannedTenant tenant(const quota::Entitlements& tree, std::uint32_t index) {
  const EntitlementNode& one = tree.nodes[index];
  kueue::ClusterQueue queue;
  queue.meta.name = one.object;
  queue.cohort = "p-object";
  queue.groups = groups(quota::count_of(one.total, 0), 0);
  queue.namespace_selector = kueue::Selector();
  kueue::LocalQueue local;
  local.meta.name = one.object;
  local.meta.name_space = "batch";
  local.cluster_queue = one.object;
  return {one.hash, one.id, one.object, one.display, index, {queue, local}, {}, {}};
}

quota::SplitRules rules(How how) {
  quota::SplitRules made;
  const quota::SplitKind kind = how == How::by_weight ? quota::SplitKind::by_moved_weight
                                : how == How::percent ? quota::SplitKind::percent
                                                      : quota::SplitKind::by_moved_reservation;
  made.internal = made.pool = made.limit = {kind, how == How::percent ? 40U : 0U};
  if (how == How::at_end) made.internal = made.pool = {quota::SplitKind::at_end, 0};  // limits cannot be
  made.primary_resource = "cpu";
  return made;
}

}  // namespace

std::string hash_of(const std::string& leaf) {
  return "hash-" + leaf;
}

quota::Entitlements tree() {
  quota::Entitlements made;
  made.cell = "";
  made.columns = {{"default", "cpu", Unit::one, false}, {"concurrency", "pods", Unit::one, true}};
  made.nodes = {node("root", -1, false, {}, {{0, 100}}), node("p", 0, false, {{0, 50}}, {{0, 10}, {1, 5}})};
  made.nodes[1].limit_role = quota::LimitRole::outermost;
  const std::int64_t reserved[] = {20, 10, 0, 5, 5};
  for (int i = 0; i < 5; ++i) {
    quota::Shares own;
    if (reserved[i] > 0) own = {{0, reserved[i]}};
    made.nodes.push_back(node(leaf_names[i], 1, true, own, own));
  }
  return made;
}

Plan plan_for(const std::vector<std::string>& leaves, How how, target::Target& target, const Head& head) {
  Plan plan;
  plan.inputs = {"x-1",        "e", "m", "inclusive", "parity", rules(how), {100}, how == How::partition,
                 "operations", {}};
  PlanCell cell;
  cell.tree = tree();
  cell.head = head;
  if (how == How::partition)
    cell.partition = {{0, 0, 60}, {1, 0, 6}, {1, 1, 3}, {2, 0, 20}, {3, 0, 10}, {5, 0, 5}, {6, 0, 5}};
  std::vector<std::string> users;
  for (std::uint32_t i = 2; i < cell.tree.nodes.size(); ++i)
    if (std::find(leaves.begin(), leaves.end(), cell.tree.nodes[i].id) != leaves.end()) {
      cell.tenants.push_back(tenant(cell.tree, i));
      users.push_back(cell.tree.nodes[i].hash);
    }
  cell.shared = {{flavor("default"), "shared/flavor-default", users},
                 {flavor("concurrency"), "shared/flavor-concurrency", users},
                 {cohort("cell-x", "", 100, 0), "shared/cohort-cell-x", users},
                 {cohort("p-object", "cell-x", 10, 5), "shared/cohort-p-object", users}};
  const base::Result<std::map<std::string, std::string>> now = current_versions(cell, target);
  for (const PlannedShared& shared : cell.shared)
    cell.versions.emplace_back(shared.bundle, now.ok() ? now->at(shared.bundle) : "");
  if (target.cluster() != nullptr) {
    for (const PlannedTenant& one : cell.tenants)
      cell.versions.emplace_back(tenant_bundle(one.object), now.ok() ? now->at(tenant_bundle(one.object)) : "");
    cell.identity = target.cluster()->identity().value();
  }
  plan.cells.push_back(std::move(cell));
  seal(plan);
  return plan;
}

Place::Place(base::FileSystem& fs, const std::string& folder, How how)
    : Place(std::move(target::open({"dir", folder, "dir:" + folder}, "", fs)).value(), how) {}

Place::Place(std::unique_ptr<target::Target> target, How how)
    : how_(how), clock_(1'772'323'200'000), target_(std::move(target)), cmb_(tree()) {
  context_.target = target_.get();
  context_.clock = &clock_;
  context_.who = base::this_process();
  context_.tool_version = "test";
  // Capacity with CMB's help, the switch by word; tests of the switch offer it again.
  hooks_.missing = {hooks::Hook::switch_to_kueue, hooks::Hook::switch_back, hooks::Hook::route};
  if (how != How::partition) context_.other_side = &hooks_;
}

Plan Place::plan(const std::vector<std::string>& leaves) {
  return plan_for(leaves, how_, *target_, state().head);
}

base::Result<Outcome> Place::cut_over(const std::string& leaf, bool switched, const Plan* given) {
  const Plan made = given == nullptr ? plan({leaf}) : *given;
  for (const PlannedTenant& planned : made.cells[0].tenants)
    if (planned.id == leaf) return walk(made, planned, {switched, "", true});
  return base::Status(base::ErrorKind::internal, "no such leaf");
}

base::Result<Outcome> Place::cut_over_with(const Plan& plan, const CutoverOptions& options) {
  return walk(plan, plan.cells[0].tenants[0], options);
}

// As people do it: a run that stops where CMB has to be switched, then one with the word that it was.
base::Result<Outcome> Place::walk(const Plan& plan, const PlannedTenant& tenant, const CutoverOptions& options) {
  const auto run = [&](bool switched) {
    return cutover::cut_over(context_, plan, plan.cells[0], tenant,
                             {switched, options.hold_after, options.rollback_on_failure});
  };
  const base::Result<State> before = load_state(context_);
  if (!before.ok()) return before.status();
  const auto known = before->enrolled.find(tenant.hash);
  const bool open = known != before->enrolled.end() && known->second.state >= TenantState::open;
  if (!options.switched || open) return run(options.switched);
  base::Result<Outcome> stopped = run(false);
  if (!stopped.ok() || stopped->state < TenantState::open) return stopped;
  base::Result<Outcome> done = run(true);
  if (done.ok()) done->events.insert(done->events.begin(), stopped->events.begin(), stopped->events.end());
  return done;
}

base::Result<Outcome> Place::roll_back(const std::string& leaf, bool switched_back, bool drained) {
  return cutover::roll_back(context_, hash_of(leaf), {switched_back, drained});
}

State Place::state() {
  const base::Result<State> loaded = load_state(context_);
  EXPECT_TRUE(loaded.ok()) << testing::describe(loaded.status());
  return loaded.ok() ? loaded.value() : State();
}

std::string told(const Outcome& outcome) {
  std::string all;
  for (const Event& event : outcome.events) all += event.step + " " + event.phase + ": " + event.what + "\n";
  return all;
}

std::string lock_of(const base::ProcessIdentity& who) {
  return "{\"host\":\"" + who.host + "\",\"bootId\":\"" + who.boot_id + "\",\"pid\":" + std::to_string(who.pid) +
         ",\"started\":" + std::to_string(who.started) +
         ",\"user\":\"ops\",\"run\":\"r-1\",\"since\":\"2026-03-01T00:00:00Z\"}";
}

void give_namespace(Plan& plan, const std::string& name) {
  kueue::Namespace made;
  made.meta.name = name;
  for (PlannedTenant& one : plan.cells[0].tenants) one.objects.insert(one.objects.begin(), made);
  seal(plan);
}

std::string manifests_of(base::FileSystem& fs, const std::string& folder) {
  std::string all;
  const base::Result<std::vector<std::string>> names = fs.list(folder);
  for (const std::string& name : names.value())
    if (name.find(".cmb2kueue/") == std::string::npos) all += name + "\n" + fs.read(folder + "/" + name).value();
  return all;
}

void expect_sums(const State& state) {
  for (const auto& [at, allotment] : state.allotments) {
    EXPECT_EQ(allotment.kueue + allotment.cmb() + allotment.held, allotment.total);
    EXPECT_GE(allotment.kueue, 0);
    EXPECT_GE(allotment.held, 0);
    EXPECT_GE(allotment.cmb(), 0);
    EXPECT_EQ(allotment.total, quota::count_of(state.tree.nodes[at.first].total, at.second));
  }
}

}  // namespace cmb2kueue::cutover::testing_cell
