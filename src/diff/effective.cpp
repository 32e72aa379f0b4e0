// What quotas mean together: both trees are computed and compared row by row.
#include "cmb2kueue/diff/effective.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "cmb2kueue/quota/tree.h"
#include "flatten.h"

namespace cmb2kueue::diff {

namespace {

using RowKey = std::tuple<kueue::ObjectKey, std::string, std::string>;
using Rows = std::map<RowKey, EffectiveRow>;

std::string tenant_of(const kueue::Meta& meta) {
  const std::string wanted = std::string(kueue::annotation_prefix) + "tenant-path";
  for (const auto& [key, value] : meta.annotations)
    if (key == wanted) return value;
  return "";
}

// Kueue's internal units back as a quantity, the way Kueue prints them in status.
std::string in_words(std::int64_t units, const std::string& resource) {
  if (units == quota::unlimited) return "unlimited";
  const base::int128 nanos = static_cast<base::int128>(units) * (resource == "cpu" ? 1'000'000 : 1'000'000'000);
  return value_text(base::Quantity::from_nanos(nanos), resource);
}

class Side {
 public:
  Side(const std::vector<kueue::Object>& objects, int side, Rows& rows)
      : tree_(quota::Tree::from_objects(objects)), side_(side), rows_(rows) {
    for (std::uint32_t c = 0; c < tree_.columns().size(); ++c) columns_.emplace(tree_.columns()[c], c);
    for (std::int32_t n = 0; n < static_cast<std::int32_t>(tree_.nodes().size()); ++n) {
      const quota::Tree::Node& node = tree_.nodes()[static_cast<std::size_t>(n)];
      (node.queue ? queues_ : cohorts_).emplace(node.name, n);
    }
    for (const kueue::Object& object : objects) {
      if (const kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object)) take(*queue, queues_);
      if (const kueue::Cohort* cohort = std::get_if<kueue::Cohort>(&object)) take(*cohort, cohorts_);
    }
  }

 private:
  template <class ObjectWithGroups>
  void take(const ObjectWithGroups& object, const std::map<std::string, std::int32_t>& nodes) {
    const kueue::ObjectKey key = kueue::key_of(object);
    const auto node = nodes.find(object.meta.name);
    kueue::for_each_quota(object, [&](const std::string& flavor, const kueue::ResourceQuota& quota) {
      EffectiveRow& row = rows_[{key, flavor, quota.resource}];
      row.key = key;
      row.flavor = flavor;
      row.resource = quota.resource;
      row.tenant = tenant_of(object.meta);
      row.nominal[side_] = value_text(quota.nominal, quota.resource);
      if (quota.borrowing_limit) row.borrowing[side_] = value_text(*quota.borrowing_limit, quota.resource);
      if (quota.lending_limit) row.lending[side_] = value_text(*quota.lending_limit, quota.resource);
      row.weight[side_] = object.weight ? value_text(*object.weight, "") : "1";
      const auto column = columns_.find({flavor, quota.resource});
      if (node != nodes.end() && column != columns_.end())
        row.ceiling[side_] = in_words(tree_.ceiling(node->second, column->second), quota.resource);
    });
  }

  const quota::Tree tree_;
  const int side_;
  Rows& rows_;
  std::map<quota::FlavorResource, std::uint32_t> columns_;
  std::map<std::string, std::int32_t> queues_, cohorts_;
};

}  // namespace

bool EffectiveRow::moved() const {
  return nominal[0] != nominal[1] || borrowing[0] != borrowing[1] || lending[0] != lending[1] ||
         weight[0] != weight[1] || ceiling[0] != ceiling[1];
}

std::vector<EffectiveRow> effective_changes(const std::vector<kueue::Object>& before,
                                            const std::vector<kueue::Object>& after) {
  Rows rows;
  const Side old_side(before, 0, rows), new_side(after, 1, rows);
  std::vector<EffectiveRow> moved;
  for (auto& [key, row] : rows)
    if (row.moved()) moved.push_back(std::move(row));
  return moved;
}

}  // namespace cmb2kueue::diff
