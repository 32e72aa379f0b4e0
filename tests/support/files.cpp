#include "support/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace cmb2kueue::testing {

namespace fs = std::filesystem;

std::string project_path(const std::string& relative) {
  return std::string(CMB2KUEUE_SOURCE_DIR) + "/" + relative;
}

std::string corpus_path(const std::string& relative) {
  std::string path = std::string(CMB2KUEUE_SOURCE_DIR) + "/../shared/corpus/" + relative;
  return fs::exists(path) ? path : std::string();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << "cannot read " << path;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_file(const std::string& path, const std::string& bytes) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  ASSERT_TRUE(out.good()) << "cannot write " << path;
}

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (fs::temp_directory_path() / "cmb2kueue-test-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void expect_golden(const std::string& relative, const std::string& actual) {
  const std::string path = project_path(relative);
  if (std::getenv("CMB2KUEUE_UPDATE_GOLDEN") != nullptr) {
    write_file(path, actual);
    return;
  }
  EXPECT_EQ(read_file(path), actual) << "golden file " << relative << " (CMB2KUEUE_UPDATE_GOLDEN=1 rewrites it)";
}

}  // namespace cmb2kueue::testing
