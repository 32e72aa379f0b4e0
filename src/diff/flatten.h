// An object as a sorted list of (path, value): what a comparison by value compares.
#pragma once
#include <map>
#include <string>

#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::diff {

struct FlatValue {
  std::string value;
  bool cosmetic = false;
  friend bool operator==(const FlatValue&, const FlatValue&) = default;
};

// Defaults are filled in, quantities canonical, order without meaning gone. Paths are those of v1beta2; a quota row
// is spec.resourceGroups[flavor/resource].
std::map<std::string, FlatValue> flatten(const kueue::Object& object);

// The text that stands for a quantity's value whatever its spelling: bytes in binary where that is exact, all
// others in decimal. 1e3, 1k and 1000 give the same; so do 3Gi, 3072Mi and 3221225472.
std::string value_text(const base::Quantity& quantity, const std::string& resource);

}  // namespace cmb2kueue::diff
