// FolderWriter: a list of the files lies in the folder under a name of its own.
#include "cmb2kueue/base/folder_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::base {

namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = ".cmb2kueue-files";

Status failure(const char* doing, const std::string& path, int code) {
  return Status(ErrorKind::io,
                std::string("cannot ") + doing + " " + quoted(path, 400) + ": " + std::strerror(code));
}

std::set<std::string> read_list(const std::string& folder) {
  std::set<std::string> names;
  std::ifstream in(folder + "/" + list_name);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) names.insert(line);
  return names;
}

}  // namespace

Result<FolderWriter> FolderWriter::open(const std::string& folder) {
  FolderWriter writer(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure("make folder", folder, error.value());
  writer.before_ = read_list(folder);
  fs::recursive_directory_iterator walk(folder, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (walk->is_directory()) continue;
    const std::string name = walk->path().lexically_relative(folder).string();
    if (name != list_name && !writer.before_.contains(name))
      return Status(
          ErrorKind::conflict,
          quoted(folder, 400) + " holds files that were not written by this tool, such as " + base::quoted(name),
          "name an empty or new folder");
  }
  if (error) return failure("list", folder, error.value());
  return writer;
}

Status FolderWriter::write(const std::string& relative, const std::string& bytes) {
  const std::string path = folder_ + "/" + relative;
  const std::string parent = fs::path(path).parent_path().string();
  if (folders_.insert(parent).second) {
    std::error_code error;
    fs::create_directories(parent, error);
    if (error) return failure("make folder", parent, error.value());
  }
  const std::string beside = path + ".tmp";
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return failure("create", beside, errno);
  std::size_t done = 0;
  int code = 0;
  while (done < bytes.size() && code == 0) {
    const ssize_t count = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      code = errno;
  }
  ::close(fd);
  if (code == 0 && std::rename(beside.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) {
    ::unlink(beside.c_str());
    return failure("write", path, code);
  }
  written_.insert(relative);
  return {};
}

Status FolderWriter::finish() {
  std::string list;
  for (const std::string& name : written_) list += name + "\n";
  const std::set<std::string> written = written_;
  for (const std::string& name : before_)
    if (!written.contains(name)) ::unlink((folder_ + "/" + name).c_str());
  const Status listed = write(list_name, list);
  written_ = written;
  if (!listed.ok()) return listed;
  const int fd = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return failure("open", folder_, errno);
  const int code = syncfs(fd) != 0 ? errno : 0;
  ::close(fd);
  return code == 0 ? Status() : failure("flush", folder_, code);
}

}  // namespace cmb2kueue::base
