// The file system kept in a map: the double for tests, dry runs and mem: targets.
#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/text.h"

namespace cmb2kueue::base {

namespace {

Status missing(const std::string& path) {
  return Status(ErrorKind::not_found, "there is no " + quoted(path, 400));
}

}  // namespace

Result<std::string> MemoryFileSystem::read(const std::string& path) {
  const auto found = files.find(path);
  if (found == files.end()) return missing(path);
  return found->second;
}

Status MemoryFileSystem::replace(const std::string& path, const std::string& bytes, unsigned) {
  files[path] = bytes;
  return {};
}

Status MemoryFileSystem::create(const std::string& path, const std::string& bytes, unsigned) {
  if (!files.try_emplace(path, bytes).second)
    return Status(ErrorKind::conflict, quoted(path, 400) + " exists already");
  return {};
}

Status MemoryFileSystem::remove(const std::string& path) {
  if (files.erase(path) > 0) return {};
  if (kind_of(path) == "folder") return Status(ErrorKind::io, "cannot remove " + quoted(path, 400) + ": not empty");
  return missing(path);
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::string& folder) {
  std::vector<std::string> found;
  const std::string prefix = folder.empty() || folder.back() == '/' ? folder : folder + "/";
  for (auto at = files.lower_bound(prefix); at != files.end() && at->first.starts_with(prefix); ++at)
    found.push_back(at->first.substr(prefix.size()));
  return found;
}

std::string MemoryFileSystem::kind_of(const std::string& path) {
  if (files.contains(path)) return "file";
  const auto below = files.lower_bound(path + "/");
  return below != files.end() && below->first.starts_with(path + "/") ? "folder" : "";
}

}  // namespace cmb2kueue::base
