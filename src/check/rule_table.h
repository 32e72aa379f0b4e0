// The rules of check: one row each in the table, and the functions behind them by what they look at.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/check/check.h"

namespace cmb2kueue::check {

base::Severity severity_of_rule(std::string_view id);

// The path of something in resourceGroups, spelled only when something is said about it: most queues are fine, and
// there are many.
struct GroupPath {
  std::size_t group = 0;
  std::optional<std::size_t> flavor = {}, row = {};
  std::string_view field = {};
  GroupPath of(std::string_view name) const { return {group, flavor, row, name}; }
  std::string text() const;  // "spec.resourceGroups[0].flavors[1].resources[2].nominalQuota"
};

// Where a finding of one object goes. With the document it came from, a field path becomes the place of that field,
// or of the nearest ancestor that stands there.
struct Subject {
  base::Findings& findings;
  std::string name;  // "ClusterQueue/x"; of `object` where that is given
  base::Place place;
  doc::Node document = {};
  const kueue::Object* object = nullptr;
  void report(std::string_view rule, std::string message, std::string advice, std::string field) const;
  void report_as(base::Severity severity, std::string_view rule, std::string message, std::string advice,
                 std::string field) const;
  base::Place place_of(std::string_view field) const;
};

// Rules about one object alone; rules_objects.cpp, rules_groups.cpp, rules_units.cpp, rules_meta.cpp.
void check_meta(const kueue::Object& object, const Subject& subject, const Options& options);
void check_groups(const std::vector<kueue::ResourceGroup>& groups, bool has_parent, bool is_queue,
                  const Subject& subject);
void check_units(const kueue::ResourceQuota& row, const GroupPath& at, const Subject& subject);
void check_weight(const std::optional<base::Quantity>& weight, bool local_queue, const Subject& subject);
void check_cluster_queue(const kueue::ClusterQueue& queue, const Subject& subject);
void check_flavor(const kueue::ResourceFlavor& flavor, const Subject& subject);
void check_local_queue(const kueue::LocalQueue& queue, const Subject& subject);

// True for a label value, and for a label key: a name of at most 63 characters behind an optional DNS prefix.
bool legal_label_value(std::string_view value);
bool legal_label_key(std::string_view key);
// True for a DNS-1123 label, as namespaces are named.
bool legal_namespace(std::string_view name);

// True for resources counted in bytes.
bool measured_in_bytes(std::string_view resource);

}  // namespace cmb2kueue::check
