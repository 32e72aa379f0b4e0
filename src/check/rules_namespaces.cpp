// Which namespaces a selector selects, as far as the set tells: every namespace has the label of its own name, the
// other labels are known only of Namespace objects in the set.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "set_rules.h"

namespace cmb2kueue::check {

namespace {

constexpr std::string_view name_label = "kubernetes.io/metadata.name";

enum class Match { no, unknown, yes };

class Matcher {
 public:
  explicit Matcher(const SetMemory& set) : set_(set) {}

  Match matches(const kueue::Selector& selector, NameId name_space) const;

 private:
  Match term(const kueue::SelectorTerm& term, NameId name_space) const;
  const SetMemory& set_;
};

bool among(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

Match Matcher::term(const kueue::SelectorTerm& term, NameId name_space) const {
  const std::string* value = nullptr;
  const auto object = set_.namespaces.find(name_space);
  if (term.key == name_label) {
    value = &set_.names.text(name_space);
  } else if (object == set_.namespaces.end()) {
    return Match::unknown;
  } else {
    for (const auto& [key, label] : object->second)
      if (key == term.key) value = &label;
  }
  bool yes = false;
  if (term.op == "In") yes = value != nullptr && among(term.values, *value);
  if (term.op == "NotIn") yes = value == nullptr || !among(term.values, *value);
  if (term.op == "Exists") yes = value != nullptr;
  if (term.op == "DoesNotExist") yes = value == nullptr;
  return yes ? Match::yes : Match::no;
}

Match Matcher::matches(const kueue::Selector& selector, NameId name_space) const {
  Match result = Match::yes;
  for (const auto& [key, value] : selector.match_labels)
    result = std::min(result, term({key, "In", {value}}, name_space));
  for (const kueue::SelectorTerm& one : selector.match_expressions)
    result = std::min(result, term(one, name_space));
  return result;
}

// The names a selector can match at most; empty: it does not go by name.
std::vector<std::string> names_asked_for(const kueue::Selector& selector) {
  for (const auto& [key, value] : selector.match_labels)
    if (key == name_label) return {value};
  for (const kueue::SelectorTerm& term : selector.match_expressions)
    if (term.key == name_label && term.op == "In") return term.values;
  return {};
}

std::string describe(const kueue::Selector& selector) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : selector.match_labels) parts.push_back(key + "=" + value);
  for (const kueue::SelectorTerm& term : selector.match_expressions) {
    if (term.key == name_label && term.op == "In")
      parts.push_back(fmt::format("{}", fmt::join(term.values, ", ")));
    else
      parts.push_back(fmt::format("{} {}{}{}", term.key, term.op, term.values.empty() ? "" : " ",
                                  fmt::join(term.values, ", ")));
  }
  return base::quoted(fmt::format("{}", fmt::join(parts, " and ")), 200);
}

bool selects_any(const SetMemory& set, const kueue::Selector& selector, std::size_t& trials_left) {
  const Matcher matcher(set);
  const auto selected = [&](NameId id) { return matcher.matches(selector, id) != Match::no; };
  const std::vector<std::string> asked_for = names_asked_for(selector);
  if (!asked_for.empty())
    return std::any_of(asked_for.begin(), asked_for.end(), [&](const std::string& name) {
      const NameId id = set.names.find(name);
      return set.namespaces.contains(id) && selected(id);
    });
  if (set.namespaces.size() > trials_left) return true;  // benefit of the doubt
  trials_left -= set.namespaces.size();
  return std::any_of(set.namespaces.begin(), set.namespaces.end(),
                     [&](const auto& entry) { return selected(entry.first); });
}

}  // namespace

void local_queues_are_selected(const SetView& view) {
  const SetMemory& set = view.set;
  const Matcher matcher(set);
  for (const LocalRecord& local : set.locals) {
    const auto found = set.queue_of.find(local.queue);
    if (found == set.queue_of.end() || local.name_space == 0) continue;
    const std::uint32_t selector = set.queues[found->second].selector;
    if (selector == selects_nothing) continue;  // said of the queue itself
    if (matcher.matches(set.selectors[selector], local.name_space) != Match::no) continue;
    const Subject subject{view.findings,
                          to_string(kueue::ObjectKey{kueue::Kind::local_queue, set.names.text(local.name_space),
                                                     set.names.text(local.name)}),
                          local.place};
    subject.report(
        "KQ-QUEUE-NAMESPACE",
        fmt::format("the ClusterQueue selects {}, not this namespace", describe(set.selectors[selector])),
        "add the namespace to the selector, or move the LocalQueue", "metadata.namespace");
  }
}

// Only where the set has namespaces at all. Selectors by other labels than the name are tried on every namespace,
// so the number of trials is bounded.
void selectors_select(const SetView& view) {
  const SetMemory& set = view.set;
  if (set.namespaces.empty()) return;
  std::size_t trials_left = 20'000'000;
  std::vector<bool> selects;
  for (const kueue::Selector& selector : set.selectors) selects.push_back(selects_any(set, selector, trials_left));
  for (const QueueRecord& queue : set.queues)
    if (queue.selector != selects_nothing && !selects[queue.selector])
      view.queue(queue).report_as(view.unresolved("KQ-SELECTS-NOTHING"), "KQ-SELECTS-NOTHING",
                                  "the selector matches none of the namespaces of the set",
                                  "add the namespace, or correct the selector", "spec.namespaceSelector");
}

}  // namespace cmb2kueue::check
