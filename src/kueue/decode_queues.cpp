// ClusterQueue, Cohort and LocalQueue, and the quota groups in them.
#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"
#include "decode_parts.h"

namespace cmb2kueue::kueue {

namespace {

// Reports names that stand twice in a keyed list.
class Unique {
 public:
  explicit Unique(std::string_view what) : what_(what) {}
  void check(MapReader& item, const std::string& name) {
    if (!name.empty() && !seen_.insert(name).second)
      item.report("DUPLICATE", "the " + std::string(what_) + " " + base::quoted(name) + " stands twice",
                  "keep one entry", "name");
  }

 private:
  std::string_view what_;
  std::set<std::string> seen_;
};

ResourceQuota read_quota(MapReader& item) {
  ResourceQuota quota;
  quota.resource = item.text("name", true);
  quota.nominal = read_quantity(item, "nominalQuota", true).value_or(base::Quantity());
  quota.borrowing_limit = read_quantity(item, "borrowingLimit");
  quota.lending_limit = read_quantity(item, "lendingLimit");
  return quota;
}

FlavorQuotas read_flavor(MapReader& item) {
  FlavorQuotas flavor;
  flavor.flavor = item.reference("name", true);
  item.items("resources", 1, any_number, true,
             [&](MapReader& resource) { flavor.resources.push_back(read_quota(resource)); });
  return flavor;
}

// v1beta1 words that v1beta2 folded into one (apis/kueue/v1beta1/clusterqueue_conversion.go).
std::string fungibility_word(MapReader& map, std::string_view key, std::string_view fallback) {
  std::vector<std::string> allowed = {"MayStopSearch", "TryNextFlavor"};
  const std::string old_word = key == "whenCanBorrow" ? "Borrow" : "Preempt";
  if (map.context().format == old_version) allowed.push_back(old_word);
  const std::string word = map.word(key, fallback, allowed);
  if (word != old_word) return word;
  map.report("DEPRECATED", "the word " + base::quoted(word) + " of v1beta1 means MayStopSearch",
             "write MayStopSearch; admission does not change", key);
  return "MayStopSearch";
}

std::optional<Selector> read_selector(MapReader& spec) {
  const bool given = spec.take("namespaceSelector").exists();
  MapReader map = spec.map("namespaceSelector");
  if (!given) return std::nullopt;
  Selector selector;
  selector.match_labels = map.pairs("matchLabels");
  map.items("matchExpressions", 0, any_number, false, [&](MapReader& item) {
    SelectorTerm term;
    term.key = item.text("key", true);
    term.op = item.word("operator", "In", {"In", "NotIn", "Exists", "DoesNotExist"});
    term.values = item.texts("values", 0, any_number);
    selector.match_expressions.push_back(std::move(term));
  });
  map.finish();
  return selector;
}

void read_preemption(MapReader& spec, ClusterQueue& queue) {
  MapReader map = spec.map("preemption");
  queue.within_cluster_queue =
      map.word("withinClusterQueue", "Never", {"Never", "LowerPriority", "LowerOrNewerEqualPriority"});
  queue.reclaim_within_cohort = map.word("reclaimWithinCohort", "Never", {"Never", "LowerPriority", "Any"});
  MapReader borrow = map.map("borrowWithinCohort");
  queue.borrow_within_cohort = borrow.word("policy", "Never", {"Never", "LowerPriority"});
  queue.max_priority_threshold = borrow.integer("maxPriorityThreshold", INT32_MIN, INT32_MAX);
  borrow.finish();
  map.finish();
}

void read_fungibility(MapReader& spec, ClusterQueue& queue) {
  MapReader map = spec.map("flavorFungibility");
  queue.when_can_borrow = fungibility_word(map, "whenCanBorrow", "MayStopSearch");
  queue.when_can_preempt = fungibility_word(map, "whenCanPreempt", "TryNextFlavor");
  queue.flavor_preference = map.word("preference", "", {"BorrowingOverPreemption", "PreemptionOverBorrowing"});
  map.finish();
}

AdmissionCheckUse read_check(MapReader& item, std::size_t most_flavors) {
  AdmissionCheckUse check;
  check.name = item.text("name", true);
  if (check.name.size() > 316)
    item.report("NAME", "the name of an admission check has at most 316 characters", "shorten it", "name");
  check.on_flavors = item.texts("onFlavors", 0, most_flavors);
  std::sort(check.on_flavors.begin(), check.on_flavors.end());
  const auto twice = std::adjacent_find(check.on_flavors.begin(), check.on_flavors.end());
  if (twice != check.on_flavors.end())
    item.report("DUPLICATE", "the flavor " + base::quoted(*twice) + " stands twice", "keep one entry", "onFlavors");
  return check;
}

// A non-empty v1beta1 list of names overwrites the strategy's list on conversion.
void read_checks(MapReader& spec, ClusterQueue& queue) {
  const bool old = spec.context().format == old_version;  // has no limits on these lists
  Unique unique("admission check");
  const bool given = spec.take("admissionChecksStrategy").is_map();
  MapReader strategy = spec.map("admissionChecksStrategy");
  strategy.items("admissionChecks", old ? 0 : 1, old ? any_number : 64, given && !old, [&](MapReader& item) {
    queue.admission_checks.push_back(read_check(item, old ? any_number : 64));
    unique.check(item, queue.admission_checks.back().name);
  });
  strategy.finish();
  if (old) {
    const std::vector<std::string> names = spec.texts("admissionChecks", 0, any_number);
    if (!names.empty()) queue.admission_checks.clear();
    for (const std::string& name : names) queue.admission_checks.push_back({name, {}});
  }
  std::sort(queue.admission_checks.begin(), queue.admission_checks.end(),
            [](const AdmissionCheckUse& a, const AdmissionCheckUse& b) { return a.name < b.name; });
}

void read_scope(MapReader& spec, ClusterQueue& queue) {
  const bool given = spec.take("admissionScope").is_map();
  MapReader scope = spec.map("admissionScope");
  queue.admission_mode =
      scope.word("admissionMode", "", {"UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing"});
  if (given && !scope.has("admissionMode"))
    scope.report("REQUIRED", "the field admissionMode is missing", "add it", "admissionMode");
  scope.finish();
}

const std::vector<std::string>& stop_policies() {
  static const std::vector<std::string> words = {"None", "Hold", "HoldAndDrain"};
  return words;
}

}  // namespace

std::vector<ResourceGroup> read_groups(MapReader& spec) {
  std::vector<ResourceGroup> groups;
  spec.items("resourceGroups", 0, any_number, false, [&](MapReader& item) {
    ResourceGroup group;
    group.covered = item.texts("coveredResources", 1, any_number);
    item.items("flavors", 1, any_number, true,
               [&](MapReader& flavor) { group.flavors.push_back(read_flavor(flavor)); });
    groups.push_back(std::move(group));
  });
  return groups;
}

std::optional<base::Quantity> read_quantity(MapReader& map, std::string_view key, bool required) {
  const doc::Node node = map.take(key);
  if (!node.exists() || node.kind() != doc::NodeKind::decimal) return map.quantity(key, required);
  const base::Result<base::Quantity> value = base::Quantity::parse(node.text());
  constexpr base::int128 one = 1'000'000'000;
  const bool whole = value.ok() && value->nanos() % one == 0 && value->nanos() / one <= INT64_MAX &&
                     value->nanos() / one >= INT64_MIN;
  if (!whole) return map.quantity(key, required);
  return base::Quantity::from_nanos(value->nanos());
}

std::string read_renamed(MapReader& spec, std::string_view key, std::string_view name_here) {
  const doc::Node node = spec.take(key);
  if (!node.exists()) return "";
  spec.report("LOST-EDGE",
              spec.context().format + " spells it " + std::string(name_here) + "; " + std::string(key) +
                  " is the spelling of another version and would be lost",
              "write " + std::string(name_here) + ", or the edge of the tree is gone", key);
  return node.kind() == doc::NodeKind::text ? std::string(node.text()) : "";
}

std::optional<base::Quantity> read_weight(MapReader& spec) {
  const bool given = spec.take("fairSharing").exists();
  MapReader map = spec.map("fairSharing");
  std::optional<base::Quantity> weight = read_quantity(map, "weight");
  map.finish();
  if (given && !weight) weight = base::Quantity::of(1, base::Unit::one);  // the schema's default
  return weight;
}

Object read_cluster_queue(MapReader& document) {
  ClusterQueue queue;
  queue.meta = read_meta(document, false);
  MapReader spec = document.map("spec");
  const bool old = spec.context().format == old_version;
  queue.cohort = spec.reference(old ? "cohort" : "cohortName");
  const std::string misspelt = read_renamed(spec, old ? "cohortName" : "cohort", old ? "cohort" : "cohortName");
  if (queue.cohort.empty()) queue.cohort = misspelt;
  queue.groups = read_groups(spec);
  queue.queueing_strategy = spec.word("queueingStrategy", "BestEffortFIFO", {"StrictFIFO", "BestEffortFIFO"});
  queue.namespace_selector = read_selector(spec);
  read_fungibility(spec, queue);
  read_preemption(spec, queue);
  read_checks(spec, queue);
  queue.stop_policy = spec.word("stopPolicy", "None", stop_policies());
  queue.weight = read_weight(spec);
  read_scope(spec, queue);
  if (spec.take("concurrentAdmissionPolicy").exists())
    spec.report("NOT-CARRIED", "concurrentAdmissionPolicy is neither judged nor compared",
                "Kueue 0.18 and later honour it behind a gate that is off", "concurrentAdmissionPolicy");
  spec.finish();
  return queue;
}

Object read_cohort(MapReader& document) {
  Cohort cohort;
  cohort.meta = read_meta(document, false);
  MapReader spec = document.map("spec");
  cohort.parent = spec.reference("parentName");
  const std::string misspelt = read_renamed(spec, "parent", "parentName");
  if (cohort.parent.empty()) cohort.parent = misspelt;
  cohort.groups = read_groups(spec);
  cohort.weight = read_weight(spec);
  spec.finish();
  return cohort;
}

Object read_local_queue(MapReader& document) {
  LocalQueue queue;
  queue.meta = read_meta(document, true);
  MapReader spec = document.map("spec");
  queue.cluster_queue = spec.reference("clusterQueue");
  queue.stop_policy = spec.word("stopPolicy", "None", stop_policies());
  queue.weight = read_weight(spec);
  spec.finish();
  return queue;
}

}  // namespace cmb2kueue::kueue
