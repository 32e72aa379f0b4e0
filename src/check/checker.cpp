// Checker: one object at a time, and a compact memory of all of them for the rules over the whole set.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "rule_table.h"

namespace cmb2kueue::check {

namespace {

struct QueueMemo {
  std::string name, cohort, subject_namespace;
  std::vector<std::string> flavors;
  std::vector<std::string> namespaces;  // of a selector that is a list of names; empty: not known
  bool selects = false;
  base::Place place;
};

struct LocalMemo {
  std::string name, name_space, queue;
  base::Place place;
};

struct CohortMemo {
  std::string parent;
  base::Place place;
};

// The names a selector by kubernetes.io/metadata.name stands for; empty when it selects by anything else.
std::vector<std::string> named_namespaces(const std::optional<kueue::Selector>& selector) {
  constexpr const char* key = "kubernetes.io/metadata.name";
  if (!selector || selector->match_labels.size() + selector->match_expressions.size() != 1) return {};
  if (!selector->match_labels.empty() && selector->match_labels[0].first == key)
    return {selector->match_labels[0].second};
  if (selector->match_expressions.empty()) return {};
  const kueue::SelectorTerm& term = selector->match_expressions[0];
  return term.key == key && term.op == "In" ? term.values : std::vector<std::string>();
}

}  // namespace

struct Checker::State {
  Options options;
  std::map<kueue::ObjectKey, base::Place> seen;
  std::set<std::string> flavors;
  std::vector<QueueMemo> queues;
  std::vector<LocalMemo> locals;
  std::map<std::string, CohortMemo> cohorts;
  std::map<std::pair<std::string, std::string>, base::int128> sums;  // per flavor and resource, in Kueue's units
  std::map<std::string, std::map<std::pair<std::string, std::string>, int>>
      shared;  // cohort -> pair -> queues listing it
  std::map<std::string, int> members;
  std::vector<kueue::Object> with_limits;  // queues whose nominal is 0 and that have borrowing limits: few
  std::vector<kueue::Object> skeleton;     // Cohorts, for the algebra
};

Checker::Checker(Options options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
Checker::~Checker() = default;
Checker::Checker(Checker&&) noexcept = default;

namespace {

// Adds what an object holds to the sums of the set.
template <class ObjectWithGroups>
void sum_up(const ObjectWithGroups& object, std::map<std::pair<std::string, std::string>, base::int128>& sums) {
  kueue::for_each_quota(object, [&](const std::string& flavor, const kueue::ResourceQuota& row) {
    const base::int128 scale = row.resource == "cpu" ? 1'000'000 : 1'000'000'000;
    sums[{flavor, row.resource}] += row.nominal.nanos() / scale;
  });
}

bool ours(const kueue::Meta& meta) {
  return std::any_of(meta.labels.begin(), meta.labels.end(), [](const auto& label) {
    return label.first == kueue::label_managed_by && label.second == kueue::managed_by;
  });
}

void check_lending(const kueue::ClusterQueue& queue, const Subject& subject) {
  if (!ours(queue.meta) || queue.reclaim_within_cohort != "Never" || queue.cohort.empty()) return;
  kueue::for_each_quota(queue, [&](const std::string& flavor, const kueue::ResourceQuota& row) {
    if (row.resource != "pods" && !row.lending_limit && !row.nominal.is_zero())
      subject.report("KQ-LEND-RECLAIM",
                     fmt::format("{} of {} is lent and could not be taken back", row.resource, flavor),
                     "set reclaimWithinCohort: Any, or lendingLimit: 0", "spec.resourceGroups");
  });
}

void check_coverage(const kueue::ClusterQueue& queue, const Subject& subject) {
  std::set<std::string> covered;
  for (const kueue::ResourceGroup& group : queue.groups) covered.insert(group.covered.begin(), group.covered.end());
  if (covered.empty()) return;
  for (const char* resource : {"cpu", "memory"})
    if (!covered.contains(resource))
      subject.report("KQ-COVERAGE",
                     fmt::format("{} is not covered: a job that requests it waits for ever", resource),
                     "cover it, or exclude it in the controller's configuration", "spec.resourceGroups");
}

}  // namespace

void Checker::add(const kueue::Object& object, base::Place place, base::Findings& findings) {
  State& state = *state_;
  const kueue::ObjectKey key = kueue::key_of(object);
  const Subject subject{findings, to_string(key), place};
  const auto [slot, fresh] = state.seen.try_emplace(key, place);
  if (!fresh && !kueue::meta_of(object).name.empty())
    subject.report("KQ-DUPLICATE-OBJECT", "the object stands in the set twice", "keep one of them",
                   "metadata.name");
  check_meta(kueue::meta_of(object), subject, state.options);
  if (const auto* flavor = std::get_if<kueue::ResourceFlavor>(&object)) {
    state.flavors.insert(flavor->meta.name);
    check_flavor(*flavor, subject);
  } else if (const auto* cohort = std::get_if<kueue::Cohort>(&object)) {
    state.cohorts[cohort->meta.name] = {cohort->parent, place};
    check_groups(cohort->groups, !cohort->parent.empty(), false, subject);
    check_weight(cohort->weight, false, subject);
    sum_up(*cohort, state.sums);
    state.skeleton.push_back(object);
  } else if (const auto* queue = std::get_if<kueue::ClusterQueue>(&object)) {
    check_groups(queue->groups, !queue->cohort.empty(), true, subject);
    check_cluster_queue(*queue, subject);
    check_coverage(*queue, subject);
    check_lending(*queue, subject);
    sum_up(*queue, state.sums);
    remember(*queue, place);
  } else if (const auto* local = std::get_if<kueue::LocalQueue>(&object)) {
    check_local_queue(*local, subject);
    state.locals.push_back({local->meta.name, local->meta.name_space, local->cluster_queue, place});
  }
}

void Checker::remember(const kueue::ClusterQueue& queue, base::Place place) {
  State& state = *state_;
  QueueMemo memo{queue.meta.name,
                 queue.cohort,
                 "",
                 {},
                 named_namespaces(queue.namespace_selector),
                 queue.namespace_selector.has_value(),
                 place};
  bool zero_with_limits = false;
  for (const kueue::ResourceGroup& group : queue.groups)
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      memo.flavors.push_back(flavor.flavor);
      for (const kueue::ResourceQuota& row : flavor.resources) {
        if (!queue.cohort.empty()) ++state.shared[queue.cohort][{flavor.flavor, row.resource}];
        zero_with_limits |= row.nominal.is_zero() && row.borrowing_limit && !row.borrowing_limit->is_zero();
      }
    }
  if (!queue.cohort.empty()) ++state.members[queue.cohort];
  if (zero_with_limits && state.with_limits.size() < 1000) state.with_limits.push_back(queue);
  state.queues.push_back(std::move(memo));
}

namespace {

std::vector<std::string> names_of(const std::set<std::string>& names) {
  return {names.begin(), names.end()};
}

base::Severity unresolved(std::string_view rule, const Options& options) {
  return options.partial ? base::Severity::note : severity_of_rule(rule);
}

}  // namespace

void Checker::check_references(base::Findings& findings) const {
  const State& state = *state_;
  const std::vector<std::string> flavors = names_of(state.flavors);
  std::vector<std::string> cohorts, queues;
  std::map<std::string, const QueueMemo*> by_name;
  for (const auto& [name, memo] : state.cohorts) cohorts.push_back(name);
  for (const QueueMemo& queue : state.queues) {
    queues.push_back(queue.name);
    by_name.emplace(queue.name, &queue);
  }
  for (const QueueMemo& queue : state.queues) {
    const Subject subject{findings, "ClusterQueue/" + queue.name, queue.place};
    for (const std::string& flavor : queue.flavors)
      if (!state.flavors.contains(flavor))
        subject.report_as(unresolved("KQ-FLAVOR-MISSING", state.options), "KQ-FLAVOR-MISSING",
                          fmt::format("there is no ResourceFlavor {}{}", base::quoted(flavor),
                                      base::did_you_mean(flavor, flavors)),
                          "add it, or say --partial if it exists elsewhere", "spec.resourceGroups");
    if (!queue.cohort.empty() && !state.cohorts.contains(queue.cohort) && !cohorts.empty())
      subject.report_as(unresolved("KQ-COHORT-MISSING", state.options), "KQ-COHORT-MISSING",
                        fmt::format("there is no Cohort {}{}", base::quoted(queue.cohort),
                                    base::did_you_mean(queue.cohort, cohorts)),
                        "Kueue makes an empty root of that name", "spec.cohortName");
  }
  for (const auto& [name, memo] : state.cohorts)
    if (!memo.parent.empty() && !state.cohorts.contains(memo.parent))
      Subject{findings, "Cohort/" + name, memo.place}.report_as(
          unresolved("KQ-COHORT-MISSING", state.options), "KQ-COHORT-MISSING",
          fmt::format("there is no Cohort {}{}", base::quoted(memo.parent),
                      base::did_you_mean(memo.parent, cohorts)),
          "Kueue makes an empty root of that name", "spec.parentName");
  for (const LocalMemo& local : state.locals) {
    const Subject subject{findings, "LocalQueue/" + local.name_space + "/" + local.name, local.place};
    const auto found = by_name.find(local.queue);
    if (found == by_name.end())
      subject.report_as(unresolved("KQ-QUEUE-MISSING", state.options), "KQ-QUEUE-MISSING",
                        fmt::format("there is no ClusterQueue {}{}", base::quoted(local.queue),
                                    base::did_you_mean(local.queue, queues)),
                        "add it, or say --partial if it exists elsewhere", "spec.clusterQueue");
    else if (!found->second->namespaces.empty() && !local.name_space.empty() &&
             std::find(found->second->namespaces.begin(), found->second->namespaces.end(), local.name_space) ==
                 found->second->namespaces.end())
      subject.report("KQ-QUEUE-NAMESPACE",
                     fmt::format("the ClusterQueue selects {}, not this namespace",
                                 fmt::join(found->second->namespaces, ", ")),
                     "add the namespace to the selector, or move the LocalQueue", "metadata.namespace");
  }
}

void Checker::check_tree(base::Findings& findings) const {
  const State& state = *state_;
  std::set<std::string> parents;
  for (const auto& [name, memo] : state.cohorts) parents.insert(memo.parent);
  const quota::Tree cohorts = quota::Tree::from_objects(state.skeleton);
  for (const std::string& name : cohorts.cyclic())
    Subject{findings, "Cohort/" + name, state.cohorts.contains(name) ? state.cohorts.at(name).place : base::Place()}
        .report("KQ-CYCLE", "the Cohort is on or below a circle of parents", "correct parentName of one of them",
                "spec.parentName");
  for (const auto& [name, memo] : state.cohorts)
    if (!state.members.contains(name) && !parents.contains(name))
      Subject{findings, "Cohort/" + name, memo.place}.report("KQ-COHORT-UNUSED", "nobody is below the Cohort", "",
                                                             "metadata.name");
  for (const auto& [name, pairs] : state.shared) {
    const bool anything = std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.second > 1; });
    if (state.members.at(name) > 1 && !anything && !state.cohorts.contains(name))
      findings.add({"KQ-NOT-SHARED",
                    severity_of_rule("KQ-NOT-SHARED"),
                    "no two queues of the cohort list the same flavor and resource, so nothing is ever lent",
                    "list the others' flavors at 0 where their capacity may be borrowed",
                    "Cohort/" + name,
                    "",
                    {}});
  }
}

void Checker::check_sums(base::Findings& findings) const {
  const base::int128 most = INT64_MAX;
  for (const auto& [pair, sum] : state_->sums)
    if (sum >= most)
      findings.add({"KQ-OVERFLOW",
                    severity_of_rule("KQ-OVERFLOW"),
                    fmt::format("the quotas of {}/{} sum past what Kueue can count", pair.first, pair.second),
                    "write the quota you mean; very large numbers wrap to 0 in older versions",
                    "",
                    "",
                    {}});
  if (state_->with_limits.empty()) return;
  std::vector<kueue::Object> objects = state_->skeleton;
  objects.insert(objects.end(), state_->with_limits.begin(), state_->with_limits.end());
  if (state_->with_limits.size() != state_->queues.size()) return;  // others may lend; only then is it certain
  const quota::Tree tree = quota::Tree::from_objects(objects);
  for (const kueue::Object& object : state_->with_limits) {
    const kueue::ClusterQueue& queue = std::get<kueue::ClusterQueue>(object);
    const std::int32_t node = tree.find_queue(queue.meta.name);
    int nothing = 0;
    for (std::uint32_t c = 0; node >= 0 && c < tree.columns().size(); ++c)
      kueue::for_each_quota(queue, [&](const std::string& flavor, const kueue::ResourceQuota& row) {
        if (tree.columns()[c] == quota::FlavorResource{flavor, row.resource} && tree.ceiling(node, c) == 0)
          ++nothing;
      });
    if (nothing > 0)
      findings.add({"KQ-CEILING-ZERO", severity_of_rule("KQ-CEILING-ZERO"),
                    fmt::format("there is nothing to borrow: the ceiling is 0 for {}",
                                base::counted(static_cast<std::uint64_t>(nothing), "resource")),
                    "give the queue or its cohort a nominal quota", "ClusterQueue/" + queue.meta.name,
                    "spec.resourceGroups", state_->seen.at(kueue::key_of(object))});
  }
}

void Checker::finish(base::Findings& findings) {
  check_references(findings);
  check_tree(findings);
  check_sums(findings);
}

}  // namespace cmb2kueue::check
