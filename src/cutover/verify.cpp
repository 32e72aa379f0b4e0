// Live against promised.
#include <fmt/format.h>

#include <map>

#include "cmb2kueue/cutover/cutover.h"
#include "cmb2kueue/diff/change_set.h"
#include "cmb2kueue/quota/tree.h"

namespace cmb2kueue::cutover {

const std::vector<VerifyRule>& verify_rules() {
  static const std::vector<VerifyRule> table = {
      {"V-CYCLE", base::Severity::error, "Live Cohorts are their own ancestors; nothing below them is admitted."},
      {"V-DIFFERS", base::Severity::error, "A live object is not what was promised."},
      {"V-EDITED", base::Severity::warning,
       "A file of ours has another text than was written, though it means the same."},
      {"V-MISSING", base::Severity::error, "A promised object is not there."},
      {"V-NOT-CHECKED", base::Severity::note, "Something this kind of target cannot observe."},
      {"V-SUM", base::Severity::error, "Capacity of Kueue, CMB and held does not sum to the total."},
      {"V-TWICE", base::Severity::error, "An object stands in two files."},
      {"V-UNREADABLE", base::Severity::error, "A manifest cannot be read or parsed."},
  };
  return table;
}

namespace {

using Report = base::Findings;

void check_objects(const State& state, const std::vector<target::Live>& live, Report& findings) {
  std::map<kueue::ObjectKey, const target::Live*> by_key;
  for (const target::Live& one : live) by_key.emplace(kueue::key_of(one.object), &one);
  for (const kueue::Object& wanted : expected_objects(state)) {
    const kueue::ObjectKey key = kueue::key_of(wanted);
    const auto found = by_key.find(key);
    if (found == by_key.end()) {
      findings.add({"V-MISSING",
                    base::Severity::error,
                    "a promised object is not there",
                    "put it back, or roll back the tenants that use it",
                    to_string(key),
                    "",
                    {}});
      continue;
    }
    for (const diff::Change& change : diff::change_set({found->second->object}, {wanted}).changes)
      for (const diff::FieldChange& field : change.fields)
        if (!field.cosmetic)
          findings.add({"V-DIFFERS", base::Severity::error,
                        fmt::format("live is {}, promised was {}", field.before.empty() ? "absent" : field.before,
                                    field.after.empty() ? "absent" : field.after),
                        "put it back, or roll the tenant back", to_string(key), field.path, found->second->place});
  }
}

void check_texts(const Context& context, const State& state, Report& findings) {
  for (const auto& [bundle, version] : state.versions) {
    const base::Result<target::Image> live = context.target->capture(bundle);
    if (live.ok() && live->existed && live->version != version)
      findings.add({"V-EDITED",
                    base::Severity::warning,
                    "the file is not as it was written",
                    "somebody edits it by hand or by another tool; it is compared by value above",
                    bundle,
                    "",
                    {}});
  }
}

void check_sums(const State& state, Report& findings) {
  for (const auto& [at, allotment] : state.allotments) {
    const bool known = at.first < state.tree.nodes.size() && at.second < state.tree.columns.size();
    const std::int64_t total = known ? quota::count_of(state.tree.nodes[at.first].total, at.second) : -1;
    if (known && allotment.total == total && allotment.kueue >= 0 && allotment.held >= 0 && allotment.cmb() >= 0)
      continue;
    findings.add({"V-SUM",
                  base::Severity::error,
                  fmt::format("Kueue {}, CMB {} and held {} do not make the total {}", allotment.kueue,
                              allotment.cmb(), allotment.held, total),
                  "this is a defect in cmb2kueue or an edited state; restore .cmb2kueue from Git",
                  known ? state.tree.nodes[at.first].display : std::string("?"),
                  "",
                  {}});
  }
}

}  // namespace

base::Status verify(const Context& context, base::SourceFiles& files, base::Findings& findings) {
  const base::Result<State> state = load_state(context);
  if (!state.ok()) return state.status();
  const base::Result<std::vector<target::Live>> live = context.target->list(files, findings);
  if (!live.ok()) return live.status();
  check_objects(state.value(), live.value(), findings);
  check_texts(context, state.value(), findings);
  check_sums(state.value(), findings);
  std::vector<kueue::Object> objects;
  for (const target::Live& one : live.value()) objects.push_back(one.object);
  const quota::Tree tree = quota::Tree::from_objects(objects);
  for (const std::string& cohort : tree.cyclic())
    findings.add({"V-CYCLE",
                  base::Severity::error,
                  "the Cohort is on or below a circle of parents",
                  "correct parentName of one of them",
                  "Cohort/" + cohort,
                  "spec.parentName",
                  {}});
  for (const std::string& what : context.not_observed)
    findings.add(
        {"V-NOT-CHECKED", base::Severity::note, "not checked: " + what, "look at the cluster", "", "", {}});
  return {};
}

}  // namespace cmb2kueue::cutover
