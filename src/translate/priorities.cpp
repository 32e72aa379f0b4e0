// Priority classes from the mapping's classes and buckets.
#include "priorities.h"

#include <algorithm>

#include "cmb2kueue/mapping/naming.h"

namespace cmb2kueue::translate {

std::vector<kueue::WorkloadPriorityClass> priority_classes(const mapping::Mapping& mapping) {
  std::vector<kueue::WorkloadPriorityClass> classes;
  for (const mapping::PriorityClass& one : mapping.priorities) {
    for (std::size_t i = 0; i < one.buckets.size(); ++i) {
      kueue::WorkloadPriorityClass made;
      made.meta.name = mapping::priority_class_name(one.name, one.buckets[i]);
      made.value = std::min<std::int64_t>(one.base + static_cast<std::int64_t>(i), INT32_MAX);
      made.description = one.name + ", priorityValue from " + std::to_string(one.buckets[i]);
      classes.push_back(std::move(made));
    }
  }
  return classes;
}

}  // namespace cmb2kueue::translate
