// What several tenants use together: ResourceFlavors, priority classes, Namespaces, the Cohorts above. They have no
// before-image; they are built from state, recomputed at each change, and go with their last user.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "run.h"

namespace cmb2kueue::cutover {

namespace {

bool uses(const SharedObject& shared, const std::string& user) {
  return std::binary_search(shared.users.begin(), shared.users.end(), user);
}

// Keys in order of creation: Cohorts come last, parents first, which is the order of the tree.
std::vector<kueue::ObjectKey> creation_order(const State& state) {
  std::vector<kueue::ObjectKey> order;
  for (const auto& [key, shared] : state.shared)
    if (key.kind != kueue::Kind::cohort) order.push_back(key);
  for (const quota::EntitlementNode& node : state.tree.nodes) {
    const kueue::ObjectKey key{kueue::Kind::cohort, "", node.object};
    if (!node.leaf && state.shared.contains(key)) order.push_back(key);
  }
  return order;
}

}  // namespace

base::Result<std::string> inhabitant(const Context& context, const std::string& name_space,
                                     const std::string& leaving, const std::vector<kueue::ObjectKey>& keys) {
  if (target::Cluster* cluster = context.target->cluster()) return cluster->inhabitant(name_space, keys);
  base::SourceFiles files;
  base::Findings ignored;  // what cannot be parsed is nothing in a namespace
  const base::Result<std::vector<target::Live>> live = context.target->list(files, ignored);
  if (!live.ok()) return live.status();
  for (const target::Live& one : live.value())
    if (one.bundle != leaving && kueue::meta_of(one.object).name_space == name_space)
      return fmt::format("{} in {}", to_string(kueue::key_of(one.object)), one.where);
  return std::string();
}

base::Status Run::remove_shared(std::string_view step, const SharedObject& shared) {
  const kueue::ObjectKey key = kueue::key_of(shared.object);
  Changes gone;
  gone.shared[key] = std::nullopt;
  if (shared.adopted) return record(step, std::move(gone));
  const base::Result<target::Image> live = context.target->capture({shared.bundle, {key}});
  if (!live.ok()) return live.status();
  std::string stays;
  if (live->existed && !is_ours(live.value())) stays = "it was made by somebody else";
  if (live->existed && stays.empty() && key.kind == kueue::Kind::name_space) {
    const base::Result<std::string> found = inhabitant(context, key.name, shared.bundle, {key});
    if (!found.ok()) return found.status();
    if (!found.value().empty()) stays = found.value() + " lies in it";
  }
  if (stays.empty()) return write(step, {shared.bundle, {}, {key}}, std::move(gone));
  event(step, "skipped", fmt::format("{} stays: {}", to_string(key), stays));
  if (key.kind == kueue::Kind::name_space) outcome.differs.push_back(outcome.events.back().what);
  gone.versions[shared.bundle] = std::nullopt;
  gone.pending[shared.bundle] = std::nullopt;
  return record(step, std::move(gone));
}

base::Status Run::write_shared(std::string_view step, const State& wanted, const std::string& user) {
  const std::vector<kueue::ObjectKey> order = creation_order(wanted);
  for (const kueue::ObjectKey& key : order) {
    const SharedObject& shared = wanted.shared.at(key);
    if (shared.adopted || !uses(shared, user)) continue;
    const base::Status status = write(step, {shared.bundle, {shared_object(wanted, shared)}}, {});
    if (!status.ok()) return status;
  }
  for (auto key = order.rbegin(); key != order.rend(); ++key) {
    const SharedObject shared = wanted.shared.at(*key);
    if (!shared.users.empty()) continue;
    const base::Status status = remove_shared(step, shared);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace cmb2kueue::cutover
