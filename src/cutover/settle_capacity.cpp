// The five moves: lower Kueue, book it, lower CMB, book what became free and raise Kueue, raise CMB.
#include "settle_capacity.h"

#include <fmt/format.h>

#include <algorithm>

#include "asking.h"
#include "cmb2kueue/base/text.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

class Settler {
 public:
  Settler(Run& run, Enrolled tenant, const Settling& how)
      : run_(run), tenant_(std::move(tenant)), how_(how), pairs_(pairs_of(run.state(), wanted(), tenant_.hash)) {}

  base::Result<Settled> run() {
    base::Status status = lower_kueue();
    if (status.ok()) status = lower_cmb();
    if (status.ok()) status = free_and_raise_kueue();
    if (status.ok()) status = raise_cmb();
    if (!status.ok()) return status;
    return look();
  }

 private:
  State wanted() const {
    State state = run_.state();
    state.enrolled[tenant_.hash] = tenant_;
    return state;
  }
  const Uses* kueue_use() const { return how_.kueue_use ? &*how_.kueue_use : nullptr; }
  std::int64_t kept(const Pair& pair) const { return kept_by_kueue(pair.now, kueue_use(), pair.at); }
  base::Status lower_kueue();
  base::Status lower_cmb();
  base::Status free_and_raise_kueue();
  base::Status raise_cmb();
  base::Status write_objects(const State& state);
  base::Status book();
  base::Status tell(hooks::Hook hook, const std::vector<std::int64_t>& ceilings,
                    const std::vector<std::size_t>& which);
  base::Result<Uses> use_at_cmb();
  Settled look();

  Run& run_;
  Enrolled tenant_;
  const Settling& how_;
  std::vector<Pair> pairs_;
};

// Shared objects on the way and the tenant's own, as `state` has them; nothing of its own where it has nothing.
base::Status Settler::write_objects(const State& state) {
  const base::Status status = run_.write_shared(how_.step, state, tenant_.hash);
  if (!status.ok()) return status;
  const base::Result<target::Image> live = run_.context.target->capture(bundle_of(tenant_));
  if (!live.ok()) return live.status();
  if (!live->existed || !state.versions.contains(tenant_bundle(tenant_.object))) return {};
  return run_.write(how_.step, {tenant_bundle(tenant_.object), tenant_objects(state, tenant_)}, {});
}

// The tenant and its pairs as they are in hand, where the state does not say so already.
base::Status Settler::book() {
  Changes changes;
  for (const Pair& pair : pairs_) {
    const std::optional<Allotment> form = kept_form(pair.now);
    const auto known = run_.state().allotments.find(pair.at);
    const bool same = form ? known != run_.state().allotments.end() && known->second == *form
                           : known == run_.state().allotments.end();
    if (!same) changes.allotments[pair.at] = form;
  }
  const Enrolled* now = enrolled_of(run_.state(), tenant_.hash);
  const bool known = now != nullptr && now->counts == tenant_.counts && now->moved == tenant_.moved &&
                     now->state == tenant_.state && now->step == tenant_.step;
  if (!known) changes.enrolled[tenant_.hash] = tenant_;
  return changes.empty() ? base::Status() : run_.record(how_.step, std::move(changes));
}

// Objects first, books after: the books never say that Kueue has less than its objects allow.
base::Status Settler::lower_kueue() {
  State low = wanted();
  bool any = false;
  for (Pair& pair : pairs_) {
    const Allotment after = lowered(pair);
    any |= after != pair.now;
    pair.now = after;
    if (const std::optional<Allotment> form = kept_form(after))
      low.allotments[pair.at] = *form;
    else
      low.allotments.erase(pair.at);
  }
  const base::Status written = any ? write_objects(low) : base::Status();
  return written.ok() ? book() : written;
}

base::Status Settler::tell(hooks::Hook hook, const std::vector<std::int64_t>& ceilings,
                           const std::vector<std::size_t>& which) {
  if (!offers(run_.context, hook))
    return base::Status(
        base::ErrorKind::usage,
        fmt::format("capacity of {} moves with CMB's help, and nobody stands for CMB here: {} is not "
                    "offered",
                    tenant_.display, to_string(hook)),
        "the same command again with --hooks FILE");
  Allotments after = run_.state().allotments;
  std::vector<AllotmentKey> changed;
  std::string content;
  for (const std::size_t i : which) {
    Allotment& one = after.try_emplace(pairs_[i].at, pairs_[i].now).first->second;
    one.told = ceilings[i];
    changed.push_back(pairs_[i].at);
    content += fmt::format("{},{},{};", pairs_[i].at.first, pairs_[i].at.second, ceilings[i]);
  }
  const std::vector<hooks::Ceiling> sent = ceilings_on_the_way(run_.state(), tenant_.hash, after, changed);
  hooks::OtherSide* other = run_.context.other_side;
  const base::Status answer = ask(run_, how_.step, tenant_, hook, content, [&](const hooks::Call& call) {
    return hook == hooks::Hook::cede ? other->cede(call, sent) : other->restore(call, sent);
  });
  if (!answer.ok()) return answer;
  for (const std::size_t i : which) pairs_[i].now.told = ceilings[i];
  return book();
}

base::Status Settler::lower_cmb() {
  std::vector<std::int64_t> ceilings;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    ceilings.push_back(wanted_ceiling(pairs_[i], kept(pairs_[i])));
    if (ceilings[i] < pairs_[i].now.ceiling()) which.push_back(i);
  }
  return which.empty() ? base::Status() : tell(hooks::Hook::cede, ceilings, which);
}

// In a dry run CMB is taken to use nothing.
base::Result<Uses> Settler::use_at_cmb() {
  if (run_.context.dry_run) return Uses();
  if (!offers(run_.context, hooks::Hook::usage))
    return base::Status(base::ErrorKind::usage, "nobody here can tell what CMB uses: usage is not offered",
                        "the same command again with --hooks FILE");
  const base::Result<std::vector<hooks::Use>> reported =
      run_.context.other_side->usage(call_about(run_, tenant_, hooks::Hook::usage, ""));
  if (!reported.ok()) return reported.status();
  const base::Result<Uses> uses = uses_of(run_.state().tree, reported.value());
  if (!uses.ok()) return uses.status();
  const State& state = run_.state();
  return occupied(state.tree, uses.value(), [&](const AllotmentKey& at) {
    const auto found = state.allotments.find(at);
    return found == state.allotments.end() ? quota::count_of(state.tree.nodes[at.first].total, at.second)
                                           : found->second.cmb();
  });
}

// Books first, objects after: Kueue never gives out what the books do not say is its own.
base::Status Settler::free_and_raise_kueue() {
  const bool owed = std::any_of(pairs_.begin(), pairs_.end(),
                                [](const Pair& pair) { return pair.now.cmb() > pair.now.ceiling(); });
  Uses used;
  if (owed) {
    base::Result<Uses> told = use_at_cmb();
    if (!told.ok()) return told.status();
    used = std::move(told).value();
  }
  for (Pair& pair : pairs_) {
    const auto found = used.find(pair.at);
    pair.now = freed(pair, found == used.end() ? 0 : found->second, kept(pair));
  }
  const base::Status booked = book();
  return booked.ok() ? write_objects(run_.state()) : booked;
}

base::Status Settler::raise_cmb() {
  std::vector<std::int64_t> ceilings;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Pair& pair = pairs_[i];
    ceilings.push_back(wanted_ceiling(pair, kept(pair)));
    if (ceilings[i] <= pair.now.ceiling()) continue;
    which.push_back(i);
    const std::int64_t cmb = std::max(pair.now.cmb(), ceilings[i]);
    pair.now.held = pair.now.total - pair.now.kueue - cmb;
  }
  if (which.empty()) return {};
  const base::Status booked = book();
  return booked.ok() ? tell(hooks::Hook::restore, ceilings, which) : booked;
}

Settled Settler::look() {
  Settled settled;
  for (const Pair& pair : pairs_) {
    const std::int64_t stays = kept(pair);
    if (stays > 0) {
      settled.kept = true;
      settled.waiting.push_back(fmt::format("{}: {} held for what runs in Kueue{}",
                                            pair_name(run_.state().tree, pair.at),
                                            amount(run_.state().tree, pair.at.second, stays),
                                            how_.kueue_use ? "" : ", which cannot be seen from here"));
    }
    if (pair.now.kueue >= pair.target) continue;
    settled.reached = false;
    settled.waiting.push_back(fmt::format(
        "{}: Kueue has {} of {} it is to have; CMB still uses {} above its ceiling",
        pair_name(run_.state().tree, pair.at), amount(run_.state().tree, pair.at.second, pair.now.kueue),
        amount(run_.state().tree, pair.at.second, pair.target),
        amount(run_.state().tree, pair.at.second, pair.now.cmb() - pair.now.ceiling())));
  }
  return settled;
}

}  // namespace

base::Result<Settled> settle_capacity(Run& run, Enrolled tenant, const Settling& how) {
  return Settler(run, std::move(tenant), how).run();
}

base::Result<std::optional<Uses>> use_in_kueue(Run& run) {
  target::Cluster* cluster = run.context.target->cluster();
  if (cluster == nullptr) return std::optional<Uses>();
  const base::Result<std::vector<target::QueueUse>> queues = cluster->queue_use();
  if (!queues.ok()) return queues.status();
  const State& state = run.state();
  const quota::NodeIndex index(state.tree);
  Uses leaf_use;
  for (const target::QueueUse& queue : queues.value()) {
    const std::int32_t leaf = index.leaf_by_object(queue.cluster_queue);
    if (leaf < 0) continue;
    for (const target::QueueUse::Row& row : queue.rows) {
      const std::int32_t column = quota::find_column(state.tree, row.flavor, row.resource);
      if (column < 0) continue;
      leaf_use[{static_cast<std::uint32_t>(leaf), static_cast<std::uint32_t>(column)}] +=
          counts_of(row.used, state.tree.columns[static_cast<std::size_t>(column)].unit);
    }
  }
  return std::optional<Uses>(occupied(state.tree, leaf_use, [&](const AllotmentKey& at) {
    const auto found = state.allotments.find(at);
    return found == state.allotments.end() ? 0 : found->second.kueue + found->second.held;
  }));
}

}  // namespace cmb2kueue::cutover
