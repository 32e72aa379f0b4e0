// What quotas mean together: the trees of both sides are computed, then the objects of both are walked together by
// key and compared row by row. Only rows that moved are kept, so the result grows with the change and not with the
// tree.
#include "cmb2kueue/diff/effective.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cmb2kueue/quota/tree.h"
#include "flatten.h"

namespace cmb2kueue::diff {

namespace {

using Rows = std::map<std::pair<std::string, std::string>, EffectiveRow>;  // of one object

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

// One side: its tree, and its queues and Cohorts by key.
class Side {
 public:
  Side(const std::vector<kueue::Object>& objects, int side)
      : tree_(quota::Tree::from_objects(objects)), side_(side) {
    for (std::uint32_t c = 0; c < tree_.columns().size(); ++c) columns_.emplace(tree_.columns()[c], c);
    for (const kueue::Object& object : objects)
      if (std::holds_alternative<kueue::ClusterQueue>(object) || std::holds_alternative<kueue::Cohort>(object))
        by_key_.emplace_back(kueue::key_of(object), &object);
    std::stable_sort(by_key_.begin(), by_key_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  bool at_end() const { return next_ == by_key_.size(); }
  const kueue::ObjectKey& key() const { return by_key_[next_].first; }

  // Adds the rows of every object of this key (of two the last counts) and goes on to the next key.
  void take(Rows& rows) {
    for (const kueue::ObjectKey taken = key(); !at_end() && key() == taken; ++next_) {
      const kueue::Object& object = *by_key_[next_].second;
      if (const kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object))
        add_rows(*queue, tree_.find_queue(queue->meta.name), rows);
      if (const kueue::Cohort* cohort = std::get_if<kueue::Cohort>(&object))
        add_rows(*cohort, tree_.find_cohort(cohort->meta.name), rows);
    }
  }

 private:
  template <class ObjectWithGroups>
  void add_rows(const ObjectWithGroups& object, std::int32_t node, Rows& rows) const {
    const std::string tenant = tenant_of(object.meta);
    kueue::for_each_quota(object, [&](const std::string& flavor, const kueue::ResourceQuota& quota) {
      EffectiveRow& row = rows[{flavor, quota.resource}];
      row.key = key();
      row.flavor = flavor;
      row.resource = quota.resource;
      if (!tenant.empty()) row.tenant = tenant;
      row.nominal[side_] = value_text(quota.nominal, quota.resource);
      if (quota.borrowing_limit) row.borrowing[side_] = value_text(*quota.borrowing_limit, quota.resource);
      if (quota.lending_limit) row.lending[side_] = value_text(*quota.lending_limit, quota.resource);
      row.weight[side_] = object.weight ? value_text(*object.weight, "") : "1";
      const auto column = columns_.find({flavor, quota.resource});
      if (node >= 0 && column != columns_.end())  // on a circle of Cohorts nothing can be reached
        row.ceiling[side_] = in_words(tree_.ceiling(node, column->second), quota.resource);
    });
  }

  const quota::Tree tree_;
  const int side_;
  std::map<quota::FlavorResource, std::uint32_t> columns_;
  std::vector<std::pair<kueue::ObjectKey, const kueue::Object*>> by_key_;
  std::size_t next_ = 0;
};

}  // namespace

bool EffectiveRow::moved() const {
  return nominal[0] != nominal[1] || borrowing[0] != borrowing[1] || lending[0] != lending[1] ||
         weight[0] != weight[1] || ceiling[0] != ceiling[1];
}

std::vector<EffectiveRow> effective_changes(const std::vector<kueue::Object>& before,
                                            const std::vector<kueue::Object>& after) {
  Side olds(before, 0), news(after, 1);
  std::vector<EffectiveRow> moved;
  while (!olds.at_end() || !news.at_end()) {
    const bool take_old = news.at_end() || (!olds.at_end() && olds.key() <= news.key());
    const bool take_new = olds.at_end() || (!news.at_end() && news.key() <= olds.key());
    Rows rows;
    if (take_old) olds.take(rows);
    if (take_new) news.take(rows);
    for (auto& [pair, row] : rows)
      if (row.moved()) moved.push_back(std::move(row));
  }
  return moved;
}

}  // namespace cmb2kueue::diff
