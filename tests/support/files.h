// Finding files of the project and making scratch folders that vanish with the test.
#pragma once
#include <string>
#include <vector>

namespace cmb2kueue::testing {

// "samples/x.json" -> its path in the source tree.
std::string project_path(const std::string& relative);

// A folder of files other people wrote, kept beside the project and never inside it ("" where it is absent:
// tests that need it skip).
std::string corpus_path(const std::string& relative);

std::string read_file(const std::string& path);  // fails the test when it cannot
void write_file(const std::string& path, const std::string& bytes);
std::vector<std::string> files_below(const std::string& folder);  // full paths, sorted

// A fresh empty folder, removed with everything in it at the end of scope.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Compares with a golden file of the source tree; with CMB2KUEUE_UPDATE_GOLDEN=1 in the environment writes it.
void expect_golden(const std::string& relative, const std::string& actual);

}  // namespace cmb2kueue::testing
