#include "cmb2kueue/base/clock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cmb2kueue::base {
namespace {

TEST(Clock, StandsStillWhenFixed) {
  FixedClock clock(5);
  EXPECT_EQ(clock.now_ms(), 5);
  clock.set(9);
  EXPECT_EQ(clock.now_ms(), 9);
}

TEST(Clock, TheSystemsClockIsPastTheYear2024) {
  SystemClock clock;
  EXPECT_GT(clock.now_ms(), parse_rfc3339("2024-01-01T00:00:00Z"));
}

TEST(Rfc3339, PrintsUtcInWholeSeconds) {
  EXPECT_EQ(rfc3339(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(rfc3339(1772600767999), "2026-03-04T05:06:07Z");
}

TEST(Rfc3339, ReadsZonesAndFractions) {
  const std::int64_t noon = parse_rfc3339("2026-03-04T12:00:00Z");
  EXPECT_EQ(rfc3339(noon), "2026-03-04T12:00:00Z");
  EXPECT_EQ(parse_rfc3339("2026-03-04T12:00:00.123456Z"), noon);
  EXPECT_EQ(parse_rfc3339("2026-03-04t12:00:00z"), noon);
  EXPECT_EQ(parse_rfc3339("2026-03-04T14:30:00+02:30"), noon);
  EXPECT_EQ(parse_rfc3339("2026-03-04T04:00:00-08:00"), noon);
  EXPECT_EQ(parse_rfc3339("2024-02-29T00:00:00Z"), 1709164800000);
}

TEST(Rfc3339, RefusesEverythingElse) {
  for (const char* bad :
       {"", "2026-03-04", "2026-03-04T12:00:00", "2026-3-4T5:6:7Z", " 2026-03-04T12:00:00Z", "2026-13-04T12:00:00Z",
        "2026-02-30T12:00:00Z", "2026-03-04T24:00:00Z", "2026-03-04T12:60:00Z", "2026-03-04T12:00:00.Z",
        "2026-03-04T12:00:00+0100", "2026-03-04T12:00:00ZZ", "2026-03-04 12:00:00Z", "+026-03-04T12:00:00Z"})
    EXPECT_EQ(parse_rfc3339(bad), -1) << bad;
}

TEST(Liveness, ThisProcessIsAliveAndKnowsItself) {
  const ProcessIdentity me = this_process();
  EXPECT_EQ(me.pid, getpid());
  EXPECT_GT(me.started, 0U);
  EXPECT_FALSE(me.host.empty());
  EXPECT_FALSE(me.user.empty());
  EXPECT_EQ(me, this_process());
  EXPECT_EQ(liveness(me), Liveness::alive);
}

TEST(Liveness, ANumberGivenOutAgainIsNotTheHolder) {
  ProcessIdentity other = this_process();
  other.started += 1;
  EXPECT_EQ(liveness(other), Liveness::dead);
}

TEST(Liveness, NothingIsClaimedAboutOtherHostsAndBoots) {
  ProcessIdentity other = this_process();
  other.host = "elsewhere";
  EXPECT_EQ(liveness(other), Liveness::unknown);
  other = this_process();
  other.boot_id = "another";
  EXPECT_EQ(liveness(other), Liveness::unknown);
  other = this_process();
  other.pid = 0;
  EXPECT_EQ(liveness(other), Liveness::unknown);
}

// Killed, and dead even before the parent asked for its exit code.
TEST(Liveness, AKilledProcessIsDead) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const ProcessIdentity me = this_process();
    if (write(ends[1], &me.started, sizeof me.started) != sizeof me.started) _exit(1);
    for (;;) pause();
  }
  ProcessIdentity identity = this_process();
  identity.pid = child;
  ASSERT_EQ(read(ends[0], &identity.started, sizeof identity.started),
            static_cast<ssize_t>(sizeof identity.started));
  EXPECT_EQ(liveness(identity), Liveness::alive);
  kill(child, SIGKILL);
  siginfo_t seen{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(liveness(identity), Liveness::dead);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(liveness(identity), Liveness::dead);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace cmb2kueue::base
