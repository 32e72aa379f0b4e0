// Apache YuniKorn queue configuration (yunikorn-core v1.6, pkg/common/configs). Guarantees are lendable there,
// maxima are hard limits of a subtree. Only the partition `default` matters on Kubernetes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "proto_json.h"
#include "readers.h"

namespace cmb2kueue::source {

namespace {

using doc::Node;
using NamedAmounts = std::map<std::string, std::int64_t>;

struct Queue {
  std::string name, path, above;  // "root.a.b" and "root.a"; above is "" for the root
  bool parent_flag = false;
  NamedAmounts guaranteed, maximum;
  base::Place guaranteed_place, max_place, name_place;
  std::int32_t priority_offset = 0;
  Node children, place;
};

constexpr int64_t smallest_plausible_memory = 1 << 20;
constexpr int64_t largest_plausible_vcore = 10'000'000;  // milli

base::Unit unit_of(std::string_view resource) {
  return resource == "vcore" ? base::Unit::milli : base::Unit::one;
}

// Counts in the resource's unit: vcore in milli, memory in bytes, others in ones.
std::optional<std::int64_t> count_of(ProtoReader& reader, Node node, const std::string& resource) {
  if (!node.is_scalar()) {
    reader.say("E-FIELD-TYPE", "a quantity is wanted here", "", node);
    return std::nullopt;
  }
  const base::Result<base::Quantity> quantity = base::Quantity::parse(node.text());
  if (!quantity.ok()) {
    reader.say("E-QUANTITY", quantity.status().message(), "write it like 500m, 2, 16Gi or 500G", node);
    return std::nullopt;
  }
  const base::int128 scale = unit_of(resource) == base::Unit::milli ? 1'000'000 : 1'000'000'000;
  const base::int128 count = quantity->nanos() / scale;
  if (quantity->negative() || quantity->nanos() % scale != 0 || count > INT64_MAX / 2) {
    reader.say("E-FIELD-RANGE", fmt::format("{} is no amount of {}", base::quoted(node.text()), resource),
               "a whole, non-negative number of units is wanted", node);
    return std::nullopt;
  }
  return static_cast<std::int64_t>(count);
}

void note_bare(ProtoReader& reader, Node node, const std::string& resource, std::int64_t count) {
  const bool bare = node.text().find_first_not_of("0123456789") == std::string_view::npos;
  if (bare && resource == "memory" && count > 0 && count < smallest_plausible_memory)
    reader.say("N-BARE-NUMBER", fmt::format("memory {} counts bytes", node.text()),
               "files from before YuniKorn 1.0 counted megabytes; write a suffix such as Mi", node);
  if (bare && resource == "vcore" && count >= largest_plausible_vcore)
    reader.say("N-BARE-NUMBER", fmt::format("vcore {} counts whole cores", node.text()),
               "files from before YuniKorn 1.0 counted milli-cores; write a suffix m", node);
}

NamedAmounts read_amounts(ProtoReader& reader, Node node) {
  NamedAmounts amounts;
  if (node.kind() == doc::NodeKind::null) return amounts;
  if (!node.is_map()) {
    reader.say("E-FIELD-TYPE", "a map of resources is wanted here", "", node);
    return amounts;
  }
  for (const Node child : doc::children(node)) {
    const std::string resource(child.key());
    const std::optional<std::int64_t> count = count_of(reader, child, resource);
    if (!count) continue;
    note_bare(reader, child, resource, *count);
    amounts[resource] = *count;
  }
  return amounts;
}

const MessageTable<Queue>& resources_table() {
  static const MessageTable<Queue> table = {"resources",
                                            {{"guaranteed",
                                              [](ProtoReader& r, Queue& q, Node n) {
                                                q.guaranteed = read_amounts(r, n);
                                                q.guaranteed_place = n.place();
                                              }},
                                             {"max", [](ProtoReader& r, Queue& q, Node n) {
                                                q.maximum = read_amounts(r, n);
                                                q.max_place = n.place();
                                              }}}};
  return table;
}

struct PropertyRow {
  std::string_view key, code, loss, remedy;
};
const std::vector<PropertyRow>& properties() {
  static const std::vector<PropertyRow> table = {
      {"priority.offset", "J-18", "queue.properties.priority.offset: an offset is not a field of a queue",
       "add it to the values of the priority classes this queue's jobs use"},
      {"priority.policy", "J-18", "queue.properties.priority.policy: priority fences have no counterpart",
       "give the subtree priority classes of its own"},
      {"preemption.policy", "C-13",
       "queue.properties.preemption.policy: a victim's protection has no counterpart; policy sits with who "
       "preempts",
       "a queue that never borrows is never a victim"},
      {"preemption.delay", "C-13", "queue.properties.preemption.delay: preemption is not delayed",
       "none is needed under parity"},
      {"quota.preemption.delay", "C-13",
       "queue.properties.quota.preemption.delay: lowering quota evicts nobody in Kueue",
       "lower quota when usage has fallen"},
      {"application.sort.policy", "J-18",
       "queue.properties.application.sort.policy: order inside a queue is priority, then age",
       "choose queueingStrategy in the mapping"},
      {"application.sort.priority", "J-18",
       "queue.properties.application.sort.priority: priority always counts in Kueue",
       "give jobs one priority class to switch it off"},
  };
  return table;
}

void read_properties(ProtoReader& reader, Queue& queue, Node node) {
  if (!node.is_map()) return reader.say("E-FIELD-TYPE", "a map is wanted here", "", node);
  for (const Node child : doc::children(node)) {
    const auto row = std::find_if(properties().begin(), properties().end(),
                                  [&](const PropertyRow& one) { return one.key == child.key(); });
    if (row == properties().end()) {
      std::vector<std::string> known;
      for (const PropertyRow& one : properties()) known.emplace_back(one.key);
      report_unknown(reader, "properties", known, child);
      continue;
    }
    reader.note(reader.field(row->loss, row->code, row->loss, row->remedy), child);
    if (row->key == "priority.offset")
      queue.priority_offset = static_cast<std::int32_t>(reader.integer(child, INT32_MIN, INT32_MAX));
  }
}

const MessageTable<Queue>& queue_table() {
  static const MessageTable<Queue> table = {
      "queue",
      {{"name", nullptr},
       {"parent",
        [](ProtoReader& r, Queue& q, Node n) {
          if (n.kind() != doc::NodeKind::boolean) r.say("E-FIELD-TYPE", "true or false is wanted here", "", n);
          q.parent_flag = n.boolean().value_or(false);
        }},
       {"queues", [](ProtoReader&, Queue& q, Node n) { q.children = n; }},
       {"resources", [](ProtoReader& r, Queue& q, Node n) { read_message(r, resources_table(), q, n); }},
       {"properties", read_properties},
       {"maxapplications", nullptr, "C-12", "queue.maxapplications: a limit of applications has no counterpart",
        "limit pods where an application is one pod"},
       {"adminacl", nullptr, "C-02", "queue.adminacl: who may administer a queue is RBAC in Kubernetes",
        "write roles for the namespace"},
       {"submitacl", nullptr, "C-02", "queue.submitacl: who may submit is RBAC and the namespace in Kubernetes",
        "write roles for the namespace"},
       {"limits", nullptr, "C-12", "queue.limits: limits per user and group have no counterpart",
        "give users queues of their own where it matters"},
       {"childtemplate",
        [](ProtoReader& r, Queue&, Node n) {
          r.say("W-DYNAMIC-QUEUES", "queues made from a template are not in the file",
                "list the queues that exist and need to move", n);
        },
        "C-02", "queue.childtemplate: queues are not created on demand", "create queues when a team is set up"}}};
  return table;
}

bool legal_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_:#/@-").find(c) != std::string_view::npos;
  });
}

class YunikornReader {
 public:
  YunikornReader(ProtoReader& reader, model::Model& model) : reader_(reader), model_(model) {}

  void partition(Node node);
  void finish(base::Findings& findings);

 private:
  void queue(Node node, const std::string& above);
  void add_root();
  void children(Node list, const std::string& above);
  model::Amounts amounts(const NamedAmounts& named) const;
  void check(const Queue& one, const std::vector<std::size_t>& children_of);
  void say(std::string_view rule, std::string message, std::string advice, const Queue& queue, base::Place place) {
    report(reader_.findings, rule, std::move(message), std::move(advice), queue.path, "resources", place);
  }

  ProtoReader& reader_;
  model::Model& model_;
  std::vector<Queue> queues_;
};

void YunikornReader::add_root() {
  Queue root;
  root.name = root.path = "root";
  root.parent_flag = true;
  queues_.push_back(root);
}

void YunikornReader::queue(Node node, const std::string& above) {
  Queue one;
  const Node name = node.find("name");
  one.name = name.is_scalar() ? std::string(name.text()) : "";
  one.place = node;
  one.name_place = name.exists() ? name.place() : node.place();
  std::string lowered = one.name;
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool root = above.empty() && lowered == "root";
  one.above = root ? "" : above.empty() ? "root" : above;
  one.path = root ? "root" : one.above + "." + one.name;
  reader_.subject = one.path;
  reader_.tenant = static_cast<model::TenantIndex>(queues_.size());
  if (!legal_name(one.name))
    reader_.say("E-QUEUE-NAME", base::quoted(one.name) + " is not a queue name",
                "letters, digits and _ : # / @ - are allowed, at most 64 of them", name.exists() ? name : node);
  if (root) reader_.tenant = 0;
  read_message(reader_, queue_table(), one, node);
  const Node below = one.children;
  const std::string path = one.path;
  if (root) {
    one.parent_flag = true;
    queues_[0] = one;
  } else {
    if (one.parent_flag && below.size() == 0)
      reader_.say("W-DYNAMIC-QUEUES", "a parent queue without children in the file gets them at run time",
                  "list the queues that exist and need to move", node);
    queues_.push_back(std::move(one));
  }
  children(below, path);
}

void YunikornReader::children(Node list, const std::string& above) {
  each(reader_, list, [&](Node item) { queue(item, above); });
}

void YunikornReader::partition(Node node) {
  struct PartitionFields {
    Node queues;
  };
  static const MessageTable<PartitionFields> table = {
      "partition",
      {{"name", nullptr},
       {"queues", [](ProtoReader&, PartitionFields& p, Node n) { p.queues = n; }},
       {"placementrules",
        [](ProtoReader& r, PartitionFields&, Node n) {
          each(r, n, [&](Node rule) {
            if (rule.find("create").boolean().value_or(false))
              r.say("W-DYNAMIC-QUEUES", "a placement rule creates queues at run time",
                    "list the queues that exist and need to move", rule);
          });
        },
        "J-15", "partition.placementrules: jobs name their queue by a label; nothing places them",
        "label jobs, or default the label in the namespace"},
       {"limits", nullptr, "C-12", "partition.limits: limits per user and group have no counterpart",
        "give users queues of their own where it matters"},
       {"nodesortpolicy", nullptr, "J-52", "partition.nodesortpolicy: nodes are chosen by kube-scheduler",
        "configure its scoring"},
       {"preemption", nullptr, "C-13", "partition.preemption: preemption is a policy of each queue",
        "decide between the presets parity and lend"},
       {"statedumpfilepath", nullptr, "C-03", "partition.statedumpfilepath: there is no state dump",
        "none is needed"}}};
  add_root();
  PartitionFields fields;
  read_message(reader_, table, fields, node);
  children(fields.queues, "");
}

model::Amounts YunikornReader::amounts(const NamedAmounts& named) const {
  model::Amounts found;
  for (std::uint16_t i = 0; i < model_.resources.size(); ++i) {
    const auto one = named.find(model_.resources[i].name);
    if (one != named.end()) found.push_back({i, one->second});
  }
  return found;
}

// A parent's guarantee and maximum hold at least what its children are guaranteed.
void YunikornReader::check(const Queue& one, const std::vector<std::size_t>& children_of) {
  NamedAmounts sums;
  for (const std::size_t index : children_of) {
    const Queue& other = queues_[index];
    for (const auto& [resource, count] : other.guaranteed) sums[resource] += count;
    for (const auto& [resource, count] : other.maximum) {
      const auto limit = one.maximum.find(resource);
      if (limit != one.maximum.end() && count > limit->second)
        say("W-MAX-ABOVE-PARENT",
            fmt::format("the maximum {} of {} is above the parent's {}", count, resource, limit->second),
            "the parent's is enforced too, so this one has no effect", other, other.max_place);
    }
  }
  for (const auto& [resource, sum] : sums) {
    for (const NamedAmounts* limit : {&one.guaranteed, &one.maximum}) {
      const auto found = limit->find(resource);
      if (found != limit->end() && sum > found->second)
        say("E-GUARANTEED-SUM",
            fmt::format("the children are guaranteed {} of {}, the {} here is {}", sum, resource,
                        limit == &one.maximum ? "maximum" : "guarantee", found->second),
            "YuniKorn refuses this file; lower the children's guarantees", one, one.guaranteed_place);
    }
  }
}

void YunikornReader::finish(base::Findings& findings) {
  std::map<std::string, bool> names = {{"vcore", true}, {"memory", true}};
  for (const Queue& one : queues_) {
    for (const auto& [resource, count] : one.guaranteed) names[resource] = true;
    for (const auto& [resource, count] : one.maximum) names[resource] = true;
  }
  for (const auto& [name, used] : names) model_.resources.push_back({name, unit_of(name)});
  Draft draft;
  draft.facts = std::move(reader_.facts);
  std::map<std::string, std::vector<std::size_t>> children_of;
  for (std::size_t i = 0; i < queues_.size(); ++i)
    if (!queues_[i].above.empty()) children_of[queues_[i].above].push_back(i);
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const Queue& one = queues_[i];
    check(one, children_of[one.path]);
    DraftTenant drafted;
    model::Tenant& tenant = drafted.tenant;
    tenant.id = one.path;
    tenant.name = one.name;
    tenant.place = one.place.place();
    tenant.name_place = tenant.parent_place = one.name_place;
    tenant.type =
        one.parent_flag || one.children.size() > 0 ? model::TenantType::internal : model::TenantType::leaf;
    tenant.priority_offset = one.priority_offset;
    tenant.maximum = amounts(one.maximum);
    tenant.limit_place = one.max_place;
    drafted.parent_id = one.above;
    if (!one.guaranteed.empty()) {
      model::Reservation reservation;
      reservation.total = reservation.shape = amounts(one.guaranteed);
      reservation.lendable = true;
      reservation.place = tenant.reservation_place = one.guaranteed_place;
      tenant.reservation = std::move(reservation);
    }
    draft.tenants.push_back(std::move(drafted));
  }
  static_cast<void>(link(std::move(draft), model_, findings));
}

Node embedded_text(Node root) {
  const Node data = root.find("data");
  return data.exists() ? data.find("queues.yaml") : Node();
}

}  // namespace

bool is_yunikorn(Node root) {
  return root.find("partitions").exists() || embedded_text(root).exists();
}

base::Result<model::Model> read_yunikorn(base::SourceFiles& files, Node root, const Options& options,
                                         base::Findings& findings) {
  model::Model model;
  model.system = "yunikorn";
  model.cells = {{"default", 100, true, "", {}}};
  model.pools_given = true;  // the format has none
  base::Result<doc::Document> inner = doc::Document();
  if (embedded_text(root).exists()) {
    inner = doc::parse_embedded(files, embedded_text(root));
    if (!inner.ok()) return inner.status();
    root = inner.value().root();
  }
  ProtoReader reader(findings, options, model);
  YunikornReader yunikorn(reader, model);
  bool found = false;
  each(reader, root.find("partitions"), [&](Node item) {
    const Node name = item.find("name");
    const bool is_default = name.is_scalar() && (name.text() == "default" || name.text() == "[mycluster]default");
    if (is_default && !found)
      yunikorn.partition(item);
    else
      reader.say("W-PARTITION", "only the partition default is used on Kubernetes", "this one is left out", item);
    found |= is_default;
  });
  if (!found)
    return base::Status(base::ErrorKind::input, "there is no partition named default", "check partitions",
                        root.place());
  yunikorn.finish(findings);
  return model;
}

}  // namespace cmb2kueue::source
