// The rules of check: one row each, and the functions behind them by what they look at.
#pragma once
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "cmb2kueue/check/check.h"
#include "cmb2kueue/quota/tree.h"

namespace cmb2kueue::check {

base::Severity severity_of_rule(std::string_view id);

// Where a finding of one object goes.
struct Subject {
  base::Findings& findings;
  std::string name;  // "ClusterQueue/x"
  base::Place place;
  void report(std::string_view rule, std::string message, std::string advice, std::string field) const;
  void report_as(base::Severity severity, std::string_view rule, std::string message, std::string advice,
                 std::string field) const;
};

// Rules about one object alone.
void check_meta(const kueue::Meta& meta, const Subject& subject, const Options& options);
void check_groups(const std::vector<kueue::ResourceGroup>& groups, bool has_parent, bool is_queue,
                  const Subject& subject);
void check_weight(const std::optional<base::Quantity>& weight, bool local_queue, const Subject& subject);
void check_cluster_queue(const kueue::ClusterQueue& queue, const Subject& subject);
void check_flavor(const kueue::ResourceFlavor& flavor, const Subject& subject);
void check_local_queue(const kueue::LocalQueue& queue, const Subject& subject);

// True for a label value, and for the name part of a label key; `key` also allows a DNS prefix.
bool legal_label_value(std::string_view value);
bool legal_label_key(std::string_view key);

}  // namespace cmb2kueue::check
