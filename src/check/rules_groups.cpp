// Resource groups: what they cover, in which order, with which quotas and limits.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "rule_table.h"

namespace cmb2kueue::check {

namespace {

using base::Quantity;

bool counts_devices(const std::string& resource) {
  return resource == "pods" || resource.find("gpu") != std::string::npos ||
         resource.find("tpu") != std::string::npos;
}

bool measured_in_bytes(const std::string& resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

bool is_whole(const Quantity& quantity) {
  return quantity.nanos() % 1'000'000'000 == 0;
}

class GroupChecks {
 public:
  GroupChecks(const std::vector<kueue::ResourceGroup>& groups, bool has_parent, bool is_queue,
              const Subject& subject)
      : groups_(groups), has_parent_(has_parent), is_queue_(is_queue), subject_(subject) {}
  void run();

 private:
  void coverage(const kueue::ResourceGroup& group, const std::string& at);
  void flavor(const kueue::ResourceGroup& group, const kueue::FlavorQuotas& flavor, const std::string& at);
  void quota(const kueue::ResourceQuota& row, const std::string& at);
  void limits(const kueue::ResourceQuota& row, const std::string& at);
  void unit(const kueue::ResourceQuota& row, const std::string& at);
  void counts();

  const std::vector<kueue::ResourceGroup>& groups_;
  const bool has_parent_, is_queue_;
  const Subject& subject_;
  std::set<std::string> covered_, flavors_;
};

void GroupChecks::coverage(const kueue::ResourceGroup& group, const std::string& at) {
  for (const std::string& resource : group.covered) {
    if (!legal_label_key(resource))
      subject_.report("KQ-LABEL", base::quoted(resource) + " is not the name of a resource",
                      "an optional DNS prefix and a slash, then letters, digits, - _ .", at + ".coveredResources");
    if (!covered_.insert(resource).second)
      subject_.report("KQ-DUPLICATE-RESOURCE", fmt::format("{} is covered twice", base::quoted(resource)),
                      "cover it in one group only", at + ".coveredResources");
  }
}

void GroupChecks::flavor(const kueue::ResourceGroup& group, const kueue::FlavorQuotas& flavor,
                         const std::string& at) {
  if (!flavors_.insert(flavor.flavor).second)
    subject_.report("KQ-DUPLICATE-FLAVOR",
                    fmt::format("the flavor {} stands in two places", base::quoted(flavor.flavor)),
                    "a flavor belongs to one group", at + ".name");
  std::vector<std::string> listed, missing, extra;
  for (const kueue::ResourceQuota& row : flavor.resources) listed.push_back(row.resource);
  for (const std::string& resource : group.covered)
    if (std::find(listed.begin(), listed.end(), resource) == listed.end()) missing.push_back(resource);
  for (const std::string& resource : listed)
    if (std::find(group.covered.begin(), group.covered.end(), resource) == group.covered.end())
      extra.push_back(resource);
  if (!missing.empty() || !extra.empty())
    subject_.report(
        "KQ-MISSING-RESOURCES",
        fmt::format(
            "the flavor {} {}{}{}", base::quoted(flavor.flavor),
            missing.empty() ? "" : fmt::format("lacks {}", fmt::join(missing, ", ")),
            missing.empty() || extra.empty() ? "" : " and ",
            extra.empty() ? "" : fmt::format("lists {}, which the group does not cover", fmt::join(extra, ", "))),
        "list every covered resource, at 0 where there is none, or make a second group", at + ".resources");
  else if (listed != group.covered)
    subject_.report("KQ-ORDER",
                    fmt::format("the resources of {} are all there, but not in the order of coveredResources",
                                base::quoted(flavor.flavor)),
                    fmt::format("list them as {}", fmt::join(group.covered, ", ")), at + ".resources");
  for (std::size_t i = 0; i < flavor.resources.size(); ++i)
    quota(flavor.resources[i], fmt::format("{}.resources[{}]", at, i));
}

void GroupChecks::limits(const kueue::ResourceQuota& row, const std::string& at) {
  for (const auto& [limit, name] :
       {std::pair(&row.borrowing_limit, "borrowingLimit"), {&row.lending_limit, "lendingLimit"}}) {
    if (!*limit) continue;
    if ((*limit)->negative())
      subject_.report("KQ-NEGATIVE", fmt::format("{} is {}", name, (*limit)->to_string()), "0 is the least",
                      at + "." + name);
    if (!has_parent_)
      subject_.report("KQ-LIMIT-WITHOUT-COHORT",
                      fmt::format("{} is set, but {}", name,
                                  is_queue_ ? "the queue has no cohort" : "the Cohort has no parent"),
                      is_queue_ ? "set cohortName, or remove the limit, also where it is 0"
                                : "set parentName, or remove the limit, also where it is 0",
                      at + "." + name);
  }
  if (is_queue_ && row.lending_limit && *row.lending_limit > row.nominal)
    subject_.report("KQ-LENDING",
                    fmt::format("lendingLimit {} is above nominalQuota {}", row.lending_limit->to_string(),
                                row.nominal.to_string()),
                    "a queue lends at most what it has", at + ".lendingLimit");
}

void GroupChecks::unit(const kueue::ResourceQuota& row, const std::string& at) {
  const Quantity& nominal = row.nominal;
  const bool binary = nominal.format() == Quantity::Format::binary_si;
  const std::string field = at + ".nominalQuota";
  if (row.resource == "cpu" && binary)
    subject_.report("KQ-UNIT", fmt::format("cpu {} counts cores with a suffix of bytes", nominal.to_string()),
                    "write whole cores, or milli-cores with m", field);
  if (counts_devices(row.resource) && (binary || !is_whole(nominal)))
    subject_.report(
        "KQ-UNIT",
        fmt::format("{} counts devices, and {} is not a plain whole number", row.resource, nominal.to_string()),
        "write a whole number without a suffix; Kueue rounds fractions up", field);
  if (measured_in_bytes(row.resource) && !is_whole(nominal))
    subject_.report("KQ-UNIT", fmt::format("{} {} is a fraction of a byte", row.resource, nominal.to_string()),
                    "write bytes with Ki, Mi or Gi", field);
  if (row.resource == "memory" && !nominal.is_zero() && nominal < Quantity::of(1, base::Unit::mebi))
    subject_.report("KQ-UNIT", fmt::format("memory {} is less than 1Mi", nominal.to_string()),
                    "a bare number counts bytes; write a suffix", field);
}

void GroupChecks::quota(const kueue::ResourceQuota& row, const std::string& at) {
  if (row.nominal.negative())
    subject_.report("KQ-NEGATIVE", fmt::format("nominalQuota is {}", row.nominal.to_string()), "0 is the least",
                    at + ".nominalQuota");
  limits(row, at);
  unit(row, at);
}

void GroupChecks::counts() {
  std::size_t flavors = 0, resources = 0;
  for (const kueue::ResourceGroup& group : groups_) {
    flavors += group.flavors.size();
    resources += group.covered.size();
    std::size_t pairs = 0;
    for (const kueue::FlavorQuotas& flavor : group.flavors) pairs += flavor.resources.size();
    if (is_queue_ && pairs > 512)
      subject_.report("KQ-COUNT",
                      fmt::format("a group has {} pairs of flavor and resource; 512 are allowed", pairs),
                      "split the queue", "spec.resourceGroups");
  }
  if (is_queue_ && (flavors > 256 || resources > 256))
    subject_.report("KQ-COUNT",
                    fmt::format("{} flavors and {} resources; 256 of each are allowed", flavors, resources),
                    "split the queue", "spec.resourceGroups");
  else if (is_queue_ && flavors > 64)
    subject_.report("KQ-FLAVORS-MANY", fmt::format("{} flavors, and the status of a queue holds 64", flavors),
                    "every status write would fail; split the queue", "spec.resourceGroups");
}

void GroupChecks::run() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::string at = fmt::format("spec.resourceGroups[{}]", g);
    coverage(groups_[g], at);
    for (std::size_t f = 0; f < groups_[g].flavors.size(); ++f)
      flavor(groups_[g], groups_[g].flavors[f], fmt::format("{}.flavors[{}]", at, f));
  }
  counts();
}

}  // namespace

void check_groups(const std::vector<kueue::ResourceGroup>& groups, bool has_parent, bool is_queue,
                  const Subject& subject) {
  GroupChecks(groups, has_parent, is_queue, subject).run();
}

}  // namespace cmb2kueue::check
