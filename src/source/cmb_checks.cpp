// What can be checked once tenants are linked: bindings, groups, pools, limits, enrolment. And the reader as a
// whole.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "cmb_export.h"
#include "readers.h"

namespace cmb2kueue::source {

namespace {

using model::no_tenant;
using model::TenantIndex;
using TenantsById = std::unordered_map<std::string_view, TenantIndex>;

class Checks {
 public:
  Checks(ProtoReader& reader, CmbExport& from) : reader_(reader), model_(reader.model), from_(from) {
    for (TenantIndex i = 0; i < model_.tenants.size(); ++i) by_id_.emplace(model_.tenants[i].id, i);
    for (const model::Cell& cell : model_.cells) cells_.push_back(cell.name);
  }
  void run() {
    bindings();
    group_totals();
    pools();
    enrollment();
    limits();
  }

 private:
  void say(std::string_view rule, std::string message, std::string advice, std::string subject, base::Place place) {
    report(reader_.findings, rule, std::move(message), std::move(advice), std::move(subject), "", place);
  }
  TenantIndex tenant(const std::string& id, std::string_view where, base::Place place) {
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) return found->second;
    say("E-UNKNOWN-TENANT", fmt::format("{} names a tenant that is not in the export", where), "export again", id,
        place);
    return no_tenant;
  }
  void cell(const std::string& name, std::string_view where, base::Place place) {
    if (std::find(cells_.begin(), cells_.end(), name) != cells_.end()) return;
    say("E-UNKNOWN-CELL",
        fmt::format("{} names the cell {}, which is not in cells{}", where, base::quoted(name),
                    base::did_you_mean(name, cells_)),
        "", "", place);
  }
  const model::CapacityGroup* group(const std::string& name) const {
    const auto found = groups_.find(name);
    return found == groups_.end() ? nullptr : found->second;
  }
  void bindings();
  void take_cells(const CmbBinding& binding, model::Tenant& bound, TenantIndex index);
  void group_totals();
  void pools();
  void enrollment();
  void limits();

  ProtoReader& reader_;
  model::Model& model_;
  CmbExport& from_;
  TenantsById by_id_;
  std::vector<std::string> cells_;
  std::map<std::string, const model::CapacityGroup*> groups_;
};

// One cell in a binding is a split of its own; several are only compared with the group's percentages.
void Checks::take_cells(const CmbBinding& binding, model::Tenant& bound, TenantIndex index) {
  if (binding.cells.empty()) return;
  std::uint64_t hash = 0;
  for (const std::string& name : binding.cells) {
    cell(name, "a binding", binding.place);
    hash = base::fnv1a(name, hash ^ number_hash(1));
  }
  static constexpr std::string_view loss = "binding.cells[]: which cells a tenant uses follows from percentages";
  model_.facts.push_back(
      {reader_.field(loss, "J-53", "check the percentages of the capacity group"), index, hash, binding.place});
  if (bound.cell_percent.empty() && binding.cells.size() == 1) bound.cell_percent = {{binding.cells[0], 100}};
  const std::vector<std::string>& listed = binding.cells;
  for (const auto& [name, percent] : bound.cell_percent)
    if (percent > 0 && std::find(listed.begin(), listed.end(), name) == listed.end())
      say("W-BINDING-CELLS",
          fmt::format("the binding leaves out the cell {}, where the capacity group holds {} %", base::quoted(name),
                      percent),
          "the percentages decide; correct the one that is wrong", bound.path, binding.place);
}

void Checks::bindings() {
  for (const model::CapacityGroup& one : model_.capacity_groups) {
    groups_.emplace(one.name, &one);
    for (const auto& [name, percent] : one.cell_percent) cell(name, "a capacity group", one.place);
  }
  std::vector<bool> is_bound(model_.tenants.size());
  for (const CmbBinding& binding : from_.bindings) {
    const TenantIndex index = tenant(binding.tenant_id, "a binding", binding.place);
    if (index == no_tenant) continue;
    model::Tenant& bound = model_.tenants[index];
    if (is_bound[index])
      say("E-DUPLICATE-NAME", "the tenant has two bindings", "a tenant uses one capacity group; remove the other",
          bound.path, binding.place);
    is_bound[index] = true;
    bound.capacity_group = binding.group;
    const model::CapacityGroup* found = group(binding.group);
    if (found == nullptr) {
      say("W-UNKNOWN-GROUP", fmt::format("the capacity group {} is not in the export", base::quoted(binding.group)),
          "its pool and its split over cells are not known here", bound.path, binding.place);
    } else {
      bound.resource_pool = found->resource_pool;
      bound.cell_percent = found->cell_percent;
    }
    take_cells(binding, bound, index);
  }
}

void Checks::group_totals() {
  std::map<std::string, std::map<std::uint16_t, std::int64_t>> reserved;
  for (const model::Tenant& one : model_.tenants) {
    if (one.capacity_group.empty() || !one.reservation) continue;
    for (const model::Amount& amount : one.reservation->total) {
      std::int64_t& sum = reserved[one.capacity_group][amount.resource];
      sum = base::checked_add(sum, amount.count).value_or(INT64_MAX);
    }
  }
  for (const auto& [name, amounts] : reserved) {
    const model::CapacityGroup* one = group(name);
    if (one == nullptr) continue;
    for (std::uint16_t resource = 0; resource < model_.resources.size(); ++resource) {
      const auto tenants = amounts.find(resource);
      std::int64_t held = 0;
      for (const model::Amount& amount : one->total)
        if (amount.resource == resource) held = amount.count;
      const std::int64_t claimed = tenants == amounts.end() ? 0 : tenants->second;
      if (claimed != held)
        say("W-GROUP-TOTALS",
            fmt::format("tenants reserve {} {} through this group, which holds {}", claimed,
                        model_.resources[resource].name, held),
            "find out which one is right before the tenants move", name, one->place);
    }
  }
}

void Checks::pools() {
  for (const model::SharedPool& pool : model_.pools)
    if (!pool.cell.empty()) cell(pool.cell, "a shared pool", pool.place);
  for (const CmbPoolMembers& members : from_.members) {
    std::set<TenantIndex> found;
    for (const std::string& id : members.tenant_ids) {
      const TenantIndex index = tenant(id, "a shared pool", members.place);
      if (index != no_tenant) found.insert(index);
    }
    model_.pools[members.pool].members.assign(found.begin(), found.end());
  }
  std::sort(model_.pools.begin(), model_.pools.end(), [](const model::SharedPool& a, const model::SharedPool& b) {
    return a.name != b.name ? a.name < b.name : a.cell < b.cell;
  });
}

void Checks::enrollment() {
  std::vector<bool> listed(model_.tenants.size());
  for (const CmbEnrollment& one : from_.enrollment) {
    const TenantIndex index = tenant(one.tenant_id, "enrollment", one.place);
    if (index == no_tenant) continue;
    if (listed[index])
      say("E-DUPLICATE-NAME", "the tenant stands in enrollment twice", "remove one entry",
          model_.tenants[index].path, one.place);
    listed[index] = true;
    model_.enrollment.emplace_back(index, one.state);
    const bool wanted =
        one.state == model::EnrollmentState::enrolling || one.state == model::EnrollmentState::enrolled;
    if (wanted && model_.tenants[index].state != model::TenantState::accepted)
      say("W-REMOVING-ENROLLED", "a tenant that is removed or being removed is marked for enrolment",
          "leave it on CMB until it is gone", model_.tenants[index].path, one.place);
  }
  std::sort(model_.enrollment.begin(), model_.enrollment.end());
}

// Largest limit below each node, bottom-up.
void Checks::limits() {
  std::vector<std::uint32_t> below(model_.tenants.size());
  for (TenantIndex i = static_cast<TenantIndex>(model_.tenants.size()); i-- > 0;) {
    const model::Tenant& one = model_.tenants[i];
    if (one.concurrency_limit > 0 && below[i] > one.concurrency_limit)
      say("W-LIMIT-BELOW-CHILD",
          fmt::format("the concurrencyLimit {} is smaller than {} below it", one.concurrency_limit, below[i]),
          "the smaller one rules; correct the other if that is not meant", one.path, one.limit_place);
    if (one.parent != no_tenant) below[one.parent] = std::max({below[one.parent], below[i], one.concurrency_limit});
  }
}

}  // namespace

void check_export(ProtoReader& reader, CmbExport& from) {
  Checks(reader, from).run();
}

namespace {

void drop_unused_gpu(model::Model& model) {
  const auto uses = [](const model::Amounts& amounts) {
    return std::any_of(amounts.begin(), amounts.end(),
                       [](const model::Amount& a) { return a.resource == cmb_gpu; });
  };
  bool used = false;
  for (const model::Tenant& tenant : model.tenants) used |= tenant.reservation && uses(tenant.reservation->total);
  for (const model::SharedPool& pool : model.pools) used |= uses(pool.capacity);
  for (const model::CapacityGroup& group : model.capacity_groups) used |= uses(group.total);
  if (!used) model.resources.pop_back();
}

}  // namespace

bool is_cmb_export(doc::Node root) {
  const doc::Node version = root.find("apiVersion");
  return version.is_scalar() && version.text().starts_with("cmb-export/");
}

base::Result<model::Model> read_cmb_export(base::SourceFiles&, doc::Document document, const Options& options,
                                           base::Findings& findings) {
  model::Model model;
  model.system = "cmb";
  model.resources = {{"cpu", base::Unit::one},
                     {"memoryMB", base::Unit::mebi},
                     {"diskMB", base::Unit::mebi},
                     {"networkMbps", base::Unit::mega},
                     {"gpu", base::Unit::one}};
  ProtoReader reader(findings, options, model);
  CmbExport from;
  read_envelope(reader, from, document.root());
  if (!document.root().is_map()) return model;
  read_tenants(reader, from, document.root().find("tenants"));
  document = doc::Document();
  from.draft.facts = std::move(reader.facts);
  static_cast<void>(link(std::move(from.draft), model, findings));
  std::sort(model.capacity_groups.begin(), model.capacity_groups.end(),
            [](const model::CapacityGroup& a, const model::CapacityGroup& b) { return a.name < b.name; });
  check_export(reader, from);
  drop_unused_gpu(model);
  return model;
}

}  // namespace cmb2kueue::source
