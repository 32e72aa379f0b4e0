// What goes wrong in the middle: programs die, somebody else writes, webhooks refuse. The same command finishes, or
// says why not, and nothing is left half done.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "lab.h"

namespace cmb2kueue::judge {
namespace {

using base::ErrorKind;
using cutover::TenantState;
using ::testing::AllOf;
using testing::Fails;
using ::testing::HasSubstr;

// Questions and tries are no writes.
bool is_write(const target::HttpRequest& request) {
  return request.method != "GET" && request.path.find("selfsubjectaccessreviews") == std::string::npos &&
         request.path.find("dryRun=All") == std::string::npos;
}

class Faults : public Lab {
 protected:
  // Runs `fault` before the nth write of this bench.
  static void at_write(Wire& wire, std::size_t n, std::function<void()> fault) {
    wire.before = [n, fault = std::move(fault), seen = std::size_t{0}](
                      const target::HttpRequest& request) mutable -> std::optional<target::HttpResponse> {
      if (is_write(request) && ++seen == n) fault();
      return std::nullopt;
    };
  }
  // Ends a program now and brings it back a little later, while requests are already failing.
  void outage(const std::string& program) {
    control("kill", program);
    comeback_ = std::thread([program] {
      base::SystemClock().sleep_ms(700);
      control("start", program);
    });
  }
  // The same command again while it says that time is all that is missing: Kueue, too, has to find the server.
  static base::Result<cutover::Outcome> insist(const std::function<base::Result<cutover::Outcome>()>& run) {
    base::Result<cutover::Outcome> done = run();
    for (int again = 0; again < 3 && done.status().kind() == ErrorKind::interrupted; ++again) done = run();
    return done;
  }
  void comeback() {
    if (comeback_.joinable()) comeback_.join();
  }

  void TearDown() override {
    comeback();
    Lab::TearDown();
  }

  std::thread comeback_;
};

TEST_F(Faults, TheApiServerDiesAndComesBackAtAnyPoint) {
  std::size_t tried = 0;
  for (const std::size_t n : {2U, 14U, 30U}) {
    target::OpenOptions patient;
    patient.patience_ms = 30'000;
    Bench there = bench(patient);
    there.place->context().ready_timeout_ms = 60'000;  // Kueue, too, has to find the server again
    at_write(*there.wire, n, [&] { outage("kube-apiserver"); });
    const cutover::Plan plan = there.place->plan({"a"});
    ASSERT_OK(insist([&] { return there.place->cut_over("a", true, &plan); }));
    comeback();
    EXPECT_EQ(there.place->state().enrolled.at("hash-a").state, TenantState::moved);
    Bench back = bench(patient);
    at_write(*back.wire, n / 2 + 1, [&] { outage("kube-apiserver"); });
    ASSERT_OK(insist([&] { return back.place->roll_back("a"); }));
    comeback();
    EXPECT_EQ(everything(), "") << "after the outage before write " << n;
    tried += 2;
  }
  fmt::print("API server killed and restarted in the middle: {} times\n", tried);
}

TEST_F(Faults, TheManagerStopsInTheMiddle) {
  if (!has_controllers()) GTEST_SKIP() << "this profile has no manager";
  std::size_t tried = 0;
  for (const std::size_t n : {3U, 14U, 26U}) {
    Bench there = bench();
    const cutover::Plan plan = there.place->plan({"a"});
    at_write(*there.wire, n, [&] { control("kill", "kueue"); });
    const base::Result<cutover::Outcome> stopped = there.place->cut_over("a", true, &plan);
    control("start", "kueue");
    if (!stopped.ok()) {
      EXPECT_THAT(stopped.status().kind(), ::testing::AnyOf(ErrorKind::cluster, ErrorKind::interrupted))
          << testing::describe(stopped.status());
    }
    Bench again = bench();
    const bool goes_on =
        !again.place->state().enrolled.empty();  // else all of it was undone, and a plan is used once
    if (!goes_on || again.place->state().enrolled.at("hash-a").state < TenantState::moved)
      ASSERT_OK(insist([&] { return again.place->cut_over("a", true, goes_on ? &plan : nullptr); }));
    ASSERT_OK(insist([&] { return again.place->roll_back("a"); }));
    EXPECT_EQ(everything(), "") << "manager gone before write " << n;
    ++tried;
  }
  fmt::print("Kueue's manager stopped in the middle: {} times\n", tried);
}

// scenario 21: a webhook that does not serve is asked again for a while, then named; a denial is the last word.
TEST_F(Faults, AWebhookThatIsDownIsRetriedAndNamedADenialIsNot) {
  if (!has_controllers()) GTEST_SKIP() << "this profile has no webhooks";
  Wire* wire = nullptr;
  target::OpenOptions options;
  options.patience_ms = 2'500;
  const std::unique_ptr<target::KubeTarget> target = open(wire, options);
  kueue::Cohort cohort;
  cohort.meta.name = "webhook-test";
  control("kill", "kueue");
  const base::Status down = target->put({"shared/x", {cohort}}, "").status();
  control("start", "kueue");
  EXPECT_THAT(down,
              Fails(ErrorKind::cluster, AllOf(HasSubstr("vcohort.kb.io"), HasSubstr("failed calling webhook"))));
  EXPECT_GT(wire->writes, 2U) << "asked more than once";
  target::OpenOptions patient;
  const std::unique_ptr<target::KubeTarget> again = open(wire, patient);
  ASSERT_OK(again->put({"shared/x", {cohort}}, ""));
  kueue::ClusterQueue wrong;
  wrong.meta.name = "denied";
  wrong.groups = {{{"cpu"}, {{"default", {{"cpu", base::Quantity::of(-1, base::Unit::one), {}, {}}}}}}};
  wire->writes = 0;
  const base::Status denied = again->put({"tenants/denied", {wrong}}, "").status();
  EXPECT_THAT(denied, Fails(ErrorKind::cluster, HasSubstr("denied the request")));
  EXPECT_EQ(wire->writes, 1U) << "a denial is not asked again";
}

TEST_F(Faults, ASecondWriterIsNoticedAndAStatusIsNone) {
  Bench there = bench();
  std::size_t touched = 0;
  // Kueue writes statuses while we write: the version moves, the content does not.
  there.wire->before = [&](const target::HttpRequest& request) -> std::optional<target::HttpResponse> {
    if (request.method == "PATCH" && request.path.find("clusterqueues") != std::string::npos &&
        request.path.find("/status") == std::string::npos && touched < 2) {
      ++touched;
      const target::ApiAnswer done =
          send("PATCH", cluster_queue("a") + "/status",
               fmt::format(R"({{"status":{{"pendingWorkloads":{}}}}})", touched), "application/merge-patch+json");
      EXPECT_TRUE(done.ok()) << done.message;
    }
    return std::nullopt;
  };
  ASSERT_OK(there.place->cut_over("a", false));
  EXPECT_EQ(touched, 2U);
  bool edited = false;
  there.wire->before = [&](const target::HttpRequest& request) -> std::optional<target::HttpResponse> {
    if (request.method == "PATCH" && request.path.find("clusterqueues") != std::string::npos && !edited) {
      edited = true;
      edit(cluster_queue("a"), R"({"spec":{"queueingStrategy":"StrictFIFO"}})");
    }
    return std::nullopt;
  };
  const base::Status rolled = there.place->roll_back("a").status();
  EXPECT_THAT(rolled, Fails(ErrorKind::conflict, HasSubstr("somebody else")));
  there.wire->before = nullptr;
  const base::Result<cutover::Outcome> again = there.place->roll_back("a");
  ASSERT_OK(again);
  EXPECT_THAT(cell::told(again.value()), HasSubstr("changed by somebody else"));
  EXPECT_EQ(everything(), "");
}

}  // namespace
}  // namespace cmb2kueue::judge
