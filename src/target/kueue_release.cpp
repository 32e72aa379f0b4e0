// Releases of Kueue and what is wrong with them. Facts: CHANGELOG/CHANGELOG-0.{17,18,19}.md of Kueue v0.19.2.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cmb2kueue/target/doctor.h"

namespace cmb2kueue::target {

Release parse_release(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) text.remove_prefix(colon + 1);
  if (text.starts_with("v")) text.remove_prefix(1);
  int numbers[3] = {};
  for (int i = 0; i < 3; ++i) {
    const char* end = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), end, numbers[i]);
    if (read.ec != std::errc() || (i < 2 && (read.ptr == end || *read.ptr != '.'))) return {};
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()) + (i < 2 ? 1 : 0));
  }
  return {numbers[0], numbers[1], numbers[2]};
}

std::string to_string(const Release& release) {
  return fmt::format("{}.{}.{}", release.major, release.minor, release.patch);
}

const std::vector<Defect>& known_defects() {
  static const std::vector<Defect> table = {
      {"removing a Cohort leaves its ancestors with quota that is not there any more",
       "upgrade Kueue, or restart its manager after every rollback",
       {{0, 17, 2}, {0, 18, 0}},
       true},
      {"a removed ClusterQueue may keep its finalizer for ever",
       "upgrade Kueue, or restart its manager where a rollback waits for a ClusterQueue without workloads",
       {{0, 17, 2}, {0, 18, 0}},
       true},
      {"changing an admitted Workload through v1beta1 is refused",
       "upgrade Kueue, or use no client of v1beta1",
       {{0, 17, 2}, {0, 18, 0}},
       false},
      {"quantities past 64 bits wrap and let more in than the quota says",
       "upgrade Kueue, or keep sums over a cohort tree below 9.2e15 cpu and 9.2e18 of anything else",
       {{0, 17, 3}, {0, 18, 0}},
       false},
      {"the status of a LocalQueue cannot be written once its ClusterQueue has more than 16 flavors",
       "upgrade Kueue, or use fewer flavors",
       {{0, 17, 5}, {0, 18, 1}},
       false},
      {"the status of a ClusterQueue that is being removed is not kept up to date",
       "upgrade Kueue, or list Workloads instead of reading counts",
       {{0, 19, 1}},
       false},
      {"changed taints, labels or tolerations of a ResourceFlavor do not wake waiting work",
       "upgrade Kueue, or touch the ClusterQueue after such a change",
       {{0, 19, 1}},
       false},
      {"nothing refuses or reports a circle among Cohorts", "cmb2kueue verify does", {}, false},
  };
  return table;
}

bool has_defect(const Release& release, const Defect& defect) {
  for (const Release& fixed : defect.fixed) {
    if (fixed.major == release.major && fixed.minor == release.minor) return release < fixed;
    if (release < fixed) return true;  // an older line, which never got it
  }
  return defect.fixed.empty();
}

}  // namespace cmb2kueue::target
