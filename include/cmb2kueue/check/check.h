// Everything about Kueue manifests that can be known without a server: what the API and its webhooks would refuse,
// and what they let through and later leaves queues inactive or jobs pending. Objects stream through; what a rule
// needs to know about all of them is kept in a compact form, so a million objects fit.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::check {

struct Rule {
  std::string_view id;  // "KQ-ORDER"
  base::Severity severity;
  std::string_view summary;  // one line
  std::string_view source;   // where the rule comes from: Kueue file and version, or "practice"
};
const std::vector<Rule>& rules();

struct Options {
  bool production = false;  // refuse end-state objects
  bool partial = false;     // the set is not everything: unresolved references are notes
};

class Checker {
 public:
  explicit Checker(Options options = {});
  ~Checker();
  Checker(Checker&&) noexcept;

  // Rules that look at one object report at once.
  void add(const kueue::Object& object, base::Place place, base::Findings& findings);

  // Rules over the whole set: duplicates, references, cohort cycles, coverage, sums, ceilings of zero. Call once,
  // last.
  void finish(base::Findings& findings);

 private:
  void remember(const kueue::ClusterQueue& queue, base::Place place);
  void check_references(base::Findings& findings) const;
  void check_tree(base::Findings& findings) const;
  void check_sums(base::Findings& findings) const;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cmb2kueue::check
