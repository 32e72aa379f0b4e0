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

enum class Severity { note, warning, error };
const char* to_string(Severity severity);

struct Finding {
  std::string rule;  // stable id such as "E-PARENT-MISSING" or "KQ-ORDER"; listed by `explain`
  Severity severity = Severity::error;
  std::string message;  // what is wrong, with values, but without the subject, so that equal findings fold
  std::string advice;   // what to do; may be empty
  std::string subject;  // tenant path, or Kind/namespace/name of an object
  std::string field;    // the user's own key ("spec.resourceGroups[0]..."); may be empty
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
  std::uint64_t count = 0;
  std::vector<Instance> instances;  // sorted by place, then subject; all of them (renderers cut)
};

// Collects findings. add() is amortised constant time.
class Findings {
 public:
  void add(Finding finding);
  void add_all(const Findings& others);

  std::uint64_t count(Severity at_least) const;
  bool empty() const { return folded_.empty(); }

  // Sorted: worst severity first, then rule, then first place, then message. Deterministic whatever the order
  // of add() was.
  std::vector<FoldedFinding> sorted() const;

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<FoldedFinding> folded_;
};

}  // namespace cmb2kueue::base
