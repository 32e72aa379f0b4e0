// The messages of a tenant, each a table of its fields.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>

#include "cmb2kueue/base/in_order.h"
#include "cmb2kueue/base/text.h"
#include "cmb_export.h"

namespace cmb2kueue::source {

namespace {

using doc::Node;
using model::Tenant;

constexpr int state_applied = 2;

const EnumTable& tenant_types() {
  static const EnumTable table = {{"Leaf", 0}, {"Internal", 1}};
  return table;
}
const EnumTable& tenant_states() {
  static const EnumTable table = {{"Accepted", 0}, {"Removed", 1}, {"Removing", 2}};
  return table;
}
const EnumTable& capacity_states() {
  static const EnumTable table = {
      {"UnderReview", 0}, {"Approved", 1}, {"Applied", 2}, {"Declined", 3}, {"Deleted", 4}};
  return table;
}

// A history of states: the last one counts, and time does not run backwards.
struct History {
  std::int64_t state = 0, newest = 0;
  std::size_t entries = 0;
  std::uint64_t hash = 0;
};

struct StatusEntry {
  std::int64_t state = 0, timestamp = 0;
  std::uint64_t message = 0;
};

// The states differ from message to message, the shape does not.
template <const EnumTable& (*States)()>
const MessageTable<StatusEntry>& status_table() {
  static const MessageTable<StatusEntry> table = {
      "Status",
      {{"state", [](ProtoReader& r, StatusEntry& e, Node n) { e.state = r.enumeration(n, States()); }},
       {"message", [](ProtoReader& r, StatusEntry& e, Node n) { e.message = base::fnv1a(r.text(n)); }},
       {"timestamp", [](ProtoReader& r, StatusEntry& e, Node n) { e.timestamp = r.timestamp(n); }}}};
  return table;
}

template <const EnumTable& (*States)()>
History read_history(ProtoReader& reader, Node list, std::string_view message) {
  History history;
  each(reader, list, [&](Node item) {
    StatusEntry entry;
    read_message(reader, status_table<States>(), entry, item);
    if (entry.timestamp < history.newest)
      reader.say("W-STATUS-ORDER", fmt::format("the {} history is not in order of time", message),
                 "the last entry counts as the present one; check that it is", item);
    history.newest = std::max(history.newest, entry.timestamp);
    history.state = entry.state;
    ++history.entries;
    for (const std::uint64_t part : {number_hash(entry.state), number_hash(entry.timestamp),
                                     entry.message == base::fnv1a("") ? 0 : entry.message})
      history.hash = number_hash(static_cast<std::int64_t>(history.hash ^ part));
  });
  reader.seen = {history.hash, history.entries == 0};
  return history;
}

const MessageTable<Tenant>& tenant_attributes_table() {
  static const MessageTable<Tenant> table = {
      "TenantAttributes",
      {{"attributes", [](ProtoReader& r, Tenant& t, Node n) { t.attributes = r.string_map(n); }, "C-14",
        "Tenant.tenantDefinition.tenantAttributes.attributes: attributes become annotations, which Kueue does not "
        "read",
        "keep whatever acts on them reading the annotations"},
       {"concurrencyLimit", [](ProtoReader& r, Tenant& t, Node n) {
          t.concurrency_limit = r.u32(n);
          t.limit_place = n.place();
        }}}};
  return table;
}

const MessageTable<DraftTenant>& definition_table() {
  static const MessageTable<DraftTenant> table = {
      "TenantDefinition",
      {{"tenantName",
        [](ProtoReader& r, DraftTenant& t, Node n) {
          t.tenant.name = r.text(n);
          t.tenant.name_place = n.place();
        },
        "C-01",
        "Tenant.tenantDefinition.tenantName: the display name is an annotation; object names are made from it once",
        "look objects up by the annotation or label, not by name"},
       {"tenantEmailAddress", [](ProtoReader& r, DraftTenant& t, Node n) { t.tenant.email = r.text(n); }, "C-01",
        "Tenant.tenantDefinition.tenantEmailAddress: the address becomes an annotation and is not validated any "
        "more",
        "validate addresses where tenants are requested"},
       {"tenantDescription", [](ProtoReader& r, DraftTenant& t, Node n) { t.tenant.description = r.text(n); },
        "C-01", "Tenant.tenantDefinition.tenantDescription: the description becomes an annotation",
        "read it there"},
       {"tenantType",
        [](ProtoReader& r, DraftTenant& t, Node n) {
          t.tenant.type =
              r.enumeration(n, tenant_types()) == 1 ? model::TenantType::internal : model::TenantType::leaf;
        }},
       {"parentTenantId",
        [](ProtoReader& r, DraftTenant& t, Node n) {
          t.parent_id = r.text(n);
          t.tenant.parent_place = n.place();
        }},
       {"attributes",
        [](ProtoReader& r, DraftTenant&, Node n) {
          if (!is_zero(n))
            r.say("N-DEPRECATED-ATTRIBUTES",
                  "attributes of tenantDefinition are deprecated and were ignored by CMB",
                  "move what is needed to tenantAttributes", n);
        },
        "C-14", "Tenant.tenantDefinition.attributes: deprecated attributes are dropped",
        "move them to tenantAttributes"},
       {"tenantAttributes",
        [](ProtoReader& r, DraftTenant& t, Node n) { read_message(r, tenant_attributes_table(), t.tenant, n); }}}};
  return table;
}

// One CapacityRequest.
struct Request {
  std::string tenant_id;
  CmbShape shape;
  bool has_reservation = false, has_weight = false;
  std::uint32_t weight = 0;
  History history;
  base::Place reservation_place, weight_place;
  Node reservation;
};

const MessageTable<Request>& capacity_table() {
  static const MessageTable<Request> table = {
      "CapacityDefinition",
      {{"reservedCapacity",
        [](ProtoReader& r, Request& q, Node n) {
          q.has_reservation = true;
          q.reservation = n;
          q.reservation_place = n.place();
          read_shape(r, q.shape, n);
        },
        "C-09", "CapacityDefinition.reservedCapacity: the shape of an instance is dropped; only totals are quota",
        "keep packing in mind: totals may fit where single instances do not"},
       {"weight", [](ProtoReader& r, Request& q, Node n) {
          q.has_weight = true;
          q.weight = r.u32(n);
          q.weight_place = n.place();
          if (q.weight == 0)
            r.say("N-WEIGHT-ZERO", "the weight is 0, which the export cannot tell from unset",
                  "it is read as 1; say weightZero: starve in the mapping if 0 was meant", n);
        }}}};
  return table;
}

const MessageTable<Request>& request_table() {
  static const MessageTable<Request> table = {
      "CapacityRequest",
      {{"capacityRequestId", [](ProtoReader& r, Request&, Node n) { static_cast<void>(r.text(n)); }, "C-08",
        "CapacityRequest.capacityRequestId: requests for capacity have no counterpart in the cluster",
        "keep capacity reviews in Git or in CMB"},
       {"tenantId", [](ProtoReader& r, Request& q, Node n) { q.tenant_id = r.text(n); }, "C-08",
        "CapacityRequest.tenantId: requests for capacity have no counterpart in the cluster",
        "keep capacity reviews in Git or in CMB"},
       {"capacity", [](ProtoReader& r, Request& q, Node n) { read_message(r, capacity_table(), q, n); }},
       {"capacityStatus",
        [](ProtoReader& r, Request& q, Node n) { q.history = read_history<capacity_states>(r, n, "capacity"); },
        "C-06", "CapacityRequest.capacityStatus[]: the history of approvals is not kept in the cluster",
        "keep CMB's record, or export it before CMB is retired"}}};
  return table;
}

void check_request_owner(ProtoReader& reader, const Request& request, const DraftTenant& tenant, Node node) {
  if (!request.tenant_id.empty() && request.tenant_id != tenant.tenant.id)
    reader.say("E-UNKNOWN-TENANT", "the capacity request belongs to the tenant " + base::quoted(request.tenant_id),
               "a tenant holds its own requests only; export again", node);
}

void take_applied(ProtoReader& reader, DraftTenant& tenant, Node node) {
  Request request;
  const std::uint64_t problems_before = reader.problems;
  read_message(reader, request_table(), request, node);
  const bool readable = reader.problems == problems_before;
  check_request_owner(reader, request, tenant, node);
  if (request.history.entries > 0 && request.history.state != state_applied)
    reader.say("W-APPLIED-STATE", "the applied capacity is not in state Applied",
               "find out whether CMB grants it; it is taken as granted", node);
  if (request.has_weight) {
    tenant.tenant.weight = request.weight;
    tenant.tenant.weight_place = request.weight_place;
  }
  if (!request.has_reservation) return;
  const CmbShape& shape = request.shape;
  const bool all_zero =
      std::all_of(std::begin(shape.counts), std::end(shape.counts), [](auto c) { return c == 0; });
  if (all_zero && shape.instances == 0) return;
  const bool zero = shape.instances == 0 || shape.counts[cmb_cpu] == 0 || shape.counts[cmb_memory] == 0 ||
                    shape.counts[cmb_disk] == 0 || shape.counts[cmb_network] == 0;
  if (shape.counts[cmb_gpu] > 0)
    reader.say("N-GPU-FIELD", "the reservation counts GPUs, which the published interface of CMB does not know",
               "check that the export means whole GPUs of one instance", request.reservation);
  if (zero && readable)
    reader.say("W-RESERVATION-ZERO",
               fmt::format("the reservation is {} cpu, {} MB memory, {} MB disk, {} Mbps times {}", shape.counts[0],
                           shape.counts[1], shape.counts[2], shape.counts[3], shape.instances),
               "CMB requires every dimension and the count; what is 0 is not reserved", request.reservation);
  model::Reservation reservation;
  reservation.shape = amounts_of(shape);
  reservation.instances = shape.instances;
  reservation.total = total_of(reader, shape, shape.instances, request.reservation);
  reservation.place = request.reservation_place;
  tenant.tenant.reservation_place = request.reservation_place;
  tenant.tenant.reservation = std::move(reservation);
}

void take_pending(ProtoReader& reader, DraftTenant& tenant, Node node) {
  if (is_zero(node)) return;
  Request request;
  read_message(reader, request_table(), request, node);
  check_request_owner(reader, request, tenant, node);
  std::uint64_t hash =
      number_hash(request.weight) ^ request.history.hash ^ number_hash(request.shape.instances + 1);
  for (const std::int64_t count : request.shape.counts) hash = number_hash(static_cast<std::int64_t>(hash) ^ count);
  reader.seen = {hash, false};
  if (request.history.state == state_applied)
    reader.say("E-TWO-APPLIED", "a second capacity request is in state Applied",
               "one of them is stale; export again", node);
  if (request.history.state > 1) return;
  tenant.tenant.request_pending = true;
  reader.say("W-REQUEST-PENDING", "a capacity change is under review",
             "let it be decided before this tenant moves, or plan with the capacity applied now", node);
}

const MessageTable<DraftTenant>& capacity_status_table() {
  static const MessageTable<DraftTenant> table = {
      "CapacityStatus",
      {{"appliedCapacity", take_applied},
       {"capacityRequest", take_pending, "C-08",
        "Tenant.capacityStatus.capacityRequest: a pending capacity request has no counterpart in the cluster",
        "decide it before the tenant moves"}}};
  return table;
}

const MessageTable<DraftTenant>& tenant_table() {
  static const MessageTable<DraftTenant> table = {
      "Tenant",
      {{"tenantId", [](ProtoReader& r, DraftTenant& t, Node n) { t.tenant.id = r.text(n); }},
       {"tenantDefinition",
        [](ProtoReader& r, DraftTenant& t, Node n) { read_message(r, definition_table(), t, n); }},
       {"capacityStatus",
        [](ProtoReader& r, DraftTenant& t, Node n) { read_message(r, capacity_status_table(), t, n); }},
       {"tenantStatus",
        [](ProtoReader& r, DraftTenant& t, Node n) {
          const History history = read_history<tenant_states>(r, n, "tenant");
          t.newest_status = history.newest;
          t.has_status = history.entries > 0;
          t.tenant.state = static_cast<model::TenantState>(history.state);
        },
        "C-05", "Tenant.tenantStatus[]: the history of the tenant's states is not kept in the cluster",
        "keep CMB's record, or export it before CMB is retired"},
       {"path",
        [](ProtoReader& r, DraftTenant& t, Node n) {
          t.given_path = r.text(n);
          t.path_place = n.place();
        },
        "C-04", "Tenant.path: the path is an annotation; searching by prefix needs the client to filter",
        "list by label and filter on the annotation"}}};
  return table;
}

// What CMB asks for when a tenant is made. proto3 cannot tell empty from absent.
void require_fields(ProtoReader& reader, const DraftTenant& read, Node node) {
  const auto require = [&](bool given, std::string_view rule, std::string message, std::string advice,
                           std::string_view field) {
    if (given) return;
    report(reader.findings, rule, std::move(message), std::move(advice), reader.subject, std::string(field),
           node.place());
  };
  require(!read.tenant.id.empty(), "E-FIELD-MISSING", "tenantId is missing or empty", "export again", "tenantId");
  require(!read.tenant.name.empty(), "E-FIELD-MISSING", "tenantDefinition.tenantName is missing or empty",
          "export again", "tenantName");
  require(read.has_status, "W-STATUS-EMPTY", "the tenant has no state", "it is taken as Accepted; export again",
          "tenantStatus");
  require(!read.tenant.email.empty(), "N-NO-CONTACT", "the tenant has no e-mail address, which CMB asks for",
          "find out whom to ask before the tenant moves", "tenantEmailAddress");
}

// Findings of a tenant's fields name it, so the id is fetched first.
std::string subject_of(Node node) {
  const Node id = node.find("tenantId");
  const Node name = node.find("tenantDefinition").find("tenantName");
  const std::string id_text(id.is_scalar() ? id.text() : "");
  return name.is_scalar() ? std::string(name.text()) + " (" + id_text + ")" : id_text;
}

DraftTenant read_tenant(ProtoReader& reader, Node item, bool paged) {
  reader.subject = subject_of(item);
  DraftTenant tenant;
  tenant.tenant.place = item.place();
  tenant.tenant.name_place = tenant.tenant.parent_place = item.place();
  const Node id = item.find("tenantId");
  tenant.tenant.id = id.is_scalar() ? std::string(id.text()) : std::string();
  read_message(reader, tenant_table(), tenant, item);
  require_fields(reader, tenant, item);
  if (paged) tenant.content = value_hash(item);
  return tenant;
}

// Tenants that follow each other, read apart from the others.
struct Stretch {
  base::Findings findings;
  model::Model model;  // only its fields are filled
  ProtoReader reader;
  Stretch(const ProtoReader& like) : reader(findings, like.options, model) {
    reader.timestamps_in_seconds = like.timestamps_in_seconds;
  }
};

void read_stretch(Stretch& stretch, const std::vector<Node>& items, std::size_t first, std::size_t end,
                  Draft& into) {
  constexpr std::size_t facts_a_tenant = 12;  // as exports have them; what is more grows
  stretch.reader.facts.reserve((end - first) * facts_a_tenant);
  for (std::size_t i = first; i < end; ++i) {
    stretch.reader.tenant = static_cast<model::TenantIndex>(i);
    into.tenants[i] = read_tenant(stretch.reader, items[i], into.paged);
  }
}

}  // namespace

// Tenants do not look at each other, so several threads read a stretch each. What they found comes together in the
// order of the file, and the same for any number of threads.
void read_tenants(ProtoReader& reader, CmbExport& into, Node list) {
  constexpr std::size_t worth_a_thread = 2048;
  std::vector<Node> items;
  items.reserve(list.size());
  each(reader, list, [&](Node item) { items.push_back(item); });
  into.draft.tenants.resize(items.size());
  const std::size_t threads = std::clamp<std::size_t>(items.size() / worth_a_thread, 1, base::useful_threads());
  std::deque<Stretch> stretches;
  std::vector<std::future<void>> running;
  for (std::size_t t = 0; t < threads; ++t) {
    Stretch& stretch = stretches.emplace_back(reader);
    const std::size_t first = items.size() * t / threads, end = items.size() * (t + 1) / threads;
    running.push_back(std::async(threads == 1 ? std::launch::deferred : std::launch::async,
                                 [&, first, end] { read_stretch(stretch, items, first, end, into.draft); }));
  }
  for (std::size_t t = 0; t < threads; ++t) {
    running[t].get();
    if (t == 1) reader.facts.reserve(reader.facts.size() * threads);
    reader.take_notes(stretches[t].reader);
    reader.findings.add_all(stretches[t].findings);
  }
}

void list_tenant_fields(std::vector<ReadField>& into) {
  list_rows(tenant_table(), into);
  list_rows(definition_table(), into);
  list_rows(tenant_attributes_table(), into);
  list_rows(capacity_status_table(), into);
  list_rows(request_table(), into);
  list_rows(capacity_table(), into);
  list_rows(status_table<tenant_states>(), into);
}

}  // namespace cmb2kueue::source
