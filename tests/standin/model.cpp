// CMB's rules: a leaf uses its own part first and borrows from what its ancestors share; limits count tasks below.
#include "model.h"

#include <algorithm>

namespace cmb2kueue::standin {

namespace {

// What a unit of the column is, for quantities that come in and go out.
std::int64_t count_of(const base::Quantity& quantity, base::Unit unit) {
  return static_cast<std::int64_t>(quantity.nanos() / base::Quantity::of(1, unit).nanos());
}

}  // namespace

Model::Model(quota::Entitlements tree) : tree_(std::move(tree)) {}

std::int32_t Model::node_of(const std::string& tenant) const {
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
    if (tree_.nodes[i].id == tenant) return static_cast<std::int32_t>(i);
  return -1;
}

std::int64_t Model::ceiling(std::uint32_t node, std::uint32_t column) const {
  const auto found = ceilings_.find({node, column});
  return found == ceilings_.end() ? quota::count_of(tree_.nodes[node].total, column) : found->second;
}

std::int64_t Model::used_by(std::uint32_t leaf, std::uint32_t column) const {
  std::int64_t used = 0;
  for (const auto& [id, job] : jobs_) {
    const auto wanted = job.request.find(column);
    if (job.leaf == leaf && job.state == JobState::running && wanted != job.request.end()) used += wanted->second;
  }
  return used;
}

hooks::Side Model::route(const std::string& tenant) const {
  const auto found = routes_.find(tenant);
  return found == routes_.end() ? hooks::Side::cmb : found->second;
}

bool Model::submit(Job job) {
  if (route(tree_.nodes[job.leaf].id) == hooks::Side::kueue) return false;
  const std::string id = job.id;
  if (jobs_.emplace(id, std::move(job)).second) arrival_.push_back(id);
  return true;
}

bool Model::fits(const Job& job) const {
  for (const auto& [column, wanted] : job.request) {
    std::vector<std::int64_t> used(tree_.nodes.size());
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
      if (tree_.nodes[i].leaf) used[i] = used_by(static_cast<std::uint32_t>(i), column);
    used[job.leaf] += wanted;
    const bool limit = tree_.columns[column].limit;
    for (std::uint32_t i = static_cast<std::uint32_t>(tree_.nodes.size()); i-- > 0;) {
      const std::int64_t own = ceiling(i, column);
      const bool limited = limit && quota::count_of(tree_.nodes[i].total, column) > 0;
      if (limited && used[i] > own) return false;
      const std::int64_t over = limit ? used[i] : std::max<std::int64_t>(0, used[i] - own);
      if (!limit && i == 0 && over > 0) return false;
      if (tree_.nodes[i].parent >= 0) used[static_cast<std::size_t>(tree_.nodes[i].parent)] += over;
    }
  }
  return true;
}

void Model::tick() {
  for (auto& [id, job] : jobs_)
    if (job.state == JobState::running && --job.ticks <= 0) job.state = JobState::ended;
  std::vector<bool> blocked(tree_.nodes.size());
  for (const std::string& id : arrival_) {
    Job& job = jobs_.at(id);
    if (job.state != JobState::queued || blocked[job.leaf]) continue;
    if (fits(job))
      job.state = JobState::running;
    else
      blocked[job.leaf] = true;
  }
}

std::string Model::set_ceilings(std::uint64_t sequence, const std::vector<hooks::Ceiling>& ceilings) {
  if (sequence != 0 && sequence < ceilings_sequence_) return "a newer request was obeyed before";
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> wanted;
  for (const hooks::Ceiling& one : ceilings) {
    const std::int32_t node = node_of(one.tenant), column = quota::find_column(tree_, one.flavor, one.resource);
    if (node < 0 || column < 0) return "there is no " + one.tenant + " " + one.flavor + "/" + one.resource;
    const quota::Column& named = tree_.columns[static_cast<std::size_t>(column)];
    const std::int64_t own = count_of(one.own, named.unit);
    if (named.limit && own == 0 && !one.closed) return "a limit of 0 means none; say closed";
    wanted[{static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(column)}] = own;
  }
  for (const auto& [at, own] : wanted) ceilings_[at] = own;
  ceilings_sequence_ = std::max(ceilings_sequence_, sequence);
  return "";
}

std::string Model::set_route(std::uint64_t sequence, const std::string& tenant, hooks::Side side) {
  if (node_of(tenant) < 0) return "there is no tenant " + tenant;
  std::uint64_t& last = route_sequences_[tenant];
  if (sequence != 0 && sequence < last) return "a newer request was obeyed before";
  last = std::max(last, sequence);
  routes_[tenant] = side;
  return "";
}

std::vector<hooks::Use> Model::usage() const {
  std::vector<hooks::Use> all;
  for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
    if (!tree_.nodes[i].leaf) continue;
    for (std::uint32_t c = 0; c < tree_.columns.size(); ++c) {
      const std::int64_t used = used_by(i, c);
      if (used > 0)
        all.push_back({tree_.nodes[i].id, tree_.columns[c].flavor, tree_.columns[c].resource,
                       base::Quantity::of(used, tree_.columns[c].unit)});
    }
  }
  return all;
}

std::vector<std::string> Model::pending(const std::string& tenant) const {
  std::vector<std::string> ids;
  for (const std::string& id : arrival_) {
    const Job& job = jobs_.at(id);
    if (job.state == JobState::queued && tree_.nodes[job.leaf].id == tenant) ids.push_back(id);
  }
  return ids;
}

hooks::JobFate Model::withdraw(const std::string& id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return {id, hooks::Fate::unknown, "", "no such job"};
  Job& job = found->second;
  if (job.state == JobState::running || job.state == JobState::ended) return {id, hooks::Fate::started, "", ""};
  job.state = JobState::withdrawn;
  return {id, hooks::Fate::withdrawn, job.body, ""};
}

hooks::JobFate Model::enqueue(const std::string& tenant, const hooks::Job& job) {
  const std::int32_t leaf = node_of(tenant);
  if (leaf < 0) return {job.id, hooks::Fate::refused, "", "there is no tenant " + tenant};
  const auto found = jobs_.find(job.id);
  if (found != jobs_.end() && found->second.state != JobState::withdrawn)
    return {job.id, hooks::Fate::exists, "", ""};
  if (found != jobs_.end()) {
    found->second.state = JobState::queued;
    return {job.id, hooks::Fate::queued, "", ""};
  }
  Job made;
  made.id = job.id;
  made.leaf = static_cast<std::uint32_t>(leaf);
  made.body = job.body;
  jobs_.emplace(job.id, made);
  arrival_.push_back(job.id);
  return {job.id, hooks::Fate::queued, "", ""};
}

}  // namespace cmb2kueue::standin
