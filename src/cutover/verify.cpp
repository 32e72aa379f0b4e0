// Live against promised.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/cutover/cutover.h"
#include "cmb2kueue/diff/change_set.h"
#include "cmb2kueue/quota/tree.h"
#include "verify.h"

namespace cmb2kueue::cutover {

const std::vector<VerifyRule>& verify_rules() {
  static const std::vector<VerifyRule> table = {
      {"V-CYCLE", base::Severity::error, "Live Cohorts are their own ancestors; nothing below them is admitted."},
      {"V-DIFFERS", base::Severity::error, "A live object is not what was promised."},
      {"V-EDITED", base::Severity::warning,
       "A file of ours has another text than was written, though it means the same."},
      {"V-MISSING", base::Severity::error, "A promised object is not there."},
      {"V-NOT-CHECKED", base::Severity::note, "Something this kind of target cannot observe."},
      {"V-PREFLIGHT", base::Severity::error, "A cutover of the tenant would be refused before its first write."},
      {"V-STRAY", base::Severity::warning,
       "An object with our label lies in a folder of ours and belongs to nobody who is enrolled."},
      {"V-SUM", base::Severity::error, "Capacity of Kueue, CMB and held does not sum to the total."},
      {"V-TWICE", base::Severity::error, "An object stands in two files."},
      {"V-UNREADABLE", base::Severity::error, "A manifest cannot be read or parsed."},
  };
  return table;
}

namespace {

using Report = base::Findings;

void check_objects(const std::vector<kueue::Object>& promised, const std::vector<target::Live>& live,
                   Report& findings) {
  std::map<kueue::ObjectKey, const target::Live*> by_key;
  for (const target::Live& one : live) by_key.emplace(kueue::key_of(one.object), &one);
  for (const kueue::Object& wanted : promised) {
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
  std::map<std::string, std::vector<kueue::ObjectKey>> keys = keys_by_bundle(state);
  for (const auto& [bundle, version] : state.versions) {
    const base::Result<target::Image> live = context.target->capture({bundle, keys[bundle]});
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

void check_strays(const std::vector<kueue::Object>& promised, const std::vector<target::Live>& live,
                  Report& findings) {
  std::set<kueue::ObjectKey> known;
  for (const kueue::Object& wanted : promised) known.insert(kueue::key_of(wanted));
  for (const target::Live& one : live) {
    const kueue::Pairs& labels = kueue::meta_of(one.object).labels;
    const bool labelled =
        std::find(labels.begin(), labels.end(),
                  std::pair<std::string, std::string>(kueue::label_managed_by, kueue::managed_by)) != labels.end();
    if (one.bundle.empty() || !labelled || known.contains(kueue::key_of(one.object))) continue;
    findings.add({"V-STRAY", base::Severity::warning, "the object belongs to nobody who is enrolled",
                  "remove it, or find out with history whose it was", to_string(kueue::key_of(one.object)), "",
                  one.place});
  }
}

void check_cycles(const std::vector<target::Live>& live, Report& findings) {
  std::vector<kueue::Object> objects;
  for (const target::Live& one : live) objects.push_back(one.object);
  const quota::Tree tree = quota::Tree::from_objects(objects);
  for (const std::string& cohort : tree.cyclic())
    findings.add({"V-CYCLE",
                  base::Severity::error,
                  "the Cohort is on or below a circle of parents",
                  "correct parentName of one of them",
                  "Cohort/" + cohort,
                  "spec.parentName",
                  {}});
}

// What is promised to one tenant: its own objects and those it shares.
std::vector<kueue::Object> promised_to(const State& state, const Enrolled& tenant) {
  std::vector<kueue::Object> promised = tenant_objects(state, tenant);
  for (const auto& [key, shared] : state.shared)
    if (std::binary_search(shared.users.begin(), shared.users.end(), tenant.hash))
      promised.push_back(shared_object(state, shared));
  return promised;
}

}  // namespace

std::vector<std::string> wrong_sums(const State& state) {
  std::vector<std::string> lines;
  for (const auto& [at, allotment] : state.allotments) {
    const bool known = at.first < state.tree.nodes.size() && at.second < state.tree.columns.size();
    const std::int64_t total = known ? quota::count_of(state.tree.nodes[at.first].total, at.second) : -1;
    if (known && allotment.total == total && allotment.kueue >= 0 && allotment.held >= 0 && allotment.cmb() >= 0)
      continue;
    lines.push_back(fmt::format("{}: Kueue {}, CMB {} and held {} do not make the total {}",
                                known ? state.tree.nodes[at.first].display : "?", allotment.kueue, allotment.cmb(),
                                allotment.held, total));
  }
  return lines;
}

base::Status verify_tenant(const Context& context, const State& state, const std::string& tenant_hash) {
  if (context.dry_run) return {};
  base::SourceFiles files;
  base::Findings seen, wrong;
  const base::Result<std::vector<target::Live>> live = context.target->list(files, seen);
  if (!live.ok()) return live.status();
  const std::vector<kueue::Object> promised = promised_to(state, state.enrolled.at(tenant_hash));
  check_objects(promised, live.value(), wrong);
  std::set<std::string> cohorts;
  for (const kueue::Object& object : promised) cohorts.insert("Cohort/" + kueue::meta_of(object).name);
  base::Findings cycles;
  check_cycles(live.value(), cycles);
  std::vector<std::string> lines = wrong_sums(state);
  for (const base::FoldedFinding& finding : wrong.sorted())
    for (const base::FoldedFinding::Instance& one : finding.instances)
      lines.push_back(fmt::format("{} {}: {}", one.subject, one.field, finding.message));
  for (const base::FoldedFinding& finding : cycles.sorted())
    for (const base::FoldedFinding::Instance& one : finding.instances)
      if (cohorts.contains(one.subject)) lines.push_back(one.subject + ": " + finding.message);
  if (lines.empty()) return {};
  std::string listed;
  for (std::size_t i = 0; i < lines.size() && i < 5; ++i) listed += "\n    " + lines[i];
  return base::Status(
      base::ErrorKind::mismatch,
      fmt::format("live is not what was promised ({}):{}", base::counted(lines.size(), "difference"), listed),
      "cmb2kueue verify lists all of them");
}

base::Status verify(const Context& context, base::SourceFiles& files, base::Findings& findings) {
  const base::Result<State> state = load_state(context);
  if (!state.ok()) return state.status();
  const base::Result<std::vector<target::Live>> live = context.target->list(files, findings);
  if (!live.ok()) return live.status();
  const std::vector<kueue::Object> promised = expected_objects(state.value());
  check_objects(promised, live.value(), findings);
  check_texts(context, state.value(), findings);
  check_strays(promised, live.value(), findings);
  check_cycles(live.value(), findings);
  for (const std::string& line : wrong_sums(state.value()))
    findings.add({"V-SUM",
                  base::Severity::error,
                  line,
                  "this is a defect in cmb2kueue or an edited state; restore .cmb2kueue from Git",
                  "",
                  "",
                  {}});
  for (const std::string& what : context.not_observed)
    findings.add(
        {"V-NOT-CHECKED", base::Severity::note, "not checked: " + what, "look at the cluster", "", "", {}});
  return {};
}

}  // namespace cmb2kueue::cutover
