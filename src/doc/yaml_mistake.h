// yaml-cpp's messages in plain words.
#pragma once
#include <string>

namespace cmb2kueue::doc {

std::string yaml_mistake(const std::string& message);

}  // namespace cmb2kueue::doc
