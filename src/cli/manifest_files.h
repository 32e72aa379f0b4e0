// Reading files and folders that may hold anything this tool knows, for validate and diff.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/kueue/api.h"
#include "session.h"

namespace cmb2kueue::cli {

// Manifests below a path (a file, or a folder: every .yaml, .yml, .json outside .cmb2kueue and .git), sorted.
base::Result<std::vector<std::string>> files_at(Session& session, const std::string& path);

// A cell is a cluster of its own: the folders one level down that hold shared/ or tenants/, as translate and
// targets write them for several cells. One set without a name where a path is no such folder, or holds other
// manifests too.
struct ManifestSet {
  std::string cell, path;
};
base::Result<std::vector<ManifestSet>> sets_at(Session& session, const std::string& path);

// Objects of one path, with findings of their decoding; a file that does not parse is a Status.
base::Result<std::vector<kueue::Decoded>> objects_at(Session& session, const std::string& path);

}  // namespace cmb2kueue::cli
