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
constexpr std::size_t spare = 128;                 // room for SourceFiles to pad the text without copying it

Status failure(const char* doing, const std::string& path, int code) {
  const ErrorKind kind = code == ENOENT ? ErrorKind::not_found : ErrorKind::io;
  return Status(kind, fmt::format("cannot {} {}: {}", doing, quoted(path, 400), std::strerror(code)));
}

Status too_large(const std::string& path) {
  return Status(ErrorKind::input, quoted(path, 400) + " is larger than 4 GiB", "split it into several files");
}

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
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
  const std::size_t expected = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 65536;
  if (expected > largest_file) return too_large(path);
  text.reserve(expected + spare);
  text.resize(expected + 1);  // one byte more, so that the end shows without growing
  std::size_t have = 0;
  for (;;) {
    if (have == text.size()) text.resize(2 * have);
    const ssize_t count = ::read(fd, text.data() + have, text.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure("read", path, errno);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
    if (have > largest_file) return too_large(path);
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

// Makes the folder and those above it that are missing, each flushed into the one that holds it.
Status make_folders(const std::string& folder) {
  std::vector<std::string> missing;
  std::error_code error;
  for (std::string at = folder; !fs::exists(at, error) && !error; at = folder_of(at)) missing.push_back(at);
  if (error) return failure("make folder", folder, error.value());
  for (; !missing.empty(); missing.pop_back()) {
    if (mkdir(missing.back().c_str(), 0777) != 0 && errno != EEXIST)
      return failure("make folder", missing.back(), errno);
    Status status = flush_folder(folder_of(missing.back()));
    if (!status.ok()) return status;
  }
  return {};
}

constexpr std::string_view temporary_mark = ".tmp-";

// The name a file has while it is being written: ".<name>.tmp-<pid>", with a long name cut to stay within 255
// bytes.
std::string temporary_for(const std::string& path) {
  const std::string name = fs::path(path).filename().string().substr(0, 200);
  return fmt::format("{}/.{}{}{}", folder_of(path), name, temporary_mark, getpid());
}

bool is_temporary(const std::string& name) {
  const std::size_t mark = name.rfind(temporary_mark);
  return name[0] == '.' && mark != std::string::npos && mark + temporary_mark.size() < name.size() &&
         name.find_first_not_of("0123456789", mark + temporary_mark.size()) == std::string::npos;
}

// A flushed file beside its destination; the caller moves or links it into place and it never outlives that. What a
// dead process of our number left there is removed first, so that nothing, a symbolic link least of all, is
// followed.
Result<std::string> write_beside(const std::string& path, const std::string& bytes, unsigned mode) {
  Status made = make_folders(folder_of(path));
  if (!made.ok()) return made;
  const std::string beside = temporary_for(path);
  unlink(beside.c_str());
  const Descriptor fd(open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
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
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    std::error_code gone;
    const bool regular = walk->symlink_status(gone).type() == fs::file_type::regular;
    if (regular && !is_temporary(walk->path().filename().string()))
      found.push_back(walk->path().lexically_relative(folder).string());
  }
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
