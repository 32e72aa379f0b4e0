// A file system seen from one of its folders, so that records cannot land anywhere else.
#include "directory_target.h"

namespace cmb2kueue::target {

namespace {

class Below : public base::FileSystem {
 public:
  Below(base::FileSystem& fs, std::string folder, unsigned mode)
      : fs_(fs), folder_(std::move(folder)), mode_(mode) {}
  base::Result<std::string> read(const std::string& path) override { return fs_.read(at(path)); }
  base::Status replace(const std::string& path, const std::string& bytes, unsigned) override {
    return fs_.replace(at(path), bytes, mode_);
  }
  base::Status create(const std::string& path, const std::string& bytes, unsigned) override {
    return fs_.create(at(path), bytes, mode_);
  }
  base::Status remove(const std::string& path) override { return fs_.remove(at(path)); }
  base::Result<std::vector<std::string>> list(const std::string& folder) override { return fs_.list(at(folder)); }
  std::string kind_of(const std::string& path) override { return fs_.kind_of(at(path)); }

 private:
  std::string at(const std::string& path) const { return path.empty() ? folder_ : folder_ + "/" + path; }
  base::FileSystem& fs_;
  std::string folder_;
  unsigned mode_;
};

}  // namespace

std::unique_ptr<base::FileSystem> below(base::FileSystem& fs, std::string folder, unsigned mode) {
  return std::make_unique<Below>(fs, std::move(folder), mode);
}

}  // namespace cmb2kueue::target
