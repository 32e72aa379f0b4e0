// The envelope of a CMB export: where it comes from, cells, shared pools, priorities, capacity groups, bindings and
// enrolment.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"
#include "cmb_export.h"

namespace cmb2kueue::source {

namespace {

using doc::Node;

template <int Resource>
void read_count(ProtoReader& reader, CmbShape& shape, Node node) {
  shape.counts[Resource] = reader.integer(node, 0, UINT32_MAX);
}

const MessageTable<CmbShape>& shape_table() {
  static const MessageTable<CmbShape> table = {"ReservedCapacity",
                                               {{"cpu", read_count<cmb_cpu>},
                                                {"memoryMB", read_count<cmb_memory>},
                                                {"diskMB", read_count<cmb_disk>},
                                                {"networkMbps", read_count<cmb_network>},
                                                {"gpu", read_count<cmb_gpu>},
                                                {"instanceCount", [](ProtoReader& r, CmbShape& s, Node n) {
                                                   s.instances = r.integer(n, 0, UINT32_MAX);
                                                   s.has_instances = true;
                                                 }}}};
  return table;
}

struct SourceInfo {};
const MessageTable<SourceInfo>& source_table() {
  static const MessageTable<SourceInfo> table = {
      "source",
      {{"system", [](ProtoReader& r, SourceInfo&, Node n) { static_cast<void>(r.text(n)); }},
       {"stack", [](ProtoReader& r, SourceInfo&, Node n) { static_cast<void>(r.text(n)); }},
       {"endpoint", [](ProtoReader& r, SourceInfo&, Node n) { static_cast<void>(r.text(n)); }},
       {"timestampUnit",
        [](ProtoReader& r, SourceInfo&, Node n) {
          r.timestamps_in_seconds = r.enumeration(n, {{"milliseconds", 0}, {"seconds", 1}}) == 1;
        }},
       {"apiSchema", [](ProtoReader& r, SourceInfo&, Node n) { static_cast<void>(r.text(n)); }}}};
  return table;
}

struct CellDraft {
  model::Cell cell;
  bool has_percent = false;
};
const MessageTable<CellDraft>& cell_table() {
  static const MessageTable<CellDraft> table = {
      "cell",
      {{"name", [](ProtoReader& r, CellDraft& c, Node n) { c.cell.name = r.text(n); }},
       {"percent",
        [](ProtoReader& r, CellDraft& c, Node n) {
          c.cell.percent = static_cast<std::uint32_t>(r.integer(n, 0, 100));
          c.has_percent = true;
        }},
       {"kueueEnabled", [](ProtoReader& r, CellDraft& c, Node n) { c.cell.kueue_enabled = r.flag(n); }},
       {"kubeContext", [](ProtoReader& r, CellDraft& c, Node n) { c.cell.kube_context = r.text(n); }}}};
  return table;
}

struct PoolDraft {
  model::SharedPool pool;
  CmbShape shape;
  Node capacity;
  std::vector<std::string> members;
  base::Place members_place;
};
const MessageTable<PoolDraft>& pool_table() {
  static const MessageTable<PoolDraft> table = {
      "sharedPool",
      {{"name", [](ProtoReader& r, PoolDraft& p, Node n) { p.pool.name = r.text(n); }},
       {"cell", [](ProtoReader& r, PoolDraft& p, Node n) { p.pool.cell = r.text(n); }},
       {"resourcePool", [](ProtoReader& r, PoolDraft& p, Node n) { p.pool.resource_pool = r.text(n); }},
       {"capacity",
        [](ProtoReader& r, PoolDraft& p, Node n) {
          p.capacity = n;
          read_shape(r, p.shape, n);
        }},
       {"members", [](ProtoReader& r, PoolDraft& p, Node n) {
          if (n.kind() == doc::NodeKind::text && n.text() == "all") return;
          p.pool.all_members = false;
          p.members_place = n.place();
          each(r, n, [&](Node item) { p.members.push_back(r.text(item)); });
        }}}};
  return table;
}

const MessageTable<model::PriorityPolicy>& priority_table() {
  static const MessageTable<model::PriorityPolicy> table = {
      "priorityPolicy",
      {{"systemDefault",
        [](ProtoReader& r, model::PriorityPolicy& p, Node n) {
          const EnumTable classes = {{"BestEffort", 1}, {"Normal", 2}, {"Preferred", 3}, {"Critical", 4}};
          const std::int64_t value = r.enumeration(n, classes);
          for (const auto& [word, number] : classes)
            if (number == value) p.system_default = word;
        }},
       {"classBase",
        [](ProtoReader& r, model::PriorityPolicy& p, Node n) {
          if (!n.is_map()) return report_not_a_map(r, "classBase", n);
          for (const Node child : doc::children(n)) p.class_base.emplace_back(child.key(), r.i64(child));
          std::sort(p.class_base.begin(), p.class_base.end());
        }},
       {"valueRange", [](ProtoReader& r, model::PriorityPolicy& p, Node n) { p.value_range = r.u32(n); }}}};
  return table;
}

// FederatedCapacityGroup and ApplicationSla in one table: a group has the fields of one or the other.
struct GroupDraft {
  model::CapacityGroup group;
  CmbShape shape;
  Node place;
};

void read_cell_percent(ProtoReader& r, GroupDraft& g, Node n) {
  if (!n.is_map()) return report_not_a_map(r, "cellPercentDist", n);
  std::int64_t sum = 0;
  for (const Node child : doc::children(n)) {
    g.group.cell_percent.emplace_back(child.key(), static_cast<std::uint32_t>(r.integer(child, 0, 100)));
    sum += g.group.cell_percent.back().second;
  }
  std::sort(g.group.cell_percent.begin(), g.group.cell_percent.end());
  if (n.size() > 0 && sum != 100)
    r.say("E-CELL-PERCENT", fmt::format("the percentages over cells sum to {}, not 100", sum),
          "correct them in CMB", n);
}

template <int Resource>
void read_sla(ProtoReader& r, GroupDraft& g, Node n) {
  g.shape.counts[Resource] = r.integer(n, 0, UINT32_MAX);
}

const MessageTable<GroupDraft>& federated_table() {
  static const MessageTable<GroupDraft> table = {
      "federatedCapacity",
      {{"instanceCount",
        [](ProtoReader& r, GroupDraft& g, Node n) { g.shape.instances = r.integer(n, 0, UINT32_MAX); }},
       {"resourceDimension", [](ProtoReader& r, GroupDraft& g, Node n) { read_shape(r, g.shape, n); }}}};
  return table;
}

constexpr std::string_view usage_loss =
    "ApplicationSla.reservationUsage: usage at the time of the export is not kept";
const MessageTable<GroupDraft>& group_table() {
  static const MessageTable<GroupDraft> table = {
      "capacityGroup",
      {{"capacityGroupName", [](ProtoReader& r, GroupDraft& g, Node n) { g.group.name = r.text(n); }},
       {"federatedCapacity",
        [](ProtoReader& r, GroupDraft& g, Node n) { read_message(r, federated_table(), g, n); }},
       {"resourcePool", [](ProtoReader& r, GroupDraft& g, Node n) { g.group.resource_pool = r.text(n); }},
       {"cellPercentDist", read_cell_percent},
       {"appName", [](ProtoReader& r, GroupDraft& g, Node n) { g.group.name = r.text(n); }},
       {"tier",
        [](ProtoReader& r, GroupDraft& g, Node n) {
          g.group.tier = r.enumeration(n, {{"Flex", 0}, {"Critical", 1}}) == 1 ? "Critical" : "Flex";
        },
        "J-52", "ApplicationSla.tier: a tier is not a field of any queue", "choose the flavor in the mapping"},
       {"instanceCPU", read_sla<cmb_cpu>},
       {"instanceMemoryMB", read_sla<cmb_memory>},
       {"instanceDiskMB", read_sla<cmb_disk>},
       {"instanceNetworkMbs", read_sla<cmb_network>},
       {"instanceGPU", read_sla<cmb_gpu>},
       {"instanceCount",
        [](ProtoReader& r, GroupDraft& g, Node n) { g.shape.instances = r.integer(n, 0, UINT32_MAX); }},
       {"schedulerName", [](ProtoReader& r, GroupDraft&, Node n) { static_cast<void>(r.text(n)); }, "J-52",
        "ApplicationSla.schedulerName: a scheduler is chosen by pods, not by queues", "set it in the job template"},
       {"cellId", [](ProtoReader& r, GroupDraft&, Node n) { static_cast<void>(r.text(n)); }, "J-53",
        "ApplicationSla.cellId: a group's cell is only compared", "name cells in the mapping"},
       {"reservationUsage", nullptr, "C-08", usage_loss, "read usage where it is now"}}};
  return table;
}

const MessageTable<CmbBinding>& binding_table() {
  static const MessageTable<CmbBinding> table = {
      "binding",
      {{"tenantId", [](ProtoReader& r, CmbBinding& b, Node n) { b.tenant_id = r.text(n); }},
       {"capacityGroupName", [](ProtoReader& r, CmbBinding& b, Node n) { b.group = r.text(n); }},
       {"cells", [](ProtoReader& r, CmbBinding& b, Node n) {
          each(r, n, [&](Node item) { b.cells.push_back(r.text(item)); });
          std::sort(b.cells.begin(), b.cells.end());
        }}}};
  return table;
}

const MessageTable<CmbEnrollment>& enrollment_table() {
  static const MessageTable<CmbEnrollment> table = {
      "enrollment",
      {{"tenantId", [](ProtoReader& r, CmbEnrollment& e, Node n) { e.tenant_id = r.text(n); }},
       {"state",
        [](ProtoReader& r, CmbEnrollment& e, Node n) {
          e.state = static_cast<model::EnrollmentState>(
              r.enumeration(n, {{"NotEnrolled", 0}, {"Enrolling", 1}, {"Enrolled", 2}, {"RollingBack", 3}}));
        }},
       {"since", [](ProtoReader& r, CmbEnrollment&, Node n) { static_cast<void>(r.time(n)); }}}};
  return table;
}

void refuse_twice(ProtoReader& reader, bool fresh, std::string_view what, const std::string& name, Node item) {
  if (!fresh)
    reader.say("E-DUPLICATE-NAME", fmt::format("the {} {} stands twice", what, base::quoted(name)),
               "remove one, or rename it", item);
}

void read_cells(ProtoReader& reader, Node list) {
  bool any_percent = false;
  std::uint64_t sum = 0;
  std::set<std::string> names;
  each(reader, list, [&](Node item) {
    CellDraft draft;
    draft.cell.place = item.place();
    read_message(reader, cell_table(), draft, item);
    if (draft.cell.name.empty()) reader.say("E-FIELD-MISSING", "a cell has no name", "", item);
    refuse_twice(reader, names.insert(draft.cell.name).second, "cell", draft.cell.name, item);
    any_percent |= draft.has_percent;
    sum += draft.cell.percent;
    reader.model.cells.push_back(std::move(draft.cell));
  });
  std::vector<model::Cell>& cells = reader.model.cells;
  if (cells.empty()) cells.push_back({"default", 100, true, "", {}});
  if (cells.size() == 1 && !any_percent) {
    cells[0].percent = 100;
    sum = 100;
  }
  if (list.exists() && sum != 100)
    reader.say("E-CELL-PERCENT",
               any_percent ? fmt::format("the cells' percentages sum to {}, not 100", sum)
                           : std::string("there are several cells, but no percentages"),
               "say in cells[].percent how capacity is divided, or in the mapping's cells.percent", list);
  std::sort(cells.begin(), cells.end(), [](const model::Cell& a, const model::Cell& b) { return a.name < b.name; });
}

void read_pools(ProtoReader& reader, CmbExport& into, Node list) {
  reader.model.pools_given = list.exists();
  std::set<std::pair<std::string, std::string>> names;
  each(reader, list, [&](Node item) {
    PoolDraft draft;
    draft.pool.place = item.place();
    read_message(reader, pool_table(), draft, item);
    if (draft.pool.name.empty()) reader.say("E-FIELD-MISSING", "a shared pool has no name", "", item);
    const std::int64_t instances = draft.shape.has_instances ? draft.shape.instances : 1;
    draft.pool.capacity = total_of(reader, draft.shape, instances, draft.capacity.exists() ? draft.capacity : item);
    if (!draft.pool.all_members)
      into.members.push_back({reader.model.pools.size(), draft.members, draft.members_place});
    if (!draft.capacity.exists())
      reader.say("E-FIELD-MISSING", "the shared pool " + base::quoted(draft.pool.name) + " has no capacity",
                 "say how much it holds, 0 included", item);
    if (!draft.pool.all_members && draft.members.empty())
      reader.say("W-POOL-NOBODY", "the shared pool " + base::quoted(draft.pool.name) + " has no members",
                 "nobody may use it; name members, or all", item);
    refuse_twice(reader, names.emplace(draft.pool.name, draft.pool.cell).second, "pool", draft.pool.name, item);
    reader.model.pools.push_back(std::move(draft.pool));
  });
}

void read_groups(ProtoReader& reader, Node list) {
  std::set<std::string> names;
  each(reader, list, [&](Node item) {
    GroupDraft draft;
    draft.group.place = item.place();
    draft.shape.instances = 1;
    read_message(reader, group_table(), draft, item);
    if (draft.group.name.empty()) reader.say("E-FIELD-MISSING", "a capacity group has no name", "", item);
    draft.group.total = total_of(reader, draft.shape, draft.shape.instances, item);
    refuse_twice(reader, names.insert(draft.group.name).second, "capacity group", draft.group.name, item);
    reader.model.capacity_groups.push_back(std::move(draft.group));
  });
}

template <class T>
void read_list(ProtoReader& reader, const MessageTable<T>& table, std::vector<T>& into, Node list) {
  each(reader, list, [&](Node item) {
    T one;
    one.place = item.place();
    read_message(reader, table, one, item);
    into.push_back(std::move(one));
  });
}

const MessageTable<CmbExport>& root_table() {
  static const MessageTable<CmbExport> table = {
      "TenantExport",
      {{"apiVersion", [](ProtoReader& r, CmbExport& e, Node n) { e.api_version = r.text(n); }},
       {"kind", [](ProtoReader& r, CmbExport& e, Node n) { e.kind = r.text(n); }},
       {"exportId", [](ProtoReader& r, CmbExport&, Node n) { r.model.export_id = r.text(n); }},
       {"exportedAt", [](ProtoReader& r, CmbExport&, Node n) { r.model.exported_at = r.time(n); }},
       {"snapshotConsistency",
        [](ProtoReader& r, CmbExport& e, Node n) {
          e.draft.paged = r.enumeration(n, {{"atomic", 0}, {"cursorPaged", 1}}) == 1;
        }},
       {"source", nullptr},
       {"cells", [](ProtoReader& r, CmbExport&, Node n) { read_cells(r, n); }},
       {"sharedPools", [](ProtoReader& r, CmbExport& e, Node n) { read_pools(r, e, n); }},
       {"priorityPolicy",
        [](ProtoReader& r, CmbExport&, Node n) {
          r.model.priorities.given = true;
          r.model.priorities.place = n.place();
          read_message(r, priority_table(), r.model.priorities, n);
        }},
       {"tenants", nullptr},
       {"capacityGroups", [](ProtoReader& r, CmbExport&, Node n) { read_groups(r, n); }},
       {"bindings", [](ProtoReader& r, CmbExport& e, Node n) { read_list(r, binding_table(), e.bindings, n); }},
       {"enrollment",
        [](ProtoReader& r, CmbExport& e, Node n) { read_list(r, enrollment_table(), e.enrollment, n); }}}};
  return table;
}

}  // namespace

void read_shape(ProtoReader& reader, CmbShape& shape, Node node) {
  read_message(reader, shape_table(), shape, node);
}

model::Amounts amounts_of(const CmbShape& shape) {
  model::Amounts amounts;
  for (std::uint16_t i = 0; i < 5; ++i)
    if (shape.counts[i] > 0) amounts.push_back({i, shape.counts[i]});
  return amounts;
}

model::Amounts total_of(ProtoReader& reader, const CmbShape& shape, std::int64_t instances, Node node) {
  model::Amounts amounts = amounts_of(shape);
  for (model::Amount& amount : amounts) {
    const std::optional<std::int64_t> total = base::checked_mul(amount.count, instances);
    if (!total || *total > INT64_MAX / (1 << 20))
      reader.say("E-RESERVATION-OVERFLOW", fmt::format("{} times {} is too much", amount.count, instances),
                 "no machine room holds that; correct the shape or the count", node);
    amount.count = total.value_or(0);
  }
  std::erase_if(amounts, [](const model::Amount& amount) { return amount.count == 0; });
  return amounts;
}

void read_envelope(ProtoReader& reader, CmbExport& into, Node root) {
  SourceInfo info;
  read_message(reader, source_table(), info, root.find("source"));  // first: it says what timestamps count
  read_message(reader, root_table(), into, root);
  if (!root.find("cells").exists()) read_cells(reader, Node());
  const auto require = [&](bool given, std::string_view rule, std::string message, std::string advice) {
    if (!given) report(reader.findings, rule, std::move(message), std::move(advice), "", "", root.place());
  };
  require(into.api_version == "cmb-export/v1alpha1" && into.kind == "TenantExport", "E-NOT-EXPORT",
          "this is not a TenantExport of cmb-export/v1alpha1",
          "check apiVersion and kind, or name the format with --from");
  require(!reader.model.export_id.empty(), "E-EXPORT-ID", "the export has no exportId",
          "the id ties tenants and jobs of one export together; export again");
  require(root.find("tenants").exists(), "E-FIELD-MISSING", "the export has no tenants", "export again");
}

void list_envelope_fields(std::vector<ReadField>& into) {
  list_rows(root_table(), into);
  list_rows(source_table(), into);
  list_rows(cell_table(), into);
  list_rows(pool_table(), into);
  list_rows(priority_table(), into);
  list_rows(group_table(), into);
  list_rows(federated_table(), into);
  list_rows(shape_table(), into);
  list_rows(binding_table(), into);
  list_rows(enrollment_table(), into);
}

std::vector<ReadField> cmb_fields() {
  std::vector<ReadField> all;
  list_tenant_fields(all);
  list_envelope_fields(all);
  return all;
}

}  // namespace cmb2kueue::source
