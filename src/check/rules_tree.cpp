// The cohort tree as a whole: who is below whom, and what its numbers come to.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/quota/tree.h"
#include "set_rules.h"

namespace cmb2kueue::check {

namespace {

std::string circle_text(const SetMemory& set, const std::vector<NameId>& circle) {
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < circle.size() && i < most_shown; ++i) names.push_back(set.names.text(circle[i]));
  if (circle.size() > most_shown) names.push_back("...");
  names.push_back(set.names.text(circle[0]));
  return fmt::format("{}", fmt::join(names, " -> "));
}

// As much of a sum as Kueue could hold.
std::int64_t clamped(base::int128 sum) {
  return sum > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(sum);
}

// The ceilings of cohorts for a few pairs at a time, so that memory stays small however many pairs there are. What
// its queues lend is added to a cohort's own quota: for the cohort itself and all above it that is the same.
class Ceilings {
 public:
  Ceilings(const SetMemory& set, const Forest& forest, const std::vector<PairId>& pairs);
  bool zero(std::int32_t node, PairId pair) const {
    return tree_.ceiling(node, static_cast<std::uint32_t>(std::lower_bound(pairs_.begin(), pairs_.end(), pair) -
                                                          pairs_.begin())) == 0;
  }
  bool has(PairId pair) const { return std::binary_search(pairs_.begin(), pairs_.end(), pair); }

 private:
  std::vector<PairId> pairs_;  // sorted; the index is the column
  quota::Tree tree_;
};

Ceilings::Ceilings(const SetMemory& set, const Forest& forest, const std::vector<PairId>& pairs) : pairs_(pairs) {
  for (const PairId pair : pairs_)
    tree_.column({set.names.text(set.pairs[pair].first), set.names.text(set.pairs[pair].second)});
  for (const Forest::Node& node : forest.nodes) {
    quota::Tree::Node added;
    added.name = set.names.text(node.name);
    added.parent = node.parent;
    for (const Holding& held : set.cohorts.at(node.name).holdings) {
      if (!has(held.pair)) continue;
      quota::Cell cell;
      cell.nominal = clamped(held.lendable + held.nominal);
      if (held.borrowing >= 0) cell.borrowing = held.borrowing;
      if (held.lending >= 0) cell.lending = held.lending;
      const auto column = std::lower_bound(pairs_.begin(), pairs_.end(), held.pair) - pairs_.begin();
      added.cells.emplace_back(static_cast<std::uint32_t>(column), cell);
    }
    tree_.add(std::move(added));
  }
  tree_.compute();
}

// Pairs somebody wants to borrow, in portions.
std::vector<std::vector<PairId>> portions(const SetMemory& set, std::size_t nodes) {
  constexpr std::size_t most_cells = 1'000'000;
  const std::size_t at_once = std::max<std::size_t>(1, most_cells / std::max<std::size_t>(1, nodes));
  std::set<PairId> wanted;
  for (const Borrower& borrower : set.borrowers) wanted.insert(borrower.pair);
  std::vector<std::vector<PairId>> all;
  for (const PairId pair : wanted) {
    if (all.empty() || all.back().size() == at_once) all.emplace_back();
    all.back().push_back(pair);
  }
  return all;
}

}  // namespace

void cohorts_have_members(const SetView& view) {
  for (const auto& [name, record] : view.set.cohorts)
    if (record.object && record.queues == 0 && record.children == 0)
      view.cohort(name, record.place).report("KQ-COHORT-UNUSED", "nobody is below the Cohort", "", "metadata.name");
}

void cohorts_form_no_circle(const SetView& view) {
  for (const Forest::Astray& one : view.forest.astray) {
    const std::string circle = circle_text(view.set, view.forest.circles[one.circle]);
    const CohortRecord& record = view.set.cohorts.at(one.name);
    view.cohort(one.name, record.parent_place)
        .report("KQ-CYCLE",
                one.below ? fmt::format("the Cohort is below a circle of parents: {}", circle)
                          : fmt::format("the Cohort is its own ancestor: {}", circle),
                "correct parentName of one of them; Kueue admits nothing below, and shows the queues as active",
                "spec.parentName");
  }
}

void sums_can_be_counted(const SetView& view) {
  std::map<std::pair<std::int32_t, PairId>, base::int128> sums;
  for (const Forest::Node& node : view.forest.nodes)
    for (const Holding& held : view.set.cohorts.at(node.name).holdings)
      sums[{node.root, held.pair}] += held.queues + held.nominal;
  for (const auto& [key, sum] : sums) {
    if (sum < INT64_MAX) continue;
    const NameId root = view.forest.nodes[static_cast<std::size_t>(key.first)].name;
    view.cohort(root, view.set.cohorts.at(root).place)
        .report(
            "KQ-OVERFLOW",
            fmt::format("the quotas of {} below it sum past what Kueue can count", view.set.pair_text(key.second)),
            "write the quotas you mean; very large numbers wrap in older versions", "spec.resourceGroups");
  }
}

void borrowers_find_something(const SetView& view) {
  const SetMemory& set = view.set;
  std::vector<std::uint32_t> nothing(set.queues.size(), 0);
  for (const std::vector<PairId>& pairs : portions(set, view.forest.nodes.size())) {
    const Ceilings ceilings(set, view.forest, pairs);
    for (const Borrower& borrower : set.borrowers) {
      const std::int32_t node = view.forest.node(set.queues[borrower.queue].cohort);
      if (node >= 0 && ceilings.has(borrower.pair) && ceilings.zero(node, borrower.pair)) ++nothing[borrower.queue];
    }
  }
  for (std::size_t i = 0; i < nothing.size(); ++i)
    if (nothing[i] > 0)
      view.queue(set.queues[i])
          .report_as(view.unresolved("KQ-CEILING-ZERO"), "KQ-CEILING-ZERO",
                     fmt::format("there is nothing to borrow: the ceiling is 0 for {}",
                                 base::counted(nothing[i], "resource")),
                     "give the queue or its cohort a nominal quota", "spec.resourceGroups");
}

}  // namespace cmb2kueue::check
