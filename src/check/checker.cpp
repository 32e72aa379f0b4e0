// Checker: the rules over one object as it passes, a memory of it, and the rules over the set in the end.
#include "cmb2kueue/base/text.h"
#include "rule_table.h"
#include "set_rules.h"

namespace cmb2kueue::check {

struct Checker::State {
  Options options;
  SetMemory set;
};

Checker::Checker(Options options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
Checker::~Checker() = default;
Checker::Checker(Checker&&) noexcept = default;

namespace {

// The rules over one object, by kind. A kind without an overload has none.
struct ObjectRules {
  const Subject& subject;

  void operator()(const kueue::ResourceFlavor& flavor) const { check_flavor(flavor, subject); }
  void operator()(const kueue::LocalQueue& queue) const { check_local_queue(queue, subject); }
  void operator()(const kueue::Cohort& cohort) const {
    check_groups(cohort.groups, !cohort.parent.empty(), false, subject);
    check_weight(cohort.weight, false, subject);
  }
  void operator()(const kueue::ClusterQueue& queue) const {
    check_groups(queue.groups, !queue.cohort.empty(), true, subject);
    check_cluster_queue(queue, subject);
  }
  void operator()(const kueue::Namespace&) const {}
  void operator()(const kueue::WorkloadPriorityClass&) const {}
  void operator()(const kueue::Other&) const {}
};

}  // namespace

void Checker::add(const kueue::Object& object, base::Place place, base::Findings& findings, doc::Node document) {
  SetMemory& set = state_->set;
  const Subject subject{findings, "", place, document, &object};
  const bool named = !kueue::meta_of(object).name.empty();
  if (named && !set.first(object))
    subject.report("KQ-DUPLICATE-OBJECT", "the object stands in the set twice", "keep one of them",
                   "metadata.name");
  if (!std::holds_alternative<kueue::Other>(object)) check_meta(object, subject, state_->options);
  std::visit(ObjectRules{subject}, object);
  set.remember(object, place, [&](std::string_view field) { return subject.place_of(field); });
}

void Checker::finish(base::Findings& findings) {
  const Forest forest = forest_of(state_->set);
  const SetView view{state_->set, forest, state_->options, findings};
  for (const SetRule& rule : set_rules()) rule.run(view);
}

}  // namespace cmb2kueue::check
