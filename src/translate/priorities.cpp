// Priority classes from the mapping's classes and buckets, and what is wrong with them.
#include "priorities.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/mapping/naming.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

// CMB's classes from low to high.
const std::vector<std::string>& cmb_classes() {
  static const std::vector<std::string> words = {"BestEffort", "Normal", "Preferred", "Critical"};
  return words;
}

struct Value {
  const mapping::PriorityClass* from = nullptr;
  std::uint32_t bucket = 0;
  std::int64_t wanted = 0, given = 0;
  bool tied = false;
};

std::vector<Value> values_of(const mapping::Mapping& mapping) {
  std::vector<Value> values;
  for (const mapping::PriorityClass& one : mapping.priorities)
    for (std::size_t i = 0; i < one.buckets.size(); ++i) {
      Value value{&one, one.buckets[i], one.base + static_cast<std::int64_t>(i), 0, false};
      const std::int64_t lowest = values.empty() ? INT32_MIN : values.back().given + 1;
      value.given = std::min<std::int64_t>(std::max(value.wanted, lowest), INT32_MAX);
      value.tied = !values.empty() && value.given == values.back().given;
      values.push_back(value);
    }
  return values;
}

void check_shifts(Work& work) {
  for (const PriorityShift& shift : priority_shifts(work.mapping))
    work.report("T-PRIORITY-SHIFTED",
                shift.tied ? fmt::format("the class {} ends above the highest priority Kubernetes has; its upper "
                                         "buckets all have {}",
                                         base::quoted(shift.priority_class), shift.given)
                           : fmt::format("the classes before {} reach its base; it starts at {}, not at {}",
                                         base::quoted(shift.priority_class), shift.given, shift.wanted),
                "choose bases further apart under priorities", model::no_tenant, {});
}

void check_class_names(Work& work) {
  std::set<std::string> names;
  for (const kueue::WorkloadPriorityClass& one : priority_classes(work.mapping))
    if (!names.insert(one.meta.name).second)
      work.report("T-NAME-CLASH",
                  fmt::format("two priority classes would have the name {}", base::quoted(one.meta.name)),
                  "name the classes so that they differ in letters and digits", model::no_tenant, {});
}

// Where a class stands among the others: by the export's bases where it gives them, else by CMB's words.
std::map<std::string, std::int64_t> source_ranks(const model::PriorityPolicy& policy) {
  std::map<std::string, std::int64_t> ranks;
  for (std::size_t i = 0; i < cmb_classes().size(); ++i) ranks[cmb_classes()[i]] = static_cast<std::int64_t>(i);
  if (!policy.class_base.empty()) ranks = {policy.class_base.begin(), policy.class_base.end()};
  return ranks;
}

void check_order(Work& work) {
  const std::map<std::string, std::int64_t> ranks = source_ranks(work.model.priorities);
  const mapping::PriorityClass* below = nullptr;
  for (const mapping::PriorityClass& one : work.mapping.priorities) {
    const auto rank = ranks.find(one.name);
    if (rank == ranks.end()) continue;
    if (below != nullptr && rank->second < ranks.at(below->name))
      work.report("T-PRIORITY-REVERSED",
                  fmt::format("the mapping puts {} above {}, CMB below it", base::quoted(one.name),
                              base::quoted(below->name)),
                  "order the classes as CMB does: jobs of one tenant must not overtake each other",
                  model::no_tenant, {});
    below = &one;
  }
}

bool has_class(const mapping::Mapping& mapping, const std::string& name) {
  return std::any_of(mapping.priorities.begin(), mapping.priorities.end(),
                     [&](const mapping::PriorityClass& one) { return one.name == name; });
}

void check_missing(Work& work) {
  std::set<std::string> wanted(cmb_classes().begin(), cmb_classes().end());
  for (const auto& [name, base] : work.model.priorities.class_base) wanted.insert(name);
  wanted.insert(work.mapping.system_default.empty() ? work.model.priorities.system_default
                                                    : work.mapping.system_default);
  for (const std::string& name : wanted)
    if (!has_class(work.mapping, name))
      work.report("T-PRIORITY-MISSING", fmt::format("the mapping has no priority class for {}", base::quoted(name)),
                  "CMB knows four classes, whichever of them an export lists; a job whose label names one that is "
                  "not there "
                  "is not admitted: add it to priorities",
                  model::no_tenant, {});
}

}  // namespace

std::vector<kueue::WorkloadPriorityClass> priority_classes(const mapping::Mapping& mapping) {
  std::vector<kueue::WorkloadPriorityClass> classes;
  for (const Value& value : values_of(mapping)) {
    kueue::WorkloadPriorityClass made;
    made.meta.name = mapping::priority_class_name(value.from->name, value.bucket);
    made.value = value.given;
    made.description = value.from->name + ", priorityValue from " + std::to_string(value.bucket);
    classes.push_back(std::move(made));
  }
  return classes;
}

std::vector<PriorityShift> priority_shifts(const mapping::Mapping& mapping) {
  std::vector<PriorityShift> shifts;
  for (const Value& value : values_of(mapping)) {
    if (value.given == value.wanted && !value.tied) continue;
    const bool listed = !shifts.empty() && shifts.back().priority_class == value.from->name;
    if (!listed) shifts.push_back({value.from->name, value.wanted, value.given, value.tied});
    if (value.tied) shifts.back() = {value.from->name, value.wanted, value.given, true};
  }
  return shifts;
}

void check_priorities(Work& work) {
  check_shifts(work);
  check_class_names(work);
  if (work.model.system != "cmb") return;
  check_order(work);
  check_missing(work);
}

}  // namespace cmb2kueue::translate
