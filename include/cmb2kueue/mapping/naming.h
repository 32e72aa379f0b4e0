// Names of objects: legal, stable whatever the display name becomes, free of collisions. Once given they are for
// ever, so this file changes only together with a new format version.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::mapping {

// 12 characters of lower-case base32 of the SHA-256 of the tenant id: label value, lock name, part of every name.
std::string tenant_hash(std::string_view tenant_id);

// slug(display name) cut to fit ("t" where empty) + "-" + tenant_hash: a DNS-1123 label of at most 63 characters.
std::string object_name(std::string_view display_name, std::string_view tenant_id);
// The same for callers that have the tenant_hash already.
std::string object_name_with(std::string_view display_name, std::string_view hash);

// "cell-<slug>-<hash of "cell:"+name>", the root Cohort of a cell.
std::string root_name(std::string_view cell);

// "cmb-<class>-<bucket>", lower case.
std::string priority_class_name(std::string_view priority_class, std::uint32_t bucket);

// Ok for a DNS-1123 label / subdomain, else an input Status that says which character or length is wrong.
base::Status check_label(std::string_view name);
base::Status check_subdomain(std::string_view name);

}  // namespace cmb2kueue::mapping
