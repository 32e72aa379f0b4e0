// The file system behind one narrow door, with a shipped in-memory double, so that tests can make the nth call
// fail. Paths are plain strings, relative to the working directory of the process or absolute.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::base {

// Errors of every call: not_found when the path is missing, io otherwise; messages name the path.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // The whole content. "-" reads standard input. More than 4 GiB - 1 is refused.
  virtual Result<std::string> read(const std::string& path) = 0;

  // All or nothing, also through a crash or a power cut: written beside the path, flushed to disk, then renamed
  // over it; the folder is flushed too. Makes missing parent folders. `mode` is applied exactly (0600 for anything
  // private).
  virtual Status replace(const std::string& path, const std::string& bytes, unsigned mode = 0644) = 0;

  // Like replace, but fails with kind conflict if the path exists: the one primitive that locks and journals
  // stand on (link(2) semantics: exactly one of several racers wins, and what is seen is whole).
  virtual Status create(const std::string& path, const std::string& bytes, unsigned mode = 0644) = 0;

  // Removes a file, or an empty folder. Removing what is not there is not_found.
  virtual Status remove(const std::string& path) = 0;

  // Every regular file below the folder, as paths relative to it, sorted; empty for a missing folder. Symbolic
  // links are not followed and not listed. Names beginning with "." are included, except the files that a killed
  // replace or create left half written (".<name>.tmp-<pid>"), which were never anybody's content.
  virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;

  // "file", "folder", "other" or "" when there is nothing.
  virtual std::string kind_of(const std::string& path) = 0;
};

// The real one. Stateless, so several threads may share it, but two threads must not write one path at a time.
std::unique_ptr<FileSystem> real_file_system();

// Kept in memory; folders exist as long as something is below them. Used by mem: targets and tests. Paths are
// compared as they are spelled; modes are ignored; "-" is a name like any other. Not thread-safe.
class MemoryFileSystem : public FileSystem {
 public:
  Result<std::string> read(const std::string& path) override;
  Status replace(const std::string& path, const std::string& bytes, unsigned mode = 0644) override;
  Status create(const std::string& path, const std::string& bytes, unsigned mode = 0644) override;
  Status remove(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& folder) override;
  std::string kind_of(const std::string& path) override;

  // Path to content; open for tests to look at and to change.
  std::map<std::string, std::string> files;
};

}  // namespace cmb2kueue::base
