#include "cmb2kueue/base/process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::base {
namespace {

using testing::Fails;
using ::testing::HasSubstr;

// The programs run here are shells because those can do anything; the code under test never starts one itself.
Result<ProcessResult> shell(const std::string& script, const std::string& input = "", int timeout_ms = 20000) {
  return run_process({"sh", "-c", script}, input, timeout_ms);
}

TEST(RunProcess, GivesInputAndTakesBothOutputs) {
  const Result<ProcessResult> result = shell("cat; echo problem >&2; exit 3", "question");
  ASSERT_OK(result);
  EXPECT_EQ(result->out, "question");
  EXPECT_EQ(result->err, "problem\n");
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_FALSE(result->timed_out);
}

TEST(RunProcess, ArgumentsReachTheProgramUntouched) {
  const Result<ProcessResult> result = run_process({"printf", "%s|", "a b", "$HOME", "`id`", "*", ""}, "", 20000);
  ASSERT_OK(result);
  EXPECT_EQ(result->out, "a b|$HOME|`id`|*||");
}

TEST(RunProcess, LargeInputAndOutputDoNotBlockEachOther) {
  const std::string input(5000000, 'x');
  const Result<ProcessResult> result = run_process({"cat"}, input, 60000);
  ASSERT_OK(result);
  EXPECT_TRUE(result->out == input);
}

TEST(RunProcess, AProgramThatDoesNotReadIsNoFailure) {
  const Result<ProcessResult> result = shell("exec <&-; echo done", std::string(5000000, 'x'));
  ASSERT_OK(result);
  EXPECT_EQ(result->out, "done\n");
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(RunProcess, ProgramsStartWithSignalsAsInAFreshProcess) {
  const Result<ProcessResult> result = shell("kill -PIPE $$; echo survived");
  ASSERT_OK(result);
  EXPECT_EQ(result->exit_code, 128 + SIGPIPE);
  EXPECT_EQ(result->out, "");
}

TEST(RunProcess, MissingProgramsAreNamed) {
  EXPECT_THAT(
      run_process({"no-such-program-here", "x"}, "", 1000).status(),
      Fails(ErrorKind::not_found, HasSubstr("cannot run \"no-such-program-here\": there is no such program")));
  EXPECT_THAT(run_process({}, "", 1000).status(), Fails(ErrorKind::usage, HasSubstr("no program was named")));
}

TEST(RunProcess, WhatIsNoProgramCannotBeStarted) {
  const testing::ScratchFolder folder;
  testing::write_file(folder / "notes.txt", "just text");
  EXPECT_THAT(run_process({folder / "notes.txt"}, "", 1000).status(),
              Fails(ErrorKind::io, HasSubstr("notes.txt\": Permission denied")));
}

TEST(RunProcess, TheTimeLimitReachesTheChildrenToo) {
  const auto start = std::chrono::steady_clock::now();
  const Result<ProcessResult> result = shell("sleep 60 & echo started; wait", "", 1000);
  ASSERT_OK(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->exit_code, 128 + SIGTERM);
  EXPECT_EQ(result->out, "started\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

// True while /proc knows the process as more than a zombie.
bool running(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string number, command, state;
  stat >> number >> command >> state;
  return !state.empty() && state != "Z";
}

TEST(RunProcess, DeafChildrenOfAProgramThatGaveInAreKilled) {
  const Result<ProcessResult> result = shell("trap '' TERM; sleep 60 & trap - TERM; printf $!; wait", "", 1000);
  ASSERT_OK(result);
  EXPECT_EQ(result->exit_code, 128 + SIGTERM);
  ASSERT_FALSE(result->out.empty());
  for (int turn = 0; turn < 500 && running(result->out); ++turn) usleep(10000);
  EXPECT_FALSE(running(result->out));
}

TEST(RunProcess, DeafProgramsAreKilledTwoSecondsLater) {
  const auto start = std::chrono::steady_clock::now();
  const Result<ProcessResult> result = shell("trap '' TERM; while :; do sleep 0.1; done", "", 1000);
  const auto took = std::chrono::steady_clock::now() - start;
  ASSERT_OK(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->exit_code, 128 + SIGKILL);
  EXPECT_GT(took, std::chrono::seconds(3));
  EXPECT_LT(took, std::chrono::seconds(30));
}

TEST(RunProcess, ABackgroundChildDoesNotHoldUsUp) {
  const auto start = std::chrono::steady_clock::now();
  const Result<ProcessResult> result = shell("sleep 60 & echo $!");
  ASSERT_OK(result);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(kill(std::atoi(result->out.c_str()), SIGKILL), 0) << "it was left running";
}

TEST(RunProcess, EndlessOutputIsRefused) {
  EXPECT_THAT(run_process({"yes"}, "", 60000).status(),
              Fails(ErrorKind::io, HasSubstr("\"yes\" wrote more than 64 MiB")));
}

TEST(RunProcess, TheEnvironmentIsOursWithWhatIsAdded) {
  ProcessOptions options;
  options.environment = {{"HOME", "/nowhere"}, {"LANTERN", "a b$c"}, {"LANTERN", "last"}};
  const Result<ProcessResult> result = run_process(
      {"sh", "-c", "echo $HOME $LANTERN; test -n \"$PATH\" && echo path; env | grep -c LANTERN="}, options);
  ASSERT_OK(result);
  EXPECT_EQ(result->out, "/nowhere last\npath\n1\n");
}

// Runs a program with its standard input and errors on files of ours, in a process that ends behind it.
TEST(RunProcess, WhatIsSharedIsOurs) {
  const testing::ScratchFolder folder;
  testing::write_file(folder / "in", "typed");
  const pid_t pid = fork();
  if (pid == 0) {
    if (std::freopen((folder / "in").c_str(), "r", stdin) == nullptr) _exit(9);
    if (std::freopen((folder / "err").c_str(), "w", stderr) == nullptr) _exit(9);
    ProcessOptions options;
    options.share_errors = options.share_terminal = true;
    const std::string same_group = "test $(cut -d' ' -f5 /proc/$$/stat) = " + std::to_string(getpgrp());
    const Result<ProcessResult> result = run_process({"sh", "-c", "cat; echo problem >&2; " + same_group}, options);
    _exit(result.ok() && result->out == "typed" && result->err.empty() ? result->exit_code : 8);
  }
  int state = 0;
  ASSERT_EQ(waitpid(pid, &state, 0), pid);
  EXPECT_EQ(WEXITSTATUS(state), 0);
  EXPECT_EQ(testing::read_file(folder / "err"), "problem\n");
}

TEST(RunProcess, TheTimeLimitAlsoEndsAProgramAtOurTerminal) {
  ProcessOptions options;
  options.share_terminal = true;
  options.timeout_ms = 300;
  const Result<ProcessResult> result = run_process({"sleep", "60"}, options);
  ASSERT_OK(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->exit_code, 128 + SIGTERM);
}

TEST(RunProcess, AnOutputBeyondTheCallersLimitIsRefused) {
  ProcessOptions options;
  options.largest_output = std::size_t{1} << 20U;
  EXPECT_THAT(run_process({"yes"}, options).status(),
              Fails(ErrorKind::io, HasSubstr("\"yes\" wrote more than 1 MiB")));
}

}  // namespace
}  // namespace cmb2kueue::base
