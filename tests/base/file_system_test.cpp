// The real file system, and the one in memory wherever both promise the same.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "cmb2kueue/base/file.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::base {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777U;
}

// What every file system promises, below a folder of its own.
void expect_contract(FileSystem& files, const std::string& root) {
  const std::string path = root + "/a/b.txt";
  EXPECT_EQ(files.kind_of(path), "");
  EXPECT_THAT(files.read(path).status(), Fails(ErrorKind::not_found, HasSubstr("b.txt\"")));
  EXPECT_THAT(files.remove(path), Fails(ErrorKind::not_found, HasSubstr("b.txt\"")));
  EXPECT_THAT(files.list(root + "/a").value(), IsEmpty());
  ASSERT_OK(files.create(path, "one", 0644));
  EXPECT_THAT(files.create(path, "two", 0644), Fails(ErrorKind::conflict, HasSubstr("b.txt\" exists already")));
  EXPECT_EQ(files.read(path).value(), "one");
  ASSERT_OK(files.replace(path, "three", 0644));
  EXPECT_EQ(files.read(path).value(), "three");
  ASSERT_OK(files.replace(root + "/a/.hidden", "", 0600));
  ASSERT_OK(files.replace(root + "/a/c/d", std::string("\0x", 2), 0600));
  ASSERT_OK(files.replace(root + "/ab", "", 0600));
  EXPECT_EQ(files.read(root + "/a/c/d").value(), std::string("\0x", 2));
  EXPECT_THAT(files.list(root + "/a").value(), ElementsAre(".hidden", "b.txt", "c/d"));
  EXPECT_EQ(files.kind_of(path), "file");
  EXPECT_EQ(files.kind_of(root + "/a"), "folder");
  EXPECT_THAT(files.remove(root + "/a"),
              Fails(ErrorKind::io, AllOf(HasSubstr("cannot remove"), HasSubstr("not empty"))));
  ASSERT_OK(files.remove(path));
  EXPECT_EQ(files.kind_of(path), "");
}

TEST(MemoryFileSystem, KeepsTheContract) {
  MemoryFileSystem files;
  expect_contract(files, "root");
}

TEST(RealFileSystem, KeepsTheContract) {
  const ScratchFolder folder;
  expect_contract(*real_file_system(), folder.path());
}

TEST(RealFileSystem, AppliesTheModeExactly) {
  const ScratchFolder folder;
  const mode_t before = umask(0077);
  ASSERT_OK(real_file_system()->replace(folder / "public", "x", 0644));
  EXPECT_EQ(mode_of(folder / "public"), 0644U);
  umask(0);
  ASSERT_OK(real_file_system()->create(folder / "private", "x", 0600));
  ASSERT_OK(real_file_system()->replace(folder / "public", "y", 0640));
  umask(before);
  EXPECT_EQ(mode_of(folder / "private"), 0600U);
  EXPECT_EQ(mode_of(folder / "public"), 0640U);
}

TEST(RealFileSystem, LeavesNothingBehindWhenItFails) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "taken/inside");
  EXPECT_THAT(real_file_system()->replace(folder / "taken", "x"),
              Fails(ErrorKind::io, AllOf(HasSubstr("cannot replace"), HasSubstr("taken\": Is a directory"))));
  EXPECT_THAT(real_file_system()->create(folder / "taken", "x"), Fails(ErrorKind::conflict, HasSubstr("taken")));
  EXPECT_THAT(testing::files_below(folder.path()), IsEmpty());
}

TEST(RealFileSystem, SaysWhatStandsInTheWay) {
  const ScratchFolder folder;
  testing::write_file(folder / "file", "x");
  EXPECT_THAT(real_file_system()->replace(folder / "file/below", "x"),
              Fails(ErrorKind::io, HasSubstr("Not a directory")));
  EXPECT_THAT(real_file_system()->read(folder.path()).status(), Fails(ErrorKind::io, HasSubstr("it is a folder")));
  EXPECT_THAT(real_file_system()->list(folder / "file").status(), Fails(ErrorKind::io, HasSubstr("cannot list")));
}

TEST(RealFileSystem, FollowsNoLinkPlantedUnderTheTemporaryName) {
  const ScratchFolder folder;
  testing::write_file(folder / "victim", "precious");
  const std::string planted = folder / (".new.tmp-" + std::to_string(getpid()));
  std::filesystem::create_symlink(folder / "victim", planted);
  ASSERT_OK(real_file_system()->replace(folder / "new", "x"));
  EXPECT_EQ(testing::read_file(folder / "victim"), "precious");
  EXPECT_EQ(testing::read_file(folder / "new"), "x");
}

TEST(RealFileSystem, ListsNeitherLinksNorWhatAKilledWriterLeft) {
  const ScratchFolder folder;
  testing::write_file(folder / "real.yaml", "x");
  testing::write_file(folder / ".real.yaml.tmp-4711", "half");
  testing::write_file(folder / ".real.yaml.tmp-mine", "x");
  std::filesystem::create_symlink("real.yaml", folder / "link.yaml");
  std::filesystem::create_directory_symlink(".", folder / "loop");
  EXPECT_THAT(real_file_system()->list(folder.path()).value(), ElementsAre(".real.yaml.tmp-mine", "real.yaml"));
}

TEST(RealFileSystem, ReadsPipesOfAnySize) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string sent;
  for (int i = 0; i < 40000; ++i) sent += std::to_string(i) + "\n";
  std::thread writer([&] {
    const int fd = open((folder / "pipe").c_str(), O_WRONLY);
    for (std::size_t at = 0; at < sent.size(); at += 777) {
      const std::string part = sent.substr(at, 777);
      EXPECT_EQ(write(fd, part.data(), part.size()), static_cast<ssize_t>(part.size()));
    }
    close(fd);
  });
  const Result<std::string> read = real_file_system()->read(folder / "pipe");
  writer.join();
  ASSERT_OK(read);
  EXPECT_TRUE(read.value() == sent);
}

TEST(RealFileSystem, RefusesFilesOfFourGibibytes) {
  const ScratchFolder folder;
  testing::write_file(folder / "huge", "");
  if (truncate((folder / "huge").c_str(), off_t{1} << 32U) != 0) GTEST_SKIP() << "no sparse files here";
  EXPECT_THAT(real_file_system()->read(folder / "huge").status(),
              Fails(ErrorKind::input, HasSubstr("huge\" is larger than 4 GiB")));
}

TEST(RealFileSystem, LongNamesAndMissingFoldersAreNoTrouble) {
  const ScratchFolder folder;
  const std::string path = folder / ("deep/deeper/" + std::string(255, 'n'));
  ASSERT_OK(real_file_system()->create(path, "x"));
  EXPECT_EQ(testing::read_file(path), "x");
}

// The lock stands on this: of many processes creating one name, one wins, and nobody sees half a file.
TEST(RealFileSystem, ExactlyOneCreatorWins) {
  const ScratchFolder folder;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(real_file_system()->create(folder / "lock", std::string(10000, 'x')).ok() ? 0 : 1);
    children.push_back(child);
  }
  int winners = 0;
  for (const pid_t child : children) {
    int state = 0;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    if (WEXITSTATUS(state) == 0) ++winners;
  }
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(testing::read_file(folder / "lock").size(), 10000U);
}

TEST(RealFileSystem, ErrorTextsAreSafeOnATerminal) {
  EXPECT_THAT(real_file_system()->read("no\x1b[31m/such").status(),
              Fails(ErrorKind::not_found, HasSubstr("cannot read \"no\\x1b[31m/such\": No such file")));
}

}  // namespace
}  // namespace cmb2kueue::base
