// What a run learned about its input: a rule id, a severity, whom it concerns and where it stands. Findings are
// collected, sorted, and folded when equal, so that a hundred thousand tenants with the same trouble are one line.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cmb2kueue/base/place.h"

namespace cmb2kueue::base {

// note: worth knowing. warning: works, but perhaps not as meant. error: must not go on as it is.
enum class Severity { note, warning, error };
// "note", "warning", "error".
const char* to_string(Severity severity);

// One thing learned about one subject.
struct Finding {
  // Stable id such as "E-PARENT-MISSING" or "KQ-ORDER"; listed by `explain`.
  std::string rule;
  Severity severity = Severity::error;
  // What is wrong, with values, but without the subject, so that equal findings fold. No trailing full stop.
  std::string message;
  // What to do; may be empty.
  std::string advice;
  // Tenant path, or Kind/namespace/name of an object.
  std::string subject;
  // The user's own key ("spec.resourceGroups[0]..."); may be empty.
  std::string field;
  // Where it stands; unknown for what has no line of its own.
  Place place;
};

// Several findings with the same rule, severity, message and advice.
struct FoldedFinding {
  std::string rule;
  Severity severity = Severity::error;
  std::string message;
  std::string advice;
  struct Instance {
    std::string subject;
    std::string field;
    Place place;
  };
  // How many were added; equals instances.size().
  std::uint64_t count = 0;
  // All of them (renderers cut), sorted by place, then subject, then field.
  std::vector<Instance> instances;
};

// Collects findings. add() is amortised constant time.
class Findings {
 public:
  void add(Finding finding);
  // Adds every finding of the others; which side was filled first does not show afterwards.
  void add_all(const Findings& others);

  // How many findings, not folded, are this severe or worse.
  std::uint64_t count(Severity at_least) const;
  bool empty() const { return folded_.empty(); }

  // Sorted: worst severity first, then rule, then first place, then message. Deterministic whatever the order
  // of add() was. A copy of everything, n log n: meant to be called once, at the end.
  std::vector<FoldedFinding> sorted() const;

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<FoldedFinding> folded_;
};

}  // namespace cmb2kueue::base
