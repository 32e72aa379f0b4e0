// Reading files and folders that may hold anything this tool knows, for validate and diff.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/kueue/api.h"
#include "session.h"

namespace cmb2kueue::cli {

// Manifests below a path (a file, or a folder: every .yaml, .yml, .json outside .cmb2kueue and .git), sorted.
base::Result<std::vector<std::string>> files_at(Session& session, const std::string& path);

// Objects of one path, with findings of their decoding; a file that does not parse is a Status.
base::Result<std::vector<kueue::Decoded>> objects_at(Session& session, const std::string& path);

}  // namespace cmb2kueue::cli
