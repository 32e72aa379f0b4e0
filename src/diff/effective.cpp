// What quotas mean together: the trees of both sides are computed, then the objects of both are walked together by
// key and compared row by row. Only rows that moved are kept, so the result grows with the change and not with the
// tree.
#include "cmb2kueue/diff/effective.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "cmb2kueue/quota/tree.h"
#include "flatten.h"

namespace cmb2kueue::diff {

namespace {

// What one side says of a row, as numbers: most rows did not move, and are never printed.
struct Numbers {
  base::Quantity nominal, weight = base::Quantity::of(1, base::Unit::one);
  std::optional<base::Quantity> borrowing, lending;
  std::optional<std::int64_t> ceiling;  // in Kueue's units
  friend bool operator==(const Numbers&, const Numbers&) = default;
};

struct Row {
  std::optional<Numbers> sides[2];
  std::string tenant;
};
using Rows = std::map<std::pair<std::string, std::string>, Row>;  // of one object, by flavor and resource

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
      Row& row = rows[{flavor, quota.resource}];
      if (!tenant.empty()) row.tenant = tenant;
      Numbers& numbers = row.sides[side_].emplace();
      numbers.nominal = quota.nominal;
      numbers.borrowing = quota.borrowing_limit;
      numbers.lending = quota.lending_limit;
      if (object.weight) numbers.weight = *object.weight;
      const auto column = columns_.find({flavor, quota.resource});
      if (node >= 0 && column != columns_.end())  // on a circle of Cohorts nothing can be reached
        numbers.ceiling = tree_.ceiling(node, column->second);
    });
  }

  const quota::Tree tree_;
  const int side_;
  std::map<quota::FlavorResource, std::uint32_t> columns_;
  std::vector<std::pair<kueue::ObjectKey, const kueue::Object*>> by_key_;
  std::size_t next_ = 0;
};

EffectiveRow printed(const kueue::ObjectKey& key, const std::pair<std::string, std::string>& pair, Row row) {
  EffectiveRow shown;
  shown.key = key;
  shown.tenant = std::move(row.tenant);
  std::tie(shown.flavor, shown.resource) = pair;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!row.sides[side]) continue;
    const Numbers& numbers = *row.sides[side];
    shown.nominal[side] = value_text(numbers.nominal, shown.resource);
    if (numbers.borrowing) shown.borrowing[side] = value_text(*numbers.borrowing, shown.resource);
    if (numbers.lending) shown.lending[side] = value_text(*numbers.lending, shown.resource);
    shown.weight[side] = value_text(numbers.weight, "");
    if (numbers.ceiling) shown.ceiling[side] = in_words(*numbers.ceiling, shown.resource);
  }
  return shown;
}

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
    const kueue::ObjectKey key = take_old ? olds.key() : news.key();
    Rows rows;
    if (take_old) olds.take(rows);
    if (take_new) news.take(rows);
    for (auto& [pair, row] : rows)
      if (row.sides[0] != row.sides[1]) moved.push_back(printed(key, pair, std::move(row)));
  }
  return moved;
}

}  // namespace cmb2kueue::diff
