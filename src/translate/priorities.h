// Priority classes: one per CMB class and bucket of values.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"
#include "cmb2kueue/mapping/mapping.h"

namespace cmb2kueue::translate {

// In ascending order of value. A bucket's value is its class's base plus its number, or one more than the value
// before it where an earlier class reaches that far, so that order inside a tenant is never reversed; no value of
// CMB's 32 unsigned bits can overflow Kubernetes' 32 signed ones, at whose end values become equal instead.
std::vector<kueue::WorkloadPriorityClass> priority_classes(const mapping::Mapping& mapping);

// Where the values are not the ones the mapping asks for: which class, which value instead. Empty when they are.
struct PriorityShift {
  std::string priority_class;
  std::int64_t wanted = 0, given = 0;  // of its first bucket that is shifted
  bool tied = false;                   // the value is that of the bucket before it
};
std::vector<PriorityShift> priority_shifts(const mapping::Mapping& mapping);

}  // namespace cmb2kueue::translate
