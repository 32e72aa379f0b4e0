// The ids under which decoding reports, with their severities.
#pragma once
#include <string_view>

#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::kueue {

base::Severity severity_of_schema_rule(std::string_view id);

}  // namespace cmb2kueue::kueue
