// Programs as the other side: started without a shell, hanging, failing, talking nonsense.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "cmb2kueue/base/file.h"
#include "cmb2kueue/hooks/hooks_file.h"

namespace cmb2kueue::hooks {
namespace {

class HookPrograms : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "hook-programs-" + std::to_string(getpid());
    ASSERT_TRUE(disk_->replace(folder_ + "/hook", "", 0755).ok());
  }

  // The other side that this script is.
  std::unique_ptr<OtherSide> side(const std::string& script, int timeout_ms = 10'000) {
    EXPECT_TRUE(disk_->replace(folder_ + "/hook", "#!/bin/sh\n" + script, 0755).ok());
    HooksFile file;
    file.name = "test";
    file.version = "1";
    file.fingerprint = "0123456789abcdef";
    for (const Hook hook : all_hooks()) file.offered[hook] = {{folder_ + "/hook", "a b; c $HOME"}, timeout_ms};
    return open(std::move(file));
  }
  std::string kept(const std::string& name) { return disk_->read(folder_ + "/" + name).value(); }

  std::string folder_;
  std::unique_ptr<base::FileSystem> disk_ = base::real_file_system();
  Call call_{"", "r-1", 3, "k", {"t", "/t", "h", "n", "l", "c"}};
};

TEST_F(HookPrograms, GetTheRequestAndTheirArgumentsAsTheyStand) {
  const auto other = side(
      "cat > \"$(dirname \"$0\")/request\"\nprintf '%s|%s' \"$1\" \"$2\" > \"$(dirname \"$0\")/args\"\n"
      "echo '{\"status\":\"done\",\"side\":\"cmb\"}'\n");
  EXPECT_EQ(other->route(call_).value(), Side::cmb);
  EXPECT_EQ(kept("args"), "a b; c $HOME|route");
  EXPECT_NE(kept("request").find(R"("hook":"route","key":"k","sequence":3)"), std::string::npos);
}

TEST_F(HookPrograms, ThatHangAreEndedAndTheirOutcomeIsUnknown) {
  const base::Status status = side("sleep 60\n", 200)->switch_to_kueue(call_);
  EXPECT_EQ(status.kind(), base::ErrorKind::interrupted) << status.message();
}

TEST_F(HookPrograms, ThatFailLeaveTheOutcomeUnknown) {
  const base::Status status = side("echo '{\"status\":\"done\"}'; exit 3\n")->switch_to_kueue(call_);
  EXPECT_EQ(status.kind(), base::ErrorKind::cluster);
  EXPECT_NE(status.message().find("exit code 3"), std::string::npos) << status.message();
}

TEST_F(HookPrograms, ThatCannotBeStartedAreNamed) {
  HooksFile file;
  file.offered[Hook::probe] = {{folder_ + "/missing"}, 1000};
  const base::Status status = open(std::move(file))->probe(call_);
  EXPECT_EQ(status.kind(), base::ErrorKind::cluster);
  EXPECT_NE(status.message().find("missing"), std::string::npos) << status.message();
}

TEST_F(HookPrograms, HooksThatAreNotOfferedAreNotStarted) {
  HooksFile file;
  file.name = "test";
  file.offered[Hook::probe] = {{"/bin/true"}, 1000};
  const auto other = open(std::move(file));
  EXPECT_FALSE(other->offers(Hook::cede));
  EXPECT_EQ(other->cede(call_, {}).kind(), base::ErrorKind::usage);
}

TEST_F(HookPrograms, JobsKeepTheirOrder) {
  const auto other = side(
      "cat > /dev/null\necho '{\"status\":\"done\",\"jobs\":[{\"id\":\"2\",\"outcome\":\"started\"},"
      "{\"id\":\"1\",\"outcome\":\"withdrawn\"}]}'\n");
  const std::vector<JobFate> fates = other->withdraw(call_, {"1", "2"}).value();
  EXPECT_EQ(fates[0].fate, Fate::withdrawn);
  EXPECT_EQ(fates[1].fate, Fate::started);
}

}  // namespace
}  // namespace cmb2kueue::hooks
