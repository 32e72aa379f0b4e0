// The rules over a whole set: one row each. A rule walks the memory and reports; it knows nothing of the others.
#pragma once
#include <string>
#include <vector>

#include "forest.h"
#include "rule_table.h"
#include "set_memory.h"

namespace cmb2kueue::check {

struct SetView {
  const SetMemory& set;
  const Forest& forest;
  const Options& options;
  base::Findings& findings;

  Subject queue(const QueueRecord& record) const {  // where its quotas begin
    return {findings, "ClusterQueue/" + set.names.text(record.name), record.groups_place};
  }
  Subject cohort(NameId name, base::Place place) const {
    return {findings, "Cohort/" + set.names.text(name), place};
  }
  // What may be there although the set does not have it is a note in a partial set.
  base::Severity unresolved(std::string_view rule) const {
    return options.partial ? base::Severity::note : severity_of_rule(rule);
  }
};

struct SetRule {
  std::string_view id;  // the rule it reports
  void (*run)(const SetView& view);
};
const std::vector<SetRule>& set_rules();

// References, rules_references.cpp.
void flavors_exist(const SetView& view);
void cohorts_exist(const SetView& view);
void cluster_queues_exist(const SetView& view);
void admission_checks_exist(const SetView& view);
void topologies_exist(const SetView& view);

// Namespaces, rules_namespaces.cpp.
void local_queues_are_selected(const SetView& view);
void selectors_select(const SetView& view);

// The cohort tree, rules_tree.cpp.
void cohorts_have_members(const SetView& view);
void cohorts_form_no_circle(const SetView& view);
void sums_can_be_counted(const SetView& view);
void borrowers_find_something(const SetView& view);

// Who shares what, rules_sharing.cpp.
void members_share(const SetView& view);
void topologies_are_not_mixed(const SetView& view);
void units_are_not_mixed(const SetView& view);

}  // namespace cmb2kueue::check
