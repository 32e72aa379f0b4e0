// Walking from every cohort to its root, each cohort once.
#include "forest.h"

#include <algorithm>

namespace cmb2kueue::check {

namespace {

class Walk {
 public:
  explicit Walk(const SetMemory& set) : set_(set), state_(set.names.size(), unseen) {
    forest_.node_of.assign(set.names.size(), -1);
  }
  void from(NameId cohort);
  Forest take() { return std::move(forest_); }

 private:
  static constexpr std::int64_t unseen = -1, on_path = -2, placed = -3;  // else: astray, by number of the circle
  void place(const std::vector<NameId>& path);
  std::uint32_t close_circle(const std::vector<NameId>& path, std::size_t start);

  const SetMemory& set_;
  std::vector<std::int64_t> state_;
  Forest forest_;
};

void Walk::place(const std::vector<NameId>& path) {
  for (std::size_t i = path.size(); i-- > 0;) {
    const NameId parent = set_.cohorts.at(path[i]).parent;
    const std::int32_t index = static_cast<std::int32_t>(forest_.nodes.size());
    const std::int32_t above = forest_.node(parent);
    forest_.nodes.push_back(
        {path[i], above, above < 0 ? index : forest_.nodes[static_cast<std::size_t>(above)].root});
    forest_.node_of[path[i]] = index;
    state_[path[i]] = placed;
  }
}

std::uint32_t Walk::close_circle(const std::vector<NameId>& path, std::size_t start) {
  std::vector<NameId> circle(path.begin() + static_cast<std::ptrdiff_t>(start), path.end());
  const auto first = std::min_element(circle.begin(), circle.end(),
                                      [&](NameId a, NameId b) { return set_.names.text(a) < set_.names.text(b); });
  std::rotate(circle.begin(), first, circle.end());
  const std::uint32_t number = static_cast<std::uint32_t>(forest_.circles.size());
  for (const NameId name : circle) {
    state_[name] = number;
    forest_.astray.push_back({name, number, false});
  }
  forest_.circles.push_back(std::move(circle));
  return number;
}

void Walk::from(NameId cohort) {
  std::vector<NameId> path;
  NameId at = cohort;
  while (at != 0 && state_[at] == unseen) {
    state_[at] = on_path;
    path.push_back(at);
    at = set_.cohorts.at(at).parent;
  }
  if (at == 0 || state_[at] == placed) return place(path);
  std::uint32_t circle = 0;
  std::size_t below = path.size();
  if (state_[at] == on_path) {
    below = static_cast<std::size_t>(std::find(path.begin(), path.end(), at) - path.begin());
    circle = close_circle(path, below);
  } else {
    circle = static_cast<std::uint32_t>(state_[at]);
  }
  for (std::size_t i = 0; i < below; ++i) {
    state_[path[i]] = circle;
    forest_.astray.push_back({path[i], circle, true});
  }
}

}  // namespace

Forest forest_of(const SetMemory& set) {
  std::vector<NameId> ids;
  for (const auto& [name, record] : set.cohorts) ids.push_back(name);
  std::sort(ids.begin(), ids.end(), [&](NameId a, NameId b) { return set.names.text(a) < set.names.text(b); });
  Walk walk(set);
  for (const NameId id : ids) walk.from(id);
  return walk.take();
}

}  // namespace cmb2kueue::check
