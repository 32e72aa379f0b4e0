// Apache YuniKorn queue configuration (yunikorn-core v1.6, pkg/common/configs). Guarantees are lendable there,
// maxima are hard limits of a subtree. Only the partition `default` matters on Kubernetes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

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
  std::uint32_t max_applications = 0;  // 0: no limit
  base::Place applications_place;
  Node children, place;
  std::vector<std::size_t> below;
};

constexpr int64_t smallest_plausible_memory = 1 << 20;
constexpr int64_t largest_plausible_vcore = 10'000'000;  // milli

base::Unit unit_of(std::string_view resource) {
  return resource == "vcore" ? base::Unit::milli : base::Unit::one;
}

// Digits and a suffix, as YuniKorn takes them; fractions and exponents it refuses, and m for all but vcore.
bool legal_amount(std::string_view text, const std::string& resource) {
  const std::size_t digits = text.find_first_not_of("0123456789", text.starts_with('+') ? 1 : 0);
  if (digits == std::string_view::npos) return true;
  const std::string_view suffix = text.substr(digits);
  return suffix.find_first_not_of("kKMGTPEim") == std::string_view::npos && (suffix != "m" || resource == "vcore");
}

// Counts in the resource's unit: vcore in milli, memory in bytes, others in ones.
std::optional<std::int64_t> count_of(ProtoReader& reader, Node node, const std::string& resource) {
  if (!node.is_scalar()) {
    reader.say("E-FIELD-TYPE", "a quantity is wanted here", "", node);
    return std::nullopt;
  }
  std::string text(node.text());
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  const base::Result<base::Quantity> quantity = base::Quantity::parse(text);
  if (!quantity.ok() || (!quantity->negative() && !legal_amount(text, resource))) {
    reader.say("E-QUANTITY",
               quantity.ok() ? base::quoted(text) + " is no amount YuniKorn takes" : quantity.status().message(),
               "write it like 500m (vcore only), 2, 16Gi or 500G", node);
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
    reader.say("N-BARE-NUMBER", fmt::format("memory {} is {} bytes", node.text(), count),
               "files from before YuniKorn 1.0 counted megabytes; write a suffix such as Mi", node);
  if (bare && resource == "vcore" && count >= largest_plausible_vcore)
    reader.say("N-BARE-NUMBER", fmt::format("vcore {} is {} whole cores", node.text(), count / 1000),
               "files from before YuniKorn 1.0 counted milli-cores; write a suffix m", node);
}

NamedAmounts read_amounts(ProtoReader& reader, Node node) {
  NamedAmounts amounts;
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
    reader.note(reader.field(row->loss, row->code, row->remedy), child);
    if (row->key == "priority.offset")
      queue.priority_offset = static_cast<std::int32_t>(reader.integer(child, INT32_MIN, INT32_MAX));
  }
}

const MessageTable<Queue>& queue_table() {
  static const MessageTable<Queue> table = {
      "queue",
      {{"name", nullptr},
       {"parent", [](ProtoReader& r, Queue& q, Node n) { q.parent_flag = r.flag(n); }},
       {"queues", [](ProtoReader&, Queue& q, Node n) { q.children = n; }},
       {"resources", [](ProtoReader& r, Queue& q, Node n) { read_message(r, resources_table(), q, n); }},
       {"properties", read_properties},
       {"maxapplications",
        [](ProtoReader& r, Queue& q, Node n) {
          q.max_applications = r.u32(n);
          q.applications_place = n.place();
        },
        "C-12", "queue.maxapplications: a limit of applications has no counterpart",
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
  void check_children(const Queue& one, NamedAmounts& sums, const NamedAmounts& limits);
  void check_own(const Queue& one);
  void check_quotas();
  void link_children();
  void draft_queue(const Queue& one, Draft& draft) const;
  void say(std::string_view rule, std::string message, std::string advice, const Queue& queue, base::Place place) {
    report(reader_.findings, rule, std::move(message), std::move(advice), queue.path, "resources", place);
  }

  ProtoReader& reader_;
  model::Model& model_;
  std::vector<Queue> queues_;
  bool only_ = true;  // of one queue at the top; two make YuniKorn put a root above both
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
  const bool root = above.empty() && lowered == "root" && only_;
  one.above = root ? "" : above.empty() ? "root" : above;
  one.path = root ? "root" : one.above + "." + lowered;  // YuniKorn compares names in lower case
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
    one.name = "root";
    queues_[0] = one;
    if (below.size() == 0)
      reader_.say("W-DYNAMIC-QUEUES", "the root has no queues in the file; it gets them at run time",
                  "list the queues that exist and need to move", node);
    if (!one.guaranteed.empty() || !one.maximum.empty())
      reader_.say("E-ROOT-QUOTA", "the root queue has resources",
                  "YuniKorn refuses this; the root has what there is", node.find("resources"));
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
  only_ = fields.queues.size() == 1;
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

void add_to(NamedAmounts& sums, const std::string& resource, std::int64_t count) {
  std::int64_t& sum = sums[resource];
  sum = base::checked_add(sum, count).value_or(INT64_MAX);
}

// What a queue's children may add up to: their guarantees to its own and to the maximum that reaches it.
void YunikornReader::check_children(const Queue& one, NamedAmounts& sums, const NamedAmounts& limits) {
  const base::Place place = one.guaranteed_place.known() ? one.guaranteed_place
                            : one.max_place.known()      ? one.max_place
                                                         : one.name_place;
  for (const auto& [resource, sum] : sums) {
    const auto say_sum = [&, &resource = resource, &sum = sum](std::string_view what, std::int64_t limit) {
      say("E-GUARANTEED-SUM",
          fmt::format("the children are guaranteed {} of {}, the {} here is {}", sum, resource, what, limit),
          "YuniKorn refuses this file; lower the children's guarantees", one, place);
    };
    const auto own = one.guaranteed.find(resource);
    const auto limit = limits.find(resource);
    if (own != one.guaranteed.end() && sum > own->second) say_sum("guarantee", own->second);
    if (limit != limits.end() && sum > limit->second) say_sum("maximum", limit->second);
  }
}

void YunikornReader::check_own(const Queue& one) {
  for (const auto& [resource, count] : one.guaranteed) {
    const auto limit = one.maximum.find(resource);
    if (limit != one.maximum.end() && count > limit->second)
      say("E-GUARANTEED-ABOVE-MAX",
          fmt::format("{} of {} are guaranteed, the maximum is {}", count, resource, limit->second),
          "YuniKorn refuses this file; lower the guarantee", one, one.guaranteed_place);
  }
  if (one.max_applications == 0) return;
  for (const std::size_t child : one.below) {
    const Queue& other = queues_[child];
    if (other.max_applications == 0 || other.max_applications > one.max_applications)
      say("W-MAXAPPLICATIONS",
          fmt::format("maxapplications is {}, the parent's is {}", other.max_applications, one.max_applications),
          "YuniKorn refuses this file; give every child a limit within its parent's", other,
          other.max_applications == 0 ? other.name_place : other.applications_place);
  }
}

// Parents stand before their children: maxima come down, guarantees go up. A guarantee of zero or none is the sum
// of the children's, as in yunikorn-core's configuration checks.
void YunikornReader::check_quotas() {
  std::vector<NamedAmounts> limits(queues_.size()), sums(queues_.size());
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    for (const auto& [resource, count] : queues_[i].maximum) {
      const auto above = limits[i].find(resource);
      if (above != limits[i].end() && count > above->second)
        say("W-MAX-ABOVE-PARENT",
            fmt::format("the maximum {} of {} is above {}, which a parent is limited to", count, resource,
                        above->second),
            "the parent's is enforced too, so this one has no effect", queues_[i], queues_[i].max_place);
      limits[i][resource] = above == limits[i].end() ? count : std::min(count, above->second);
    }
    for (const std::size_t child : queues_[i].below) limits[child] = limits[i];
  }
  for (std::size_t i = queues_.size(); i-- > 0;) {
    const Queue& one = queues_[i];
    for (const std::size_t child : one.below)
      for (const auto& [resource, count] : sums[child]) add_to(sums[i], resource, count);
    check_children(one, sums[i], limits[i]);
    check_own(one);
    const bool claims =
        std::any_of(one.guaranteed.begin(), one.guaranteed.end(), [](const auto& row) { return row.second > 0; });
    if (claims) sums[i] = one.guaranteed;
  }
}

void YunikornReader::link_children() {
  std::map<std::string, std::size_t> by_path;
  for (std::size_t i = 0; i < queues_.size(); ++i) by_path.emplace(queues_[i].path, i);
  for (std::size_t i = 0; i < queues_.size(); ++i)
    if (!queues_[i].above.empty()) queues_[by_path.at(queues_[i].above)].below.push_back(i);
}

void YunikornReader::draft_queue(const Queue& one, Draft& draft) const {
  DraftTenant drafted;
  model::Tenant& tenant = drafted.tenant;
  tenant.id = one.path;
  tenant.name = one.name;
  tenant.place = one.place.place();
  tenant.name_place = tenant.parent_place = one.name_place;
  tenant.type = one.parent_flag || one.children.size() > 0 ? model::TenantType::internal : model::TenantType::leaf;
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

void YunikornReader::finish(base::Findings& findings) {
  std::set<std::string> names = {"vcore", "memory"};
  for (const Queue& one : queues_)
    for (const NamedAmounts* amounts : {&one.guaranteed, &one.maximum})
      for (const auto& [resource, count] : *amounts) names.insert(resource);
  for (const std::string& name : names) model_.resources.push_back({name, unit_of(name)});
  link_children();
  check_quotas();
  Draft draft;
  draft.facts = std::move(reader_.facts);
  for (const Queue& one : queues_) draft_queue(one, draft);
  static_cast<void>(link(std::move(draft), model_, findings));
}

// The ConfigMap holds settings of the scheduler beside its queues.
void note_settings(ProtoReader& reader, Node data) {
  for (const Node child : doc::children(data))
    if (child.key() != "queues.yaml")
      reader.say("N-SETTING", "a setting of the scheduler, not of a queue, is not read",
                 "set what matters in Kueue's own configuration", child);
}

Node embedded_text(Node root) {
  const Node data = root.find("data");
  return data.exists() ? data.find("queues.yaml") : Node();
}

}  // namespace

bool is_yunikorn(Node root) {
  return root.find("partitions").exists() || embedded_text(root).exists();
}

base::Result<model::Model> read_yunikorn(base::SourceFiles& files, doc::Document document, const Options& options,
                                         base::Findings& findings) {
  Node root = document.root();
  model::Model model;
  model.system = "yunikorn";
  model.cells = {{"default", 100, true, "", {}}};
  model.pools_given = true;  // the format has none
  base::Result<doc::Document> inner = doc::Document();
  ProtoReader reader(findings, options, model);
  if (embedded_text(root).exists()) {
    note_settings(reader, root.find("data"));
    inner = doc::parse_embedded(files, embedded_text(root));
    if (!inner.ok()) return inner.status();
    root = inner.value().root();
  }
  YunikornReader yunikorn(reader, model);
  bool found = false;
  each(reader, root.find("partitions"), [&](Node item) {
    const Node name = item.find("name");
    std::string lowered(name.is_scalar() ? name.text() : "");
    std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    const bool is_default = lowered.empty() || lowered == "default" || lowered == "[mycluster]default";
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
