// Writing many small files at once: each whole or not at all, flushed together in the end, and files of an earlier
// run that are not made any more removed. A hundred thousand flushes one by one would take minutes.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::base {

class FolderWriter {
 public:
  // The folder is made if missing. One that holds files which no earlier run of ours wrote is refused (conflict),
  // so that nothing of anybody else's is mixed in or removed.
  static Result<FolderWriter> open(const std::string& folder);

  // Writes relative/path; parents are made. Later writes of the same path replace earlier ones.
  Status write(const std::string& relative, const std::string& bytes);

  // Removes what an earlier run left and this one did not write, records what there is, flushes all of it.
  Status finish();

  std::size_t written() const { return written_.size(); }

 private:
  explicit FolderWriter(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
  std::set<std::string> before_, written_, folders_;
};

}  // namespace cmb2kueue::base
