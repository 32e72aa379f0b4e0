// Whether a cluster is ready to take tenants and to give them back: what Cluster::examine finds, and the facts
// beside it. Nothing is written; tries are dry runs.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/target/target.h"

namespace cmb2kueue::target {

struct DoctorRule {
  std::string_view id;
  base::Severity severity;  // the highest it is given
  std::string_view summary;
};
const std::vector<DoctorRule>& doctor_rules();  // sorted by id

// A release of Kueue, "0.19.2"; all zero when it is not known.
struct Release {
  int major = 0, minor = 0, patch = 0;
  bool known() const { return major + minor + patch > 0; }
  friend auto operator<=>(const Release&, const Release&) = default;
};
Release parse_release(std::string_view text);  // "v0.19.2", "0.19.2-rc.1", "kueue:v0.19.2"; unknown when it is none
std::string to_string(const Release& release);

// A defect of Kueue that shows on the way to it or back (releases' CHANGELOG files, v0.19.2).
struct Defect {
  std::string_view what, advice;
  std::vector<Release> fixed;  // ascending, one a minor line; empty: open in every release known
  bool stops = false;          // it can break a rollback, so cutover refuses unless told otherwise
};
const std::vector<Defect>& known_defects();
bool has_defect(const Release& release, const Defect& defect);

}  // namespace cmb2kueue::target
