// From tenants with parent ids to the ordered tree. No recursion: a chain of a million parents is a long walk, not
// a deep stack.
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "draft.h"

namespace cmb2kueue::source {

namespace {

using model::no_tenant;
using model::TenantIndex;

constexpr std::uint32_t deepest = 100;
constexpr std::size_t longest_path = 4096;  // bytes; every tenant keeps its path

class Linker {
 public:
  Linker(Draft& draft, model::Model& model, base::Findings& findings)
      : draft_(draft),
        model_(model),
        findings_(findings),
        parent_(draft.tenants.size(), no_tenant),
        dropped_(draft.tenants.size(), false) {}

  std::vector<TenantIndex> run();

 private:
  void index_ids();
  void find_parents();
  void find_cycles();
  void order();
  bool fits(TenantIndex from, TenantIndex parent, std::uint32_t depth);
  void place(TenantIndex from, TenantIndex parent, std::uint32_t depth);
  void check_paths();
  void carry_facts();
  void say(std::string_view rule, std::string message, std::string advice, TenantIndex tenant, base::Place where) {
    report(findings_, rule, std::move(message), std::move(advice), subject(tenant), "", where);
  }
  std::string subject(TenantIndex tenant) const {
    const model::Tenant& one = draft_.tenants[tenant].tenant;
    return one.name.empty() ? one.id : one.name + " (" + one.id + ")";
  }
  bool before(TenantIndex a, TenantIndex b) const {
    const model::Tenant& x = draft_.tenants[a].tenant;
    const model::Tenant& y = draft_.tenants[b].tenant;
    return x.name != y.name ? x.name < y.name : x.id < y.id;
  }

  Draft& draft_;
  model::Model& model_;
  base::Findings& findings_;
  std::vector<TenantIndex> parent_;
  std::vector<bool> dropped_;
  std::unordered_map<std::string_view, TenantIndex> ids_;
  std::vector<TenantIndex> new_index_;
};

void Linker::index_ids() {
  ids_.reserve(draft_.tenants.size());
  for (TenantIndex i = 0; i < draft_.tenants.size(); ++i) {
    const auto [slot, fresh] = ids_.try_emplace(draft_.tenants[i].tenant.id, i);
    if (fresh) continue;
    if (draft_.paged) {
      say("N-DUPLICATE-PAGED", "the tenant stands in the export more than once; the newest status counts", "", i,
          draft_.tenants[i].tenant.place);
      const DraftTenant& held = draft_.tenants[slot->second];
      const bool newer = std::tie(draft_.tenants[i].newest_status, draft_.tenants[i].content) >
                         std::tie(held.newest_status, held.content);
      dropped_[newer ? slot->second : i] = true;
      if (newer) slot->second = i;
    } else {
      dropped_[i] = true;
      say("E-DUPLICATE-ID", "the tenant id stands in the export more than once",
          "remove one, or export again; only a cursorPaged export may hold duplicates", i,
          draft_.tenants[i].tenant.place);
    }
  }
}

void Linker::find_parents() {
  std::vector<bool> reported(draft_.tenants.size());
  for (TenantIndex i = 0; i < draft_.tenants.size(); ++i) {
    const DraftTenant& one = draft_.tenants[i];
    if (dropped_[i] || one.parent_id.empty()) continue;
    const auto found = ids_.find(one.parent_id);
    if (found == ids_.end()) {
      say("E-PARENT-MISSING", "the parent " + base::quoted(one.parent_id) + " is not in the export",
          "export the whole tree, or clear the parent", i, one.tenant.parent_place);
      continue;
    }
    parent_[i] = found->second;
    if (draft_.tenants[found->second].tenant.type != model::TenantType::leaf) continue;
    say("E-PARENT-LEAF", "the parent " + base::quoted(one.parent_id) + " is a leaf tenant",
        "make the parent Internal, or move the tenant", i, one.tenant.parent_place);
    if (reported[found->second]) continue;
    reported[found->second] = true;
    say("E-LEAF-WITH-CHILDREN", "a leaf tenant has children", "make it Internal, or move its children",
        found->second, draft_.tenants[found->second].tenant.place);
  }
}

// Walks up from every tenant, marking the walk with its number; meeting the own number again is a cycle.
void Linker::find_cycles() {
  std::vector<TenantIndex> mark(draft_.tenants.size(), no_tenant);
  for (TenantIndex start = 0; start < draft_.tenants.size(); ++start) {
    TenantIndex at = start;
    while (at != no_tenant && mark[at] == no_tenant) {
      mark[at] = start;
      at = parent_[at];
    }
    if (at == no_tenant || mark[at] != start) continue;
    TenantIndex member = at;
    do {
      say("E-CYCLE", "the tenant is its own ancestor", "correct parentTenantId of one tenant of the circle", member,
          draft_.tenants[member].tenant.parent_place);
      const TenantIndex next = parent_[member];
      parent_[member] = no_tenant;
      member = next;
    } while (member != at && member != no_tenant);
  }
}

// What is refused here is left out with everything below it.
bool Linker::fits(TenantIndex from, TenantIndex parent, std::uint32_t depth) {
  const model::Tenant& tenant = draft_.tenants[from].tenant;
  const std::size_t above = parent == no_tenant ? 0 : model_.tenants[parent].path.size();
  if (depth >= deepest)
    say("E-DEPTH", "the tree is deeper than 100 levels", "no tenant tree is that deep; check the parents", from,
        tenant.parent_place);
  else if (above + 1 + tenant.name.size() > longest_path)
    report(findings_, "E-PATH-LONG", "the path is longer than 4096 bytes", "shorten the names on the way to it",
           tenant.id, "tenantName", tenant.name_place);
  else
    return true;
  return false;
}

void Linker::place(TenantIndex from, TenantIndex parent, std::uint32_t depth) {
  model::Tenant tenant = std::move(draft_.tenants[from].tenant);
  tenant.parent = parent;
  tenant.depth = depth;
  const std::string_view above = parent == no_tenant ? std::string_view() : model_.tenants[parent].path;
  tenant.path.reserve(above.size() + 1 + tenant.name.size());
  tenant.path.append(above).append("/").append(tenant.name);
  new_index_[from] = static_cast<TenantIndex>(model_.tenants.size());
  model_.tenants.push_back(std::move(tenant));
}

void Linker::order() {
  const TenantIndex count = static_cast<TenantIndex>(draft_.tenants.size());
  // Siblings in order. Comparing parents first leaves few names to look at; index `count` stands above the roots.
  std::vector<std::pair<TenantIndex, TenantIndex>> sorted;  // parent and tenant
  sorted.reserve(count);
  for (TenantIndex i = 0; i < count; ++i)
    if (!dropped_[i]) sorted.emplace_back(parent_[i] == no_tenant ? count : parent_[i], i);
  std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : before(a.second, b.second);
  });
  // Children of each tenant as linked lists.
  std::vector<TenantIndex> first(count + 1, no_tenant), next(count, no_tenant);
  for (auto at = sorted.rbegin(); at != sorted.rend(); ++at) {
    next[at->second] = first[at->first];
    first[at->first] = at->second;
  }
  new_index_.assign(count, no_tenant);
  model_.tenants.reserve(sorted.size());
  struct Step {
    TenantIndex from, parent;
    std::uint32_t depth;
  };
  std::vector<Step> stack;
  if (first[count] != no_tenant) stack.push_back({first[count], no_tenant, 0});
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    if (next[step.from] != no_tenant) stack.push_back({next[step.from], step.parent, step.depth});
    if (!fits(step.from, step.parent, step.depth)) continue;
    place(step.from, step.parent, step.depth);
    if (first[step.from] != no_tenant) stack.push_back({first[step.from], new_index_[step.from], step.depth + 1});
  }
}

// Exports write paths with or without the slash in front and behind.
std::string_view comparable(std::string_view path) {
  while (path.starts_with("/")) path.remove_prefix(1);
  while (path.ends_with("/")) path.remove_suffix(1);
  return path;
}

void Linker::check_paths() {
  std::unordered_map<std::string_view, TenantIndex> paths;
  paths.reserve(model_.tenants.size());
  for (TenantIndex i = 0; i < model_.tenants.size(); ++i) {
    const model::Tenant& tenant = model_.tenants[i];
    if (!paths.try_emplace(tenant.path, i).second)
      report(findings_, "E-DUPLICATE-PATH", "two tenants have this path", "rename one of them", tenant.path, "",
             tenant.name_place);
  }
  for (TenantIndex from = 0; from < new_index_.size(); ++from) {
    const std::string& given = draft_.tenants[from].given_path;
    if (given.empty() || new_index_[from] == no_tenant) continue;
    const model::Tenant& tenant = model_.tenants[new_index_[from]];
    if (comparable(given) != comparable(tenant.path))
      report(findings_, "W-PATH-DISAGREES", "the exported path is " + base::quoted(given),
             "the parents' names decide; export again if they moved meanwhile", tenant.path, "path",
             draft_.tenants[from].path_place);
  }
}

void Linker::carry_facts() {
  std::size_t kept = 0;
  for (model::FieldFact fact : draft_.facts) {
    const bool of_tenant = fact.tenant != no_tenant;
    if (of_tenant) fact.tenant = new_index_[fact.tenant];
    if (!of_tenant || fact.tenant != no_tenant) draft_.facts[kept++] = fact;
  }
  draft_.facts.resize(kept);
  if (model_.facts.empty())
    model_.facts = std::move(draft_.facts);
  else
    model_.facts.insert(model_.facts.end(), draft_.facts.begin(), draft_.facts.end());
}

std::vector<TenantIndex> Linker::run() {
  index_ids();
  find_parents();
  find_cycles();
  order();
  check_paths();
  carry_facts();
  return std::move(new_index_);
}

}  // namespace

std::vector<TenantIndex> link(Draft draft, model::Model& model, base::Findings& findings) {
  return Linker(draft, model, findings).run();
}

}  // namespace cmb2kueue::source
