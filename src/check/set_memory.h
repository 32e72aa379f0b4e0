// What check remembers of a set once its objects have streamed by: numbers for names, one record of a few words per
// object, and sums where sums are enough. The many queues of one pool share one shape (which flavors and resources
// they list), so that a million objects cost little more than their names.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/quantity.h"
#include "cmb2kueue/doc/tree.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::check {

// Numbers for texts, from 1; 0 is the empty text.
class Names {
 public:
  std::uint32_t number(std::string_view text);
  std::uint32_t find(std::string_view text) const;  // 0 when it has no number
  const std::string& text(std::uint32_t number) const { return texts_[number]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_{1};
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  // The last few asked for: a queue's name, its cohort's and its namespace come again and again in a row.
  std::array<std::uint32_t, 4> recent_{};
  std::size_t oldest_ = 0;
};

using NameId = std::uint32_t;
using PairId = std::uint32_t;  // of (flavor, resource)

// Quotas of one (flavor, resource) at one cohort: its own row, and its queues' rows added up.
struct Holding {
  PairId pair = 0;
  std::int64_t nominal = 0;     // the Cohort's own
  std::int64_t borrowing = -1;  // -1: no limit
  std::int64_t lending = -1;    // -1: no limit
  base::int128 queues = 0;      // nominal quotas of its queues
  base::int128 lendable = 0;    // what of that the cohort may see
  std::uint32_t listed = 0;     // how many of its queues list the pair, at whatever quota
};

struct CohortRecord {
  NameId parent = 0;
  bool object = false;  // false: only named by a queue or another Cohort
  std::uint32_t queues = 0, children = 0;
  base::Place place, parent_place;
  std::vector<Holding> holdings;  // sorted by pair
};

// Which flavors a queue lists, group by group; equal ones are kept once.
struct Shape {
  std::vector<std::vector<NameId>> flavors_by_group;
  std::vector<PairId> pairs;
};

constexpr std::uint32_t selects_nothing = UINT32_MAX;

struct QueueRecord {
  NameId name = 0, cohort = 0;
  std::uint32_t shape = 0;
  std::uint32_t selector = selects_nothing;
  base::Place place, cohort_place, groups_place;
};

struct LocalRecord {
  NameId name = 0, name_space = 0, queue = 0;
  base::Place place, queue_place;
};

struct FlavorRecord {
  NameId name = 0, topology = 0;
  base::Place place;
};

// A queue that has none of a pair and sets out to borrow it.
struct Borrower {
  std::uint32_t queue = 0;  // index into queues
  PairId pair = 0;
};

struct CheckUse {
  NameId check = 0;
  std::uint32_t queue = 0;
};

// How quotas in bytes are written for one pair.
struct Spelling {
  bool decimal = false, binary = false;
};

struct SetMemory {
  Names names;
  std::unordered_map<NameId, std::uint32_t> queue_of;  // by name, index into queues
  std::unordered_map<NameId, FlavorRecord> flavors;
  std::unordered_map<NameId, CohortRecord> cohorts;
  std::unordered_map<NameId, kueue::Pairs> namespaces;  // with their labels
  std::vector<QueueRecord> queues;
  std::vector<LocalRecord> locals;
  std::vector<Borrower> borrowers;
  std::vector<CheckUse> check_uses;
  std::vector<Shape> shapes;
  std::vector<kueue::Selector> selectors;
  std::vector<std::pair<NameId, NameId>> pairs;  // by PairId: flavor and resource
  std::map<PairId, Spelling> spellings;
  std::unordered_set<NameId> others;  // "AdmissionCheck.kueue.x-k8s.io/name"

  // True the first time an object with this key comes.
  bool first(const kueue::Object& object);
  void remember(const kueue::Object& object, base::Place place,
                const std::function<base::Place(std::string_view)>& place_of);
  PairId pair(std::string_view flavor, std::string_view resource);
  std::string pair_text(PairId id) const;  // "flavor/resource"

 private:
  void remember_queue(const kueue::ClusterQueue& queue, base::Place place,
                      const std::function<base::Place(std::string_view)>& place_of);
  void remember_cohort(const kueue::Cohort& cohort, base::Place place, base::Place parent_place);
  std::uint32_t shape_of(const kueue::ClusterQueue& queue);
  std::uint32_t selector_of(const kueue::Selector& selector);
  Holding& holding(std::vector<Holding>& all, PairId pair);
  void spell(PairId pair, const kueue::ResourceQuota& row);

  std::unordered_map<std::uint64_t, PairId> pair_numbers_;
  std::unordered_map<std::string, std::uint32_t> shape_numbers_, selector_numbers_;
  std::string text_;                                               // of the shape or selector at hand
  std::map<kueue::Kind, std::unordered_set<std::uint64_t>> seen_;  // namespace and name
};

}  // namespace cmb2kueue::check
