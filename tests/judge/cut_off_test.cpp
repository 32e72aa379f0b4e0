// A run that is cut off at any write, as by SIGKILL or a cable, is finished by the same plan, and can be brought
// back; and namespaces that come with a tenant go with it, unless somebody lives in them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "lab.h"

namespace cmb2kueue::judge {
namespace {

using cutover::TenantState;
using ::testing::HasSubstr;

class CutOff : public Lab {
 protected:
  // A bench whose process is gone by the next run, and whose requests go nowhere after n writes.
  Bench dying(std::size_t n) {
    target::OpenOptions options;
    options.patience_ms = 1;
    Bench made = bench(options);
    made.place->context().who.pid = 4'000'000;  // above any pid this system gives out
    made.place->context().who.started = 1;
    made.wire->before = [n, seen = std::size_t{0}](
                            const target::HttpRequest& request) mutable -> std::optional<target::HttpResponse> {
      if (request.method != "GET" && request.path.find("selfsubjectaccessreviews") == std::string::npos) ++seen;
      if (seen <= n) return std::nullopt;
      target::HttpResponse nothing;
      nothing.failure = target::Failure::not_sent;
      nothing.problem = "the cable is cut";
      return nothing;
    };
    return made;
  }
  static void give_home(cutover::Plan& plan) {
    kueue::Namespace home;
    home.meta.name = "judge-home";
    home.meta.labels = {{kueue::label_managed_by, kueue::managed_by}};
    for (cutover::PlannedTenant& one : plan.cells[0].tenants) {
      one.objects.insert(one.objects.begin(), home);
      for (kueue::Object& object : one.objects)
        if (kueue::LocalQueue* local = std::get_if<kueue::LocalQueue>(&object))
          local->meta.name_space = "judge-home";
    }
    cutover::seal(plan);
  }
};

TEST_F(CutOff, AtAnyWriteOnTheWayThereAndBack) {
  std::size_t points = 0;
  for (std::size_t n = 1;; n += 3) {
    Bench first = dying(n);
    const cutover::Plan plan = bench().place->plan({"a"});
    const base::Result<cutover::Outcome> cut = first.place->cut_over("a", true, &plan);
    Bench again = bench();
    const cutover::State state = again.place->state();
    const bool goes_on = state.enrolled.contains("hash-a");
    if (!goes_on || state.enrolled.at("hash-a").state < TenantState::moved)
      ASSERT_OK(again.place->cut_over("a", true, goes_on ? &plan : nullptr));
    ASSERT_EQ(again.place->state().enrolled.at("hash-a").state, TenantState::moved);
    const bool whole = cut.ok();
    static_cast<void>(dying(n).place->roll_back("a"));
    Bench last = bench();
    if (last.place->state().enrolled.contains("hash-a")) ASSERT_OK(last.place->roll_back("a"));
    ASSERT_EQ(everything(), "") << "cut off after " << n << " writes";
    points += 2;
    if (whole) break;
  }
  fmt::print("cut off at a write: {} times, finished and brought back each time\n", points);
  EXPECT_GT(points, 15U);
}

TEST_F(CutOff, APlanForAnotherClusterIsRefused) {
  Bench there = bench();
  cutover::Plan plan = there.place->plan({"a"});
  plan.cells[0].identity = "11111111-2222-3333-4444-555555555555";
  cutover::seal(plan);
  EXPECT_THAT(there.place->cut_over("a", true, &plan).status(),
              testing::Fails(base::ErrorKind::stale, HasSubstr("was made for the cluster")));
  EXPECT_EQ(everything(), "");
}

TEST_F(CutOff, ANamespaceGoesWithItsTenantUnlessSomebodyLivesInIt) {
  for (const bool inhabited : {false, true}) {
    Bench there = bench();
    cutover::Plan plan = there.place->plan({"a"});
    give_home(plan);
    ASSERT_OK(there.place->cut_over("a", true, &plan));
    EXPECT_TRUE(exists("/api/v1/namespaces/judge-home"));
    if (inhabited)
      send("POST", "/api/v1/namespaces/judge-home/configmaps",
           R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"of-somebody"}})");
    const base::Result<cutover::Outcome> back = there.place->roll_back("a");
    ASSERT_OK(back);
    EXPECT_EQ(exists("/api/v1/namespaces/judge-home"), inhabited);
    EXPECT_EQ(back->differs.size(), inhabited ? 1U : 0U);
    if (!back->differs.empty()) {
      EXPECT_THAT(back->differs[0], HasSubstr("ConfigMap/of-somebody"));
    }
    EXPECT_EQ(everything(), "");
  }
}

}  // namespace
}  // namespace cmb2kueue::judge
