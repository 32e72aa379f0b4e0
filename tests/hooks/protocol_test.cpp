// What is asked and what is understood, word for word.
#include "protocol.h"

#include <gtest/gtest.h>

namespace cmb2kueue::hooks {
namespace {

Call call() {
  return {"east", "r-1", 12, "r-1/12/cede", {"t-1", "/lab/\"one\"", "abc", "batch", "lq", "cq"}};
}

TEST(HooksProtocol, RequestsSayWhoWhatAndWhen) {
  const Ceiling ceiling{"t-1",
                        "/lab/one",
                        "default",
                        "memory",
                        base::Quantity::of(64, base::Unit::mebi),
                        base::Quantity::of(1024, base::Unit::mebi),
                        true};
  EXPECT_EQ(
      request_text(Hook::cede, call(), {{ceiling}, {}, ""}),
      R"({"apiVersion":"cmb2kueue.io/hooks/v1alpha1","hook":"cede","key":"r-1/12/cede","sequence":12,"cell":"east",)"
      R"("run":"r-1","tenant":{"id":"t-1","path":"/lab/\"one\"","hash":"abc","namespace":"batch","localQueue":"lq",)"
      R"("clusterQueue":"cq"},"ceilings":[{"tenant":"t-1","path":"/lab/one","flavor":"default","resource":"memory",)"
      R"("own":"64Mi","subtree":"1Gi","closed":true}]})"
      "\n");
  const std::string withdraw = request_text(Hook::withdraw, call(), {{}, {{"j1", "{}"}, {"j2", ""}}, ""});
  EXPECT_NE(withdraw.find(R"("jobs":["j1","j2"])"), std::string::npos) << withdraw;
  const std::string enqueue = request_text(Hook::enqueue, call(), {{}, {{"j1", R"({"a": 1})"}}, ""});
  EXPECT_NE(enqueue.find(R"("jobs":[{"id":"j1","job":{"a":1}}])"), std::string::npos) << enqueue;
  EXPECT_NE(request_text(Hook::notify, call(), {{}, {}, "Moved"}).find(R"("state":"Moved")"), std::string::npos);
}

TEST(HooksProtocol, DoneRefusedAndPendingAreThreeThings) {
  EXPECT_TRUE(parse_answer(Hook::cede, R"({"status":"done"})").ok());
  const base::Status refused = parse_answer(Hook::cede, R"({"status":"refused","message":"frozen"})").status();
  EXPECT_EQ(refused.kind(), base::ErrorKind::conflict);
  EXPECT_NE(refused.message().find("frozen"), std::string::npos);
  EXPECT_EQ(parse_answer(Hook::cede, R"({"status":"pending"})").status().kind(), base::ErrorKind::interrupted);
}

TEST(HooksProtocol, NonsenseIsNoAnswerAndItsContentIsNotRepeated) {
  const std::pair<Hook, const char*> cases[] = {
      {Hook::probe, ""},
      {Hook::probe, "token-canary"},
      {Hook::probe, "[]"},
      {Hook::probe, R"({"status":"token-canary"})"},
      {Hook::probe, R"({"state":"done"})"},
      {Hook::probe, R"({"status":"done")"},
      {Hook::route, R"({"status":"done"})"},
      {Hook::route, R"({"status":"done","side":"both"})"},
      {Hook::usage, R"({"status":"done"})"},
      {Hook::usage, R"({"status":"done","usage":[{"tenant":"a","flavor":"f","resource":"cpu","used":"-1"}]})"},
      {Hook::usage, R"({"status":"done","usage":[{"tenant":"a","flavor":"f","resource":"cpu","used":"much"}]})"},
      {Hook::usage, R"({"status":"done","usage":[{"tenant":"a","flavor":"f","used":"1"}]})"},
      {Hook::usage, R"({"status":"done","usage":["token-canary"]})"},
      {Hook::pending, R"({"status":"done","jobs":[""]})"},
      {Hook::withdraw, R"({"status":"done","jobs":[{"id":"a"}]})"},
      {Hook::withdraw, R"({"status":"done","jobs":[{"id":"a","outcome":"queued"}]})"},
      {Hook::enqueue, R"({"status":"done","jobs":[{"id":"a","outcome":"withdrawn"}]})"},
      {Hook::enqueue, R"({"status":"done","jobs":[{"outcome":"queued"}]})"},
  };
  for (const auto& [hook, text] : cases) {
    const base::Result<Answer> answer = parse_answer(hook, text);
    EXPECT_EQ(answer.status().kind(), base::ErrorKind::cluster) << text;
    EXPECT_EQ(answer.status().message().find("canary"), std::string::npos) << answer.status().message();
  }
}

TEST(HooksProtocol, AnswersAreRead) {
  EXPECT_EQ(parse_answer(Hook::route, R"({"status":"done","side":"kueue"})").value().side, Side::kueue);
  const Answer usage =
      parse_answer(Hook::usage,
                   R"({"status":"done","usage":[{"tenant":"a","flavor":"f","resource":"cpu","used":"1500m"}]})")
          .value();
  ASSERT_EQ(usage.uses.size(), 1U);
  EXPECT_EQ(usage.uses[0].used, base::Quantity::parse("1.5").value());
  const Answer withdrawn =
      parse_answer(Hook::withdraw, R"({"status":"done","jobs":[{"id":"b","outcome":"started"},)"
                                   R"({"id":"a","outcome":"withdrawn","job":{"jobId":"a"}}]})")
          .value();
  const std::vector<JobFate> fates = in_order_of({"a", "b", "c"}, withdrawn.jobs).value();
  ASSERT_EQ(fates.size(), 3U);
  EXPECT_EQ(fates[0].fate, Fate::withdrawn);
  EXPECT_EQ(fates[0].body, R"({"jobId":"a"})");
  EXPECT_EQ(fates[1].fate, Fate::started);
  EXPECT_EQ(fates[2].fate, Fate::unknown);
}

TEST(HooksProtocol, FatesOfJobsNobodyAskedAboutAreNonsense) {
  EXPECT_FALSE(in_order_of({"a"}, {{"b", Fate::started, "", ""}}).ok());
  EXPECT_FALSE(in_order_of({"a"}, {{"a", Fate::started, "", ""}, {"a", Fate::withdrawn, "", ""}}).ok());
}

TEST(HooksProtocol, WordsReadBack) {
  EXPECT_EQ(all_hooks().size(), 11U);
  for (const Hook hook : all_hooks()) EXPECT_EQ(hook_of(to_string(hook)), hook);
  EXPECT_FALSE(hook_of("swich").has_value());
}

}  // namespace
}  // namespace cmb2kueue::hooks
