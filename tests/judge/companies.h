// Generated companies as the objects their end state is made of.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::judge {

// Bundles in order of creation: what tenants share one by one, then each leaf's own.
struct CompanyObjects {
  std::vector<std::vector<kueue::Object>> shared, tenants;
};
CompanyObjects company_objects(std::uint32_t tenants, std::uint64_t seed, const std::string& mapping);

// The mappings that are shipped, and one with a namespace per tenant and flavors with taints: every shape of
// object.
std::vector<std::string> mappings_of_every_shape();

}  // namespace cmb2kueue::judge
