// Everything about Kueue manifests that can be known without a server: what the API and its webhooks would refuse,
// and what they let through and later leaves queues inactive or jobs pending. Objects stream through; what a rule
// needs to know about all of them is kept in a compact form, so a million objects fit.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/doc/tree.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::check {

struct Rule {
  std::string_view id;  // "KQ-ORDER"
  base::Severity severity;
  std::string_view summary;  // one line
  std::string_view source;   // where the rule comes from: Kueue file and version, or "practice"
};
// Sorted by id. error: the server refuses it, or what was written can never work. warning: it works, but hardly as
// meant. note: worth knowing. One rule may report milder than its row says where the message tells why.
const std::vector<Rule>& rules();

struct Options {
  bool production = false;  // refuse end-state objects
  bool partial = false;     // the set is not everything: what may exist elsewhere is a note, not an error
};

class Checker {
 public:
  explicit Checker(Options options = {});
  ~Checker();
  Checker(Checker&&) noexcept;

  // Rules that look at one object report at once, in the order of its fields. Also give it the objects that
  // decoding did not judge (kueue::Other): nothing is said about them, but references to them resolve. Every
  // finding stands at `place`; with the node the object was read from (kueue::Decoded::node) at the field itself.
  // The objects need not outlive the call. Any order of objects gives the same findings.
  void add(const kueue::Object& object, base::Place place, base::Findings& findings, doc::Node document = {});

  // Rules over the whole set: references, namespaces, cohort cycles, sums, ceilings of zero, who shares what. Call
  // once, last. n log n in objects; suggestions of near names stop after a fixed amount of searching.
  void finish(base::Findings& findings);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cmb2kueue::check
