#include "fake_transport.h"

#include <algorithm>
#include <utility>

namespace cmb2kueue::target {

HttpResponse plain_answer(int status, const std::string& body) {
  HttpResponse answer;
  answer.status = status;
  answer.body = body;
  return answer;
}

HttpResponse failed_answer(Failure failure) {
  HttpResponse answer;
  answer.failure = failure;
  answer.problem = "the line is cut";
  return answer;
}

HttpResponse with_header(HttpResponse answer, const std::string& name, const std::string& value) {
  answer.headers.emplace_back(name, value);
  return answer;
}

HttpResponse webhook_down() {
  return status_answer(
      500, "InternalError",
      "Internal error occurred: failed calling webhook \"vqueue.example.org\": connection refused");
}

std::vector<HttpResponse> FakeTransport::perform(const std::vector<HttpRequest>& asked, const Identity& identity) {
  std::vector<HttpResponse> answers;
  for (const HttpRequest& request : asked) {
    answers.push_back(answer_to(request));
    requests.push_back(request);
    authorizations.push_back(identity.authorization);
    statuses_.push_back(answers.back().status);
  }
  return answers;
}

HttpResponse FakeTransport::answer_to(const HttpRequest& request) {
  const std::string line = request.method + " " + request.path;
  bool acted = false;
  const auto fits = [&](const Injected& one) {
    return line.find(one.where) != std::string::npos && !(acted && one.action);
  };
  for (;;) {
    const std::deque<Injected>::iterator found = std::find_if(injected_.begin(), injected_.end(), fits);
    if (found == injected_.end()) return api.handle(request);
    const Injected next = *found;
    injected_.erase(found);
    if (next.action) {
      next.action();
      acted = true;
      continue;
    }
    if (next.happens) static_cast<void>(api.handle(request));
    return next.answer;
  }
}

void FakeTransport::inject(const std::string& where, HttpResponse answer, bool happens) {
  injected_.push_back({where, std::move(answer), happens, {}});
}

void FakeTransport::before(const std::string& where, std::function<void()> action) {
  injected_.push_back({where, {}, false, std::move(action)});
}

std::vector<std::string> FakeTransport::log() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < requests.size(); ++i)
    lines.push_back(requests[i].method + " " + requests[i].path.substr(0, requests[i].path.find('?')) + " " +
                    std::to_string(statuses_[i]));
  return lines;
}

std::size_t FakeTransport::count(const std::string& what) const {
  const std::vector<std::string> lines = log();
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const std::string& line) { return line.find(what) != std::string::npos; }));
}

FakeCluster::FakeCluster(Connection connection, PluginRunner runner)
    : api(transport.api),
      credentials(std::move(connection), files, clock, std::move(runner)),
      client(transport, credentials, clock, [this](const std::string& text) { warnings.push_back(text); }) {}

}  // namespace cmb2kueue::target
