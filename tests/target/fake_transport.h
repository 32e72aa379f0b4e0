// A Transport without a network: an API server in memory behind it, answers of the test's own in front of it, and
// everything that was asked for kept to be looked at. And clients made from it.
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/file.h"
#include "credentials.h"
#include "fake_api.h"
#include "kube_client.h"

namespace cmb2kueue::target {

HttpResponse plain_answer(int status, const std::string& body = "");
HttpResponse failed_answer(Failure failure);
HttpResponse with_header(HttpResponse answer, const std::string& name, const std::string& value);
HttpResponse webhook_down();  // 500, as when a webhook could not be called

class FakeTransport : public Transport {
 public:
  std::vector<HttpResponse> perform(const std::vector<HttpRequest>& requests, const Identity& identity) override;

  // The next request whose "METHOD path" holds `where` gets this answer. `happens`: it is carried out all the same,
  // and only the answer is another. Answers queue up.
  void inject(const std::string& where, HttpResponse answer, bool happens = false);
  // Runs before the next request whose "METHOD path" holds `where`: somebody else is quicker. One for each request.
  void before(const std::string& where, std::function<void()> action);

  // "GET /api/v1/x 200": each request without its query, with the status of its answer; a failure is 0.
  std::vector<std::string> log() const;
  std::size_t count(const std::string& what) const;  // of log lines that hold `what`

  FakeApi api;
  std::vector<HttpRequest> requests;
  std::vector<std::string> authorizations;  // of each request

 private:
  struct Injected {
    std::string where;
    HttpResponse answer;
    bool happens = false;
    std::function<void()> action;
  };
  HttpResponse answer_to(const HttpRequest& request);
  std::deque<Injected> injected_;
  std::vector<int> statuses_;
};

// A client with everything around it. Time stands still until somebody sleeps.
struct FakeCluster {
  explicit FakeCluster(Connection connection = {}, PluginRunner runner = {});
  base::FixedClock clock{1'700'000'000'000};
  std::int64_t waited() { return clock.now_ms() - 1'700'000'000'000; }
  base::MemoryFileSystem files;
  FakeTransport transport;
  FakeApi& api;
  Credentials credentials;
  std::vector<std::string> warnings;
  KubeClient client;
};

}  // namespace cmb2kueue::target
