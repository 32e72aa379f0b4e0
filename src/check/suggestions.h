// Near names for names that are not there, with a bound on the searching: a hundred thousand dangling references
// among a hundred thousand names must not take hours.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

namespace cmb2kueue::check {

class Suggestions {
 public:
  explicit Suggestions(std::vector<std::string> candidates);

  // ", did you mean "x"?" or "": the candidate a slip away, else the only one that the name is the beginning or end
  // of, up to a dash ("spot" for "spot-flavor"), or the other way round.
  const std::string& for_name(const std::string& name);

 private:
  std::string search(const std::string& name);

  std::vector<std::string> candidates_;  // sorted
  std::unordered_map<std::string, std::string> found_;
  std::size_t comparisons_left_ = 2'000'000;
};

}  // namespace cmb2kueue::check
