// Resource groups: what they cover, in which order, with which quotas and limits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory_resource>
#include <set>

#include "cmb2kueue/base/text.h"
#include "rule_table.h"

namespace cmb2kueue::check {

namespace {

// Limits of the schema and of the webhook (Kueue v0.17.0 and v0.19.2).
constexpr std::size_t most_groups = 16, most_per_group = 64, most_pairs = 512, most_per_queue = 256;
constexpr std::size_t status_of_queue = 64, old_status_of_local_queue = 16;

// A resource that stands twice in a list; "" when none does.
std::string twice(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto found = std::adjacent_find(names.begin(), names.end());
  return found == names.end() ? "" : *found;
}

// Entries of the first list that are not in the second, in order.
std::vector<std::string> without(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  const std::set<std::string_view> there(second.begin(), second.end());
  std::vector<std::string> left;
  for (const std::string& name : first)
    if (!there.contains(name)) left.push_back(name);
  return left;
}

class GroupChecks {
 public:
  GroupChecks(const std::vector<kueue::ResourceGroup>& groups, bool has_parent, bool is_queue,
              const Subject& subject)
      : groups_(groups), has_parent_(has_parent), is_queue_(is_queue), subject_(subject) {}
  void run();

 private:
  void coverage(const kueue::ResourceGroup& group, const GroupPath& at);
  void flavor(const kueue::ResourceGroup& group, const kueue::FlavorQuotas& flavor, const GroupPath& at);
  void listed(const kueue::ResourceGroup& group, const kueue::FlavorQuotas& flavor, const GroupPath& at);
  void quota(const kueue::ResourceQuota& row, const GroupPath& at);
  void limits(const kueue::ResourceQuota& row, const GroupPath& at);
  void size(const kueue::ResourceQuota& row, const GroupPath& at);
  void count(std::size_t have, std::size_t most, const char* what, const std::string& at);
  void count_group(std::size_t g);
  void counts();

  const std::vector<kueue::ResourceGroup>& groups_;
  const bool has_parent_, is_queue_;
  const Subject& subject_;
  // The names met so far, in room of their own: the usual queue costs no allocation.
  std::array<std::byte, 2048> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::set<std::string_view> covered_{&memory_}, flavors_{&memory_};
};

void GroupChecks::coverage(const kueue::ResourceGroup& group, const GroupPath& at) {
  for (const std::string& resource : group.covered) {
    if (!legal_label_key(resource))
      subject_.report("KQ-LABEL", base::quoted(resource) + " is not the name of a resource",
                      "an optional DNS prefix and a slash, then letters, digits, - _ .",
                      at.of("coveredResources").text());
    if (!covered_.insert(resource).second)
      subject_.report("KQ-DUPLICATE-RESOURCE", fmt::format("{} is covered twice", base::quoted(resource)),
                      "cover it in one group only", at.of("coveredResources").text());
  }
}

// The webhook compares by position and says something for every shifted row; here it is one finding.
void GroupChecks::listed(const kueue::ResourceGroup& group, const kueue::FlavorQuotas& flavor,
                         const GroupPath& at) {
  const auto same = [](const std::string& covered, const kueue::ResourceQuota& row) {
    return covered == row.resource;
  };
  if (std::equal(group.covered.begin(), group.covered.end(), flavor.resources.begin(), flavor.resources.end(),
                 same))
    return;
  std::vector<std::string> names;
  for (const kueue::ResourceQuota& row : flavor.resources) names.push_back(row.resource);
  const std::string who = base::quoted(flavor.flavor);
  const std::string repeated = twice(names);
  const std::vector<std::string> missing = without(group.covered, names), extra = without(names, group.covered);
  if (!repeated.empty())
    subject_.report("KQ-DUPLICATE-RESOURCE",
                    fmt::format("the flavor {} lists {} twice", who, base::quoted(repeated)), "keep one entry",
                    at.text());
  else if (missing.empty() && extra.empty())
    subject_.report("KQ-ORDER",
                    fmt::format("the resources of {} are all there, but not in the order of coveredResources", who),
                    fmt::format("list them as {}", fmt::join(group.covered, ", ")), at.text());
  if (missing.empty() && extra.empty()) return;
  const std::string lacks = missing.empty() ? "" : fmt::format("lacks {}", fmt::join(missing, ", "));
  const std::string lists =
      extra.empty() ? "" : fmt::format("lists {}, which the group does not cover", fmt::join(extra, ", "));
  subject_.report(
      "KQ-MISSING-RESOURCES",
      fmt::format("the flavor {} {}{}{}", who, lacks, lacks.empty() || lists.empty() ? "" : " and ", lists),
      "list every covered resource, at 0 where there is none, or make a second group", at.text());
}

void GroupChecks::flavor(const kueue::ResourceGroup& group, const kueue::FlavorQuotas& flavor,
                         const GroupPath& at) {
  if (!flavors_.insert(flavor.flavor).second)
    subject_.report("KQ-DUPLICATE-FLAVOR",
                    fmt::format("the flavor {} stands in two places", base::quoted(flavor.flavor)),
                    "a flavor stands once, in one group", at.of("name").text());
  listed(group, flavor, at.of("resources"));
  for (std::size_t i = 0; i < flavor.resources.size(); ++i) quota(flavor.resources[i], {at.group, at.flavor, i});
}

void GroupChecks::limits(const kueue::ResourceQuota& row, const GroupPath& at) {
  for (const auto& [limit, name] :
       {std::pair(&row.borrowing_limit, "borrowingLimit"), {&row.lending_limit, "lendingLimit"}}) {
    if (!*limit) continue;
    if ((*limit)->negative())
      subject_.report("KQ-NEGATIVE", fmt::format("{} is {}", name, (*limit)->to_string()), "0 is the least",
                      at.of(name).text());
    if (!has_parent_)
      subject_.report("KQ-LIMIT-WITHOUT-COHORT",
                      fmt::format("{} is set, but {}", name,
                                  is_queue_ ? "the queue has no cohort" : "the Cohort has no parent"),
                      is_queue_ ? "set cohortName, or remove the limit, also where it is 0"
                                : "set parentName, or remove the limit, also where it is 0",
                      at.of(name).text());
  }
  if (is_queue_ && row.lending_limit && *row.lending_limit > row.nominal)
    subject_.report("KQ-LENDING",
                    fmt::format("lendingLimit {} is above nominalQuota {}", row.lending_limit->to_string(),
                                row.nominal.to_string()),
                    "a queue lends at most what it has", at.of("lendingLimit").text());
}

// Kueue counts in 64 bits: milli for cpu, ones for the rest. What does not fit counts as 0, or as some other
// number, before 0.18.
void GroupChecks::size(const kueue::ResourceQuota& row, const GroupPath& at) {
  const std::optional<std::int64_t> nominal = row.nominal.kueue_units(row.resource);
  const std::optional<std::int64_t> borrowing =
      row.borrowing_limit ? row.borrowing_limit->kueue_units(row.resource) : 0;
  if (!nominal || !borrowing || !base::checked_add(*nominal, *borrowing))
    subject_.report("KQ-OVERFLOW",
                    fmt::format("{} {} is more than Kueue can count", row.resource,
                                nominal && row.borrowing_limit
                                    ? fmt::format("{} with borrowingLimit {}", row.nominal.to_string(),
                                                  row.borrowing_limit->to_string())
                                    : row.nominal.to_string()),
                    "write the quota you mean; very large numbers wrap in older versions",
                    at.of("nominalQuota").text());
}

void GroupChecks::quota(const kueue::ResourceQuota& row, const GroupPath& at) {
  if (row.nominal.negative())
    subject_.report("KQ-NEGATIVE", fmt::format("nominalQuota is {}", row.nominal.to_string()), "0 is the least",
                    at.of("nominalQuota").text());
  limits(row, at);
  size(row, at);
  check_units(row, at, subject_);
}

void GroupChecks::count(std::size_t have, std::size_t most, const char* what, const std::string& at) {
  if (have > most)
    subject_.report("KQ-COUNT", fmt::format("{} {}; {} are allowed", have, what, most), "split it", at);
}

void GroupChecks::count_group(std::size_t g) {
  const kueue::ResourceGroup& group = groups_[g];
  std::size_t pairs = 0;
  for (const kueue::FlavorQuotas& flavor : group.flavors) pairs += flavor.resources.size();
  if (group.covered.size() <= most_per_group && group.flavors.size() <= most_per_group && pairs <= most_pairs)
    return;
  const GroupPath here{g};
  count(group.covered.size(), most_per_group, "resources in a group", here.of("coveredResources").text());
  count(group.flavors.size(), most_per_group, "flavors in a group", here.of("flavors").text());
  if (is_queue_) count(pairs, most_pairs, "pairs of flavor and resource in a group", here.text());
}

void GroupChecks::counts() {
  const std::string at = "spec.resourceGroups";
  std::size_t flavors = 0, resources = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    count_group(g);
    flavors += groups_[g].flavors.size();
    resources += groups_[g].covered.size();
  }
  count(groups_.size(), most_groups, "resource groups", at);
  if (!is_queue_) return;
  count(flavors, most_per_queue, "flavors in all groups", at);
  count(resources, most_per_queue, "resources in all groups", at);
  if (flavors > most_per_queue) return;
  if (flavors > status_of_queue)
    subject_.report("KQ-FLAVORS-MANY", fmt::format("{} flavors, and the status of a queue holds 64", flavors),
                    "every status write would fail; split the queue", at);
  else if (flavors > old_status_of_local_queue)
    subject_.report_as(
        base::Severity::note, "KQ-FLAVORS-MANY",
        fmt::format("{} flavors, and the status of a LocalQueue holds 16 before Kueue 0.17.5 and 0.18.1", flavors),
        "run a later version", at);
}

void GroupChecks::run() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    coverage(groups_[g], {g});
    for (std::size_t f = 0; f < groups_[g].flavors.size(); ++f) flavor(groups_[g], groups_[g].flavors[f], {g, f});
  }
  counts();
}

}  // namespace

void check_groups(const std::vector<kueue::ResourceGroup>& groups, bool has_parent, bool is_queue,
                  const Subject& subject) {
  GroupChecks(groups, has_parent, is_queue, subject).run();
}

}  // namespace cmb2kueue::check
