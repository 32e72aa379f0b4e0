// Priority classes: one per CMB class and bucket of values.
#pragma once
#include <vector>

#include "cmb2kueue/kueue/objects.h"
#include "cmb2kueue/mapping/mapping.h"

namespace cmb2kueue::translate {

// In ascending order of value. A bucket's value is its class's base plus its number, so that order inside a class
// is never reversed and no value of CMB's 32 unsigned bits can overflow Kubernetes' 32 signed ones.
std::vector<kueue::WorkloadPriorityClass> priority_classes(const mapping::Mapping& mapping);

}  // namespace cmb2kueue::translate
