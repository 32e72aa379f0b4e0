// The double other tests stand on fails exactly where it is told to.
#include "support/fault_file_system.h"

#include "support/result.h"

namespace cmb2kueue::base {
namespace {

using ::testing::ElementsAre;
using testing::Fails;
using testing::FaultFileSystem;
using ::testing::HasSubstr;

TEST(FaultFileSystem, RefusesTheNthCallBeforeItDoesAnything) {
  MemoryFileSystem memory;
  FaultFileSystem files(memory);
  files.fail_before(2);
  ASSERT_OK(files.replace("a", "1", 0644));
  EXPECT_THAT(files.replace("b", "2", 0644), Fails(ErrorKind::io, HasSubstr("injected failure of replace b")));
  ASSERT_OK(files.create("c", "3", 0644));
  EXPECT_FALSE(memory.files.contains("b"));
  EXPECT_THAT(files.calls(), ElementsAre("replace a", "replace b", "create c"));
}

TEST(FaultFileSystem, LosesTheAnswerAfterTheWork) {
  MemoryFileSystem memory;
  FaultFileSystem files(memory);
  files.fail_after(1);
  EXPECT_THAT(files.replace("a", "1", 0644), Fails(ErrorKind::io, HasSubstr("loss of the answer")));
  EXPECT_EQ(files.read("a").value(), "1");
}

TEST(FaultFileSystem, StaysBrokenUntilReset) {
  MemoryFileSystem memory;
  FaultFileSystem files(memory);
  files.fail_from(1);
  EXPECT_FALSE(files.replace("a", "1", 0644).ok());
  EXPECT_FALSE(files.create("a", "1", 0644).ok());
  files.reset();
  EXPECT_TRUE(files.create("a", "1", 0644).ok());
}

TEST(FaultFileSystem, RunsTheTestsOwnFunctionAroundTheWork) {
  MemoryFileSystem memory;
  FaultFileSystem files(memory);
  std::string before, after;
  files.run_before(1, [&] { before = memory.kind_of("a"); });
  files.run_after(1, [&] { after = memory.kind_of("a"); });
  ASSERT_OK(files.replace("a", "1", 0644));
  EXPECT_EQ(before + "|" + after, "|file");
}

TEST(FaultFileSystemDeathTest, CanEndTheProcessAsAKillWould) {
  MemoryFileSystem memory;
  FaultFileSystem files(memory);
  files.run_before(1, [] { _exit(137); });
  EXPECT_EXIT(static_cast<void>(files.remove("a")), ::testing::ExitedWithCode(137), "");
}

}  // namespace
}  // namespace cmb2kueue::base
