// Suggestions: a slip of the keyboard first, then a missing part of the name.
#include "suggestions.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::check {

namespace {

bool is_part(const std::string& part, const std::string& whole) {
  return whole.starts_with(part + "-") || whole.ends_with("-" + part);
}

}  // namespace

Suggestions::Suggestions(std::vector<std::string> candidates) : candidates_(std::move(candidates)) {
  std::sort(candidates_.begin(), candidates_.end());
}

std::string Suggestions::search(const std::string& name) {
  if (name.empty() || candidates_.size() > comparisons_left_) return "";
  comparisons_left_ -= candidates_.size();
  std::string near = base::did_you_mean(name, candidates_);
  if (!near.empty()) return near;
  std::vector<std::string> parts;
  for (const std::string& one : candidates_)
    if (is_part(name, one) || is_part(one, name)) parts.push_back(one);
  return parts.size() == 1 ? ", did you mean " + base::quoted(parts[0]) + "?" : "";
}

const std::string& Suggestions::for_name(const std::string& name) {
  const auto [slot, fresh] = found_.try_emplace(name);
  if (fresh) slot->second = search(name);
  return slot->second;
}

}  // namespace cmb2kueue::check
