// A folder of manifests. PATH/[CELL/]shared and PATH/[CELL/]tenants hold files of ours, one bundle each; every
// other manifest below PATH is read and never written. PATH/[CELL/].cmb2kueue holds state, journal and lock.
#pragma once
#include <string>

#include "cmb2kueue/target/target.h"

namespace cmb2kueue::target {

class DirectoryTarget : public Target {
 public:
  DirectoryTarget(std::string path, const std::string& cell, base::FileSystem& fs);

  base::Result<std::vector<Live>> list(base::SourceFiles& files, base::Findings& findings) override;
  base::Result<Image> capture(const BundleRef& bundle) override;
  base::Result<std::string> put(const Bundle& bundle, const std::string& expected) override;
  std::string version_after(const Bundle& bundle) override;
  base::Status restore(const Image& image, const std::string& expected) override;
  base::FileSystem& records() override { return *records_; }

 private:
  std::string file_of(const std::string& bundle) const { return home_ + "/" + bundle + ".yaml"; }
  base::Status check_version(const std::string& bundle, const std::string& expected);
  base::Status write(const std::string& bundle, const std::string& bytes, const std::string& expected);
  base::Status erase(const std::string& bundle);
  void read_file(const std::string& relative, base::SourceFiles& files, base::Findings& findings,
                 std::vector<Live>& found);

  std::string path_;  // what the address names
  std::string home_;  // path, or path/cell
  base::FileSystem& fs_;
  std::unique_ptr<base::FileSystem> records_;
};

// A file system below a folder of another one.
std::unique_ptr<base::FileSystem> below(base::FileSystem& fs, std::string folder, unsigned mode);

}  // namespace cmb2kueue::target
