// What is sent again and what never is, who may log in anew, and lists that go out of date.
#include "kube_client.h"

#include <gtest/gtest.h>

#include "fake_transport.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using nlohmann::json;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;

constexpr const char* queue_path = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/heron";

json queue_named(const std::string& name) {
  return {{"kind", "ClusterQueue"}, {"metadata", {{"name", name}}}, {"spec", {{"stopPolicy", "None"}}}};
}

HttpRequest get_queue() {
  return {"GET", queue_path, "", ""};
}

HttpRequest post_queue() {
  return {"POST", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues", queue_named("heron").dump(), "application/json"};
}

class KubeClientTest : public ::testing::Test {
 protected:
  ApiAnswer send(const HttpRequest& request) {
    const base::Result<ApiAnswer> answer = cluster_.client.send(request);
    EXPECT_TRUE(answer.ok());
    return answer.ok() ? answer.value() : ApiAnswer();
  }
  FakeCluster cluster_;
};

struct Rule {
  const char* what;
  HttpResponse first;
  bool reads_repeat, writes_repeat;
};

std::vector<Rule> rules() {
  const auto later = [](int status) { return with_header(plain_answer(status), "retry-after", "1"); };
  return {
      {"no connection", failed_answer(Failure::not_sent), true, true},
      {"a lost answer", failed_answer(Failure::unknown), true, false},
      {"no trust", failed_answer(Failure::refused), false, false},
      {"429", plain_answer(429), true, true},
      {"429 with a time", later(429), true, true},
      {"503", plain_answer(503), true, false},
      {"503 with a time", later(503), true, true},
      {"500", plain_answer(500), true, false},
      {"502", plain_answer(502), true, false},
      {"504", plain_answer(504), true, false},
      {"504 with a time", later(504), true, false},
      {"500 of a webhook that is down", webhook_down(), true, true},
      {"403", status_answer(403, "Forbidden", "admission webhook denied the request"), false, false},
      {"409", status_answer(409, "Conflict", "changed"), false, false},
      {"422", status_answer(422, "Invalid", "spec.x is wrong"), false, false},
      {"400", plain_answer(400), false, false},
      {"a denial in the words of a webhook", status_answer(403, "Forbidden", "failed calling webhook"), false,
       false},
  };
}

TEST_F(KubeClientTest, RepeatsWhatIsSafeAndNothingElse) {
  for (const Rule& rule : rules())
    for (const HttpRequest& request : {get_queue(), post_queue()}) {
      FakeCluster cluster;
      if (request.method == "GET") cluster.api.plant(queue_path, queue_named("heron"));
      cluster.transport.inject(request.method, rule.first);
      const base::Result<ApiAnswer> answer = cluster.client.send(request);
      ASSERT_OK(answer);
      const bool repeats = request.method == "GET" ? rule.reads_repeat : rule.writes_repeat;
      EXPECT_EQ(cluster.transport.requests.size(), repeats ? 2U : 1U) << request.method << " after " << rule.what;
      EXPECT_EQ(answer->ok(), repeats) << request.method << " after " << rule.what;
      EXPECT_EQ(cluster.waited() > 0, repeats) << request.method << " after " << rule.what;
    }
}

TEST_F(KubeClientTest, WaitsLongerEachTimeAndGivesUpInTheEnd) {
  send(get_queue());  // it is there
  cluster_.transport.requests.clear();
  for (int i = 0; i < 100; ++i) cluster_.transport.inject("POST", failed_answer(Failure::not_sent));
  const ApiAnswer answer = send(post_queue());
  EXPECT_EQ(answer.failure, Failure::not_sent);
  EXPECT_FALSE(answer.unknown());
  EXPECT_EQ(answer.message, "the line is cut");
  // 0.2 + 0.4 + ... + 6.4 = 12.6 seconds, then 8 seconds each, below 40 in all.
  EXPECT_EQ(cluster_.waited(), 36'600);
  EXPECT_EQ(cluster_.transport.requests.size(), 10U);
}

TEST_F(KubeClientTest, DoesNotWaitLongForAServerThatNeverAnswered) {
  for (int i = 0; i < 100; ++i) cluster_.transport.inject("GET", failed_answer(Failure::not_sent));
  EXPECT_EQ(send(get_queue()).failure, Failure::not_sent);
  EXPECT_LE(cluster_.waited(), 3'000);
  EXPECT_GT(cluster_.transport.requests.size(), 2U);
}

TEST_F(KubeClientTest, HonoursRetryAfterUpToItsPatience) {
  struct Row {
    const char* header;
    std::int64_t waited;
  };
  for (const Row& row : {Row{"3", 3'000}, Row{"0", 200}, Row{"3600", 8'000}, Row{"9223372036854775807", 8'000},
                         Row{"-5", 200}, Row{"Fri, 31 Dec 2027 23:59:59 GMT", 200}}) {
    FakeCluster cluster;
    cluster.transport.inject("POST", with_header(plain_answer(429), "retry-after", row.header));
    ASSERT_OK(cluster.client.send(post_queue()));
    EXPECT_EQ(cluster.waited(), row.waited) << row.header;
  }
}

// scenario 21: a webhook that does not serve yet is waited for, within bounds, and named in the end; what it denies
// is the last word.
TEST_F(KubeClientTest, Scenario21AWebhookThatIsDownIsWaitedForAndNamed) {
  for (int i = 0; i < 3; ++i) cluster_.transport.inject("POST", webhook_down());
  EXPECT_TRUE(send(post_queue()).ok());
  EXPECT_EQ(cluster_.waited(), 200 + 400 + 800);
  cluster_.api.objects.clear();
  for (int i = 0; i < 100; ++i) cluster_.transport.inject("POST", webhook_down());
  const ApiAnswer answer = send(post_queue());
  EXPECT_THAT(status_of(answer, "making it"), Fails(ErrorKind::cluster, HasSubstr("vqueue.example.org")));
  EXPECT_LE(cluster_.waited(), 41'400);
}

TEST_F(KubeClientTest, Scenario21ADenialIsNotRepeated) {
  cluster_.transport.inject(
      "POST",
      status_answer(403, "Forbidden", "admission webhook \"vqueue.example.org\" denied the request: no room"));
  const ApiAnswer answer = send(post_queue());
  EXPECT_THAT(status_of(answer, "making it"), Fails(ErrorKind::cluster, HasSubstr("denied the request: no room")));
  EXPECT_EQ(cluster_.transport.requests.size(), 1U);
}

TEST_F(KubeClientTest, OfManyOnlyThoseThatNeedItAreSentAgain) {
  cluster_.api.plant(queue_path, queue_named("heron"));
  cluster_.transport.inject("GET /b", plain_answer(503));
  cluster_.transport.inject("GET /b", plain_answer(503));
  cluster_.transport.inject("GET /c", status_answer(403, "Forbidden", "no"));
  const base::Result<std::vector<ApiAnswer>> answers =
      cluster_.client.send({get_queue(), HttpRequest{"GET", "/b", "", ""}, HttpRequest{"GET", "/c", "", ""}});
  ASSERT_OK(answers);
  EXPECT_EQ(answers.value()[0].status, 200);
  EXPECT_EQ(answers.value()[1].status, 404);
  EXPECT_EQ(answers.value()[2].status, 403);
  EXPECT_THAT(cluster_.transport.log(), ElementsAre("GET " + std::string(queue_path) + " 200", "GET /b 503",
                                                    "GET /c 403", "GET /b 503", "GET /b 404"));
}

// A cluster whose user logs in by a plugin that gives out token-1, token-2, ...
struct PluginCluster {
  static Connection connection() {
    Connection made;
    made.exec = ExecConfig();
    made.exec->api_version = "client.authentication.k8s.io/v1";
    made.exec->command = "heron-login";
    made.exec->interactive_mode = "Never";
    return made;
  }
  int runs = 0;
  FakeCluster cluster{connection(), [this](const PluginCall&) -> base::Result<PluginAnswer> {
                        PluginAnswer answer;
                        answer.out = json{{"apiVersion", "client.authentication.k8s.io/v1"},
                                          {"kind", "ExecCredential"},
                                          {"status", {{"token", "token-" + std::to_string(++runs)}}}}
                                         .dump();
                        return answer;
                      }};
};

TEST_F(KubeClientTest, A401IsTriedOnceMoreWithNewCredentials) {
  PluginCluster with;
  with.cluster.api.plant(queue_path, queue_named("heron"));
  with.cluster.transport.inject("GET", status_answer(401, "Unauthorized", "Unauthorized"));
  with.cluster.transport.inject("GET", status_answer(401, "Unauthorized", "Unauthorized"));
  const base::Result<std::vector<ApiAnswer>> answers = with.cluster.client.send({get_queue(), get_queue()});
  ASSERT_OK(answers);
  EXPECT_TRUE(answers.value()[0].ok());
  EXPECT_TRUE(answers.value()[1].ok());
  EXPECT_EQ(with.runs, 2) << "two answers, one renewal";
  EXPECT_THAT(with.cluster.transport.authorizations,
              ElementsAre("Bearer token-1", "Bearer token-1", "Bearer token-2", "Bearer token-2"));
  EXPECT_EQ(with.cluster.waited(), 0);
}

TEST_F(KubeClientTest, ASecond401IsTheLastWord) {
  PluginCluster with;
  for (int i = 0; i < 5; ++i)
    with.cluster.transport.inject("POST", status_answer(401, "Unauthorized", "Unauthorized"));
  const base::Result<ApiAnswer> answer = with.cluster.client.send(post_queue());
  ASSERT_OK(answer);
  EXPECT_THAT(status_of(answer.value(), "making it"), Fails(ErrorKind::cluster, HasSubstr("Unauthorized")));
  EXPECT_EQ(with.cluster.transport.requests.size(), 2U);
  EXPECT_EQ(with.runs, 2);
}

TEST_F(KubeClientTest, WithoutAnythingNewerA401IsNotTriedAgain) {
  cluster_.transport.inject("GET", status_answer(401, "Unauthorized", "Unauthorized"));
  EXPECT_EQ(send(get_queue()).status, 401);
  EXPECT_EQ(cluster_.transport.requests.size(), 1U);
}

TEST_F(KubeClientTest, WithoutCredentialsNothingIsSent) {
  FakeCluster cluster(PluginCluster::connection(), [](const PluginCall&) -> base::Result<PluginAnswer> {
    return base::Status(ErrorKind::not_found, "no such program");
  });
  EXPECT_THAT(cluster.client.send(get_queue()).status(), Fails(ErrorKind::cluster, HasSubstr("is not installed")));
  EXPECT_TRUE(cluster.transport.requests.empty());
}

TEST_F(KubeClientTest, TellsAWarningOncePerText) {
  const auto warned = [](const std::string& header) { return with_header(plain_answer(200), "warning", header); };
  cluster_.transport.inject("GET", warned(R"(299 - "v1beta1 is \"old\"")"));
  cluster_.transport.inject("GET", with_header(warned(R"(299 - "v1beta1 is \"old\"")"), "warning", "299 - \"b\""));
  cluster_.transport.inject("GET", warned(R"(299 - "b")"));
  for (int i = 0; i < 3; ++i) send(get_queue());
  EXPECT_THAT(cluster_.warnings, ElementsAre("v1beta1 is \"old\"", "b"));
}

TEST_F(KubeClientTest, ReadsTheStatusOfARefusal) {
  const json causes = {{{"reason", "FieldValueInvalid"}, {"field", "spec.x"}, {"message", "too big"}}};
  cluster_.transport.inject("POST", status_answer(422, "Invalid", "spec.x: too big", causes));
  const ApiAnswer answer = send(post_queue());
  EXPECT_EQ(answer.reason, "Invalid");
  EXPECT_EQ(answer.message, "spec.x: too big");
  ASSERT_EQ(answer.causes.size(), 1U);
  EXPECT_EQ(answer.causes[0].type + answer.causes[0].field + answer.causes[0].message,
            "FieldValueInvalidspec.xtoo big");
  cluster_.transport.inject("POST", plain_answer(418, "<html>a proxy's page</html>"));
  EXPECT_THAT(send(post_queue()).message, HasSubstr("a proxy's page"));
}

class KubeListTest : public KubeClientTest {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c", "d", "e"})
      cluster_.api.plant(std::string("/api/v1/namespaces/x/configmaps/") + name, {{"metadata", {{"name", name}}}});
    cluster_.api.page_size = 2;
  }
  base::Status list() {
    return cluster_.client.list(
        "/api/v1/namespaces/x/configmaps",
        [&](const Json& page) {
          for (const doc::Node item : doc::children(at(page.root(), "items")))
            names_ += text_at(item, "metadata.name");
          names_ += "|";
          return names_.ends_with(stop_at_) && !stop_at_.empty() ? base::Status(ErrorKind::internal, "enough")
                                                                 : base::Status();
        },
        [&] {
          names_.clear();
          ++restarts_;
        });
  }
  std::string names_, stop_at_;
  int restarts_ = 0;
};

TEST_F(KubeListTest, HandsOverEveryPageOnce) {
  ASSERT_OK(list());
  EXPECT_EQ(names_, "ab|cd|e|");
  EXPECT_EQ(restarts_, 0);
  EXPECT_THAT(cluster_.transport.requests[0].path, HasSubstr("?limit=500"));
  EXPECT_THAT(cluster_.transport.requests[1].path, HasSubstr("&continue=%262"));
}

TEST_F(KubeListTest, StartsOverWhenItWentOutOfDate) {
  cluster_.transport.inject("continue=%264", status_answer(410, "Expired", "too old"));
  ASSERT_OK(list());
  EXPECT_EQ(names_, "ab|cd|e|");
  EXPECT_EQ(restarts_, 1);
  EXPECT_EQ(cluster_.transport.requests.size(), 6U);
}

TEST_F(KubeListTest, StartsOverAtMostTwice) {
  for (int i = 0; i < 9; ++i) cluster_.transport.inject("continue=", status_answer(410, "Expired", "too old"));
  EXPECT_THAT(list(), Fails(ErrorKind::conflict, HasSubstr("too old")));
  EXPECT_EQ(restarts_, 2);
  EXPECT_EQ(cluster_.transport.requests.size(), 6U);
}

TEST_F(KubeListTest, EndsWhenThePageIsNotWanted) {
  stop_at_ = "cd|";
  EXPECT_THAT(list(), Fails(ErrorKind::internal, "enough"));
  EXPECT_EQ(cluster_.transport.requests.size(), 2U);
}

TEST_F(KubeListTest, AnAnswerThatIsNoJsonIsTheClustersFault) {
  cluster_.transport.inject("GET", plain_answer(200, "<html>log in</html>"));
  EXPECT_THAT(list(), Fails(ErrorKind::cluster, HasSubstr("no JSON")));
}

TEST(StatusOfTest, EachAnswerHasItsKindAndItsAdvice) {
  struct Row {
    int status;
    ErrorKind kind;
    const char* advice;
  };
  for (const Row& row : {Row{401, ErrorKind::cluster, "log in"}, Row{403, ErrorKind::cluster, "rights"},
                         Row{404, ErrorKind::not_found, "installed"}, Row{409, ErrorKind::conflict, "changed"},
                         Row{410, ErrorKind::conflict, "changed"}, Row{422, ErrorKind::cluster, ""},
                         Row{500, ErrorKind::cluster, "later"}}) {
    ApiAnswer answer;
    answer.status = row.status;
    answer.message = "so";
    const base::Status status = status_of(answer, "doing that");
    EXPECT_THAT(status, Fails(row.kind, "doing that: so")) << row.status;
    EXPECT_THAT(status.advice(), HasSubstr(row.advice)) << row.status;
  }
  ApiAnswer refused;
  refused.failure = Failure::refused;
  EXPECT_THAT(status_of(refused, "x").advice(), HasSubstr("certificate-authority"));
  refused.failure = Failure::unknown;
  EXPECT_THAT(status_of(refused, "x").advice(), HasSubstr("can be reached"));
}

TEST(EscapedTest, LeavesWhatIsUnreservedAndNothingElse) {
  EXPECT_EQ(escaped("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(escaped("a/b c&d=é+"), "a%2Fb%20c%26d%3D%C3%A9%2B");
}

}  // namespace
}  // namespace cmb2kueue::target
