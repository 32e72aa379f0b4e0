// Who can use whose capacity: queues share what they list themselves, never what only others list.
#include <fmt/format.h>

#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "set_rules.h"

namespace cmb2kueue::check {

namespace {

// How one pair stands in one tree.
struct Standing {
  std::uint32_t listed = 0;
  bool of_cohorts = false;  // some Cohort has a quota of its own
  bool shared() const { return listed > 1 || (listed > 0 && of_cohorts); }
};

struct TreeStanding {
  std::uint32_t queues = 0;
  bool anything_shared = false;
  std::unordered_map<PairId, Standing> pairs;
};

std::unordered_map<std::int32_t, TreeStanding> standings(const SetView& view) {
  std::unordered_map<std::int32_t, TreeStanding> trees;
  for (const Forest::Node& node : view.forest.nodes) {
    TreeStanding& tree = trees[node.root];
    const CohortRecord& record = view.set.cohorts.at(node.name);
    tree.queues += record.queues;
    for (const Holding& held : record.holdings) {
      Standing& pair = tree.pairs[held.pair];
      pair.listed += held.listed;
      pair.of_cohorts |= held.nominal > 0;
      tree.anything_shared |= pair.shared();
    }
  }
  return trees;
}

bool shares(const TreeStanding& tree, const Shape& shape) {
  for (const PairId pair : shape.pairs)
    if (tree.pairs.at(pair).shared()) return true;
  return false;
}

constexpr const char* zero_rows = "list the others' flavors at 0 where their capacity may be borrowed";

}  // namespace

void members_share(const SetView& view) {
  const std::unordered_map<std::int32_t, TreeStanding> trees = standings(view);
  for (const auto& [root, tree] : trees) {
    if (tree.queues < 2 || tree.anything_shared) continue;
    const NameId name = view.forest.nodes[static_cast<std::size_t>(root)].name;
    view.cohort(name, view.set.cohorts.at(name).place)
        .report_as(view.unresolved("KQ-NOT-SHARED"), "KQ-NOT-SHARED",
                   "no two queues below it list the same flavor and resource, so nothing is ever lent", zero_rows,
                   "");
  }
  for (const QueueRecord& queue : view.set.queues) {
    const std::int32_t node = view.forest.node(queue.cohort);
    const Shape& shape = view.set.shapes[queue.shape];
    if (node < 0 || shape.pairs.empty()) continue;
    const TreeStanding& tree = trees.at(view.forest.nodes[static_cast<std::size_t>(node)].root);
    if (tree.queues > 1 && tree.anything_shared && !shares(tree, shape))
      view.queue(queue).report_as(
          view.unresolved("KQ-NOT-SHARED"), "KQ-NOT-SHARED",
          "nobody else in its cohort lists a flavor and resource it lists, so it can neither "
          "borrow nor lend",
          zero_rows, "spec.resourceGroups");
  }
}

void topologies_are_not_mixed(const SetView& view) {
  const SetMemory& set = view.set;
  std::vector<std::string> mixed;  // by shape; "" when it is not
  for (const Shape& shape : set.shapes) {
    std::string& message = mixed.emplace_back();
    for (const std::vector<NameId>& group : shape.flavors_by_group) {
      NameId with = 0, without = 0;
      for (const NameId flavor : group) {
        const auto found = set.flavors.find(flavor);
        if (found != set.flavors.end()) (found->second.topology != 0 ? with : without) = flavor;
      }
      if (with != 0 && without != 0)
        message = fmt::format("{} has a topology and {} has none", base::quoted(set.names.text(with)),
                              base::quoted(set.names.text(without)));
    }
  }
  for (const QueueRecord& queue : set.queues)
    if (!mixed[queue.shape].empty())
      view.queue(queue).report("KQ-TOPOLOGY-MIXED", mixed[queue.shape],
                               "a job that asks for a topology can use only the one, any other job only the other",
                               "spec.resourceGroups");
}

void units_are_not_mixed(const SetView& view) {
  for (const auto& [pair, spelling] : view.set.spellings)
    if (spelling.decimal && spelling.binary)
      view.findings.add({"KQ-UNIT-MIXED",
                         severity_of_rule("KQ-UNIT-MIXED"),
                         fmt::format("quotas of {} are written in G and in Gi", view.set.pair_text(pair)),
                         "64G is 59.6Gi; use one of the two",
                         "",
                         "",
                         {}});
}

}  // namespace cmb2kueue::check
