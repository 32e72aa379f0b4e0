// The real file system: whole files in, whole files out, everything flushed before it counts.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/text.h"

namespace cmb2kueue::base {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = 0xffffffffU;  // places are 32-bit offsets

Status failure(const char* doing, const std::string& path, int code) {
  const ErrorKind kind = code == ENOENT ? ErrorKind::not_found : ErrorKind::io;
  return Status(kind, fmt::format("cannot {} {}: {}", doing, quoted(path, 400), std::strerror(code)));
}

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Result<std::string> read_all(int fd, const std::string& path) {
  std::string text;
  struct stat status {};
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
    return Status(ErrorKind::io, "cannot read " + quoted(path, 400) + ": it is a folder");
  if (S_ISREG(status.st_mode)) text.reserve(static_cast<std::size_t>(status.st_size) + 128);
  std::size_t have = 0;
  for (;;) {
    text.resize(have + std::max<std::size_t>(65536, text.capacity() - have - 64));
    const ssize_t count = ::read(fd, text.data() + have, text.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure("read", path, errno);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
    if (have > largest_file)
      return Status(ErrorKind::input, quoted(path, 400) + " is larger than 4 GiB", "split the export");
  }
  text.resize(have);
  return text;
}

Status write_all(int fd, const std::string& bytes, const std::string& path) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure("write", path, errno);
    done += static_cast<std::size_t>(count);
  }
  if (fsync(fd) != 0) return failure("flush", path, errno);
  return {};
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Status flush_folder(const std::string& folder) {
  const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) return failure("open", folder, errno);
  if (fsync(fd.get()) != 0 && errno != EINVAL) return failure("flush", folder, errno);
  return {};
}

// A flushed file beside its destination; the caller moves or links it into place and it never outlives that.
Result<std::string> write_beside(const std::string& path, const std::string& bytes, unsigned mode) {
  std::error_code error;
  fs::create_directories(folder_of(path), error);
  if (error) return failure("make folder", folder_of(path), error.value());
  const std::string name = fs::path(path).filename().string();
  const std::string beside = fmt::format("{}/.{}.tmp-{}", folder_of(path), name, getpid());
  const Descriptor fd(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (fd.get() < 0) return failure("create", beside, errno);
  Status status = fchmod(fd.get(), mode) != 0 ? failure("set the mode of", beside, errno) : Status();
  if (status.ok()) status = write_all(fd.get(), bytes, beside);
  if (status.ok()) return beside;
  unlink(beside.c_str());
  return status;
}

class RealFileSystem : public FileSystem {
 public:
  Result<std::string> read(const std::string& path) override;
  Status replace(const std::string& path, const std::string& bytes, unsigned mode) override;
  Status create(const std::string& path, const std::string& bytes, unsigned mode) override;
  Status remove(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& folder) override;
  std::string kind_of(const std::string& path) override;
};

Result<std::string> RealFileSystem::read(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  const Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return failure("read", path, errno);
  return read_all(fd.get(), path);
}

Status RealFileSystem::replace(const std::string& path, const std::string& bytes, unsigned mode) {
  const Result<std::string> beside = write_beside(path, bytes, mode);
  if (!beside.ok()) return beside.status();
  if (std::rename(beside.value().c_str(), path.c_str()) != 0) {
    const int code = errno;
    unlink(beside.value().c_str());
    return failure("replace", path, code);
  }
  return flush_folder(folder_of(path));
}

Status RealFileSystem::create(const std::string& path, const std::string& bytes, unsigned mode) {
  const Result<std::string> beside = write_beside(path, bytes, mode);
  if (!beside.ok()) return beside.status();
  const int code = link(beside.value().c_str(), path.c_str()) != 0 ? errno : 0;
  unlink(beside.value().c_str());
  if (code == EEXIST) return Status(ErrorKind::conflict, quoted(path, 400) + " exists already");
  if (code != 0) return failure("create", path, code);
  return flush_folder(folder_of(path));
}

Status RealFileSystem::remove(const std::string& path) {
  if (std::remove(path.c_str()) != 0) return failure("remove", path, errno);
  return flush_folder(folder_of(path));
}

Result<std::vector<std::string>> RealFileSystem::list(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, error);
  if (error.value() == ENOENT) return found;
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error))
    if (!walk->is_symlink() && walk->is_regular_file())
      found.push_back(walk->path().lexically_relative(folder).string());
  if (error) return failure("list", folder, error.value());
  std::sort(found.begin(), found.end());
  return found;
}

std::string RealFileSystem::kind_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error || !fs::exists(status)) return "";
  if (fs::is_regular_file(status)) return "file";
  return fs::is_directory(status) ? "folder" : "other";
}

}  // namespace

std::unique_ptr<FileSystem> real_file_system() {
  return std::make_unique<RealFileSystem>();
}

}  // namespace cmb2kueue::base
