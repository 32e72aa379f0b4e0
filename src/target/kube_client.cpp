// Sending, repeating, understanding.
#include "kube_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::target {

namespace {

constexpr int page_size = 500;
constexpr std::int64_t longest_asked_s =
    86'400;  // of a Retry-After, against overflow; Patience ends waits long before

bool is_read(const HttpRequest& request) {
  return request.method == "GET";
}

// A webhook that could not be called: the write was refused before anything was stored
// (k8s.io/apiserver v0.35, pkg/admission/plugin/webhook/errors/statuserror.go; generic/webhook.go).
bool webhook_did_not_answer(const ApiAnswer& answer) {
  return answer.status == 500 && answer.message.find("failed calling webhook") != std::string::npos;
}

std::int64_t retry_after_ms(const HttpResponse& response) {
  const std::string value = response.header("retry-after");
  std::int64_t seconds = -1;
  std::from_chars(value.data(), value.data() + value.size(), seconds);
  return seconds < 0 ? -1 : std::min<std::int64_t>(seconds, longest_asked_s) * 1000;
}

// The text of `299 - "..."` (RFC 7234, section 5.5), one warning a header.
std::string warning_text(const std::string& header) {
  const std::size_t begin = header.find('"');
  const std::size_t end = header.rfind('"');
  if (begin == std::string::npos || end <= begin) return header;
  std::string text;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (header[i] == '\\' && i + 1 < end) ++i;
    text += header[i];
  }
  return text;
}

void read_status(ApiAnswer& answer) {
  const base::Result<Json> json = Json::parse(answer.body);
  if (!json.ok() || text_at(json->root(), "kind") != "Status") {
    answer.message = base::quoted(answer.body, 200);
    return;
  }
  answer.reason = text_at(json->root(), "reason");
  answer.message = text_at(json->root(), "message");
  for (const doc::Node cause : doc::children(at(json->root(), "details.causes")))
    answer.causes.push_back({text_at(cause, "reason"), text_at(cause, "field"), text_at(cause, "message")});
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const unsigned char c : text)
    if (std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '~')
      out += static_cast<char>(c);
    else
      out += fmt::format("%{:02X}", c);
  return out;
}

ApiAnswer KubeClient::understand(HttpResponse response) {
  for (const auto& [name, value] : response.headers)
    if (name == "warning" && warn_ && warned_.insert(warning_text(value)).second) warn_(warning_text(value));
  ApiAnswer answer;
  answered_ |= response.status != 0;
  answer.status = response.status;
  answer.failure = response.failure;
  answer.body = std::move(response.body);
  if (answer.failure != Failure::none)
    answer.message = response.problem;
  else if (!answer.ok())
    read_status(answer);
  return answer;
}

// How long to wait before asking again; -1 when the answer is the last word.
std::int64_t KubeClient::wait_for(const ApiAnswer& answer, const HttpResponse& response, bool reads,
                                  int attempt) const {
  const std::int64_t grown = std::min(patience_.first_wait_ms << std::min(attempt, 10), patience_.longest_wait_ms);
  const std::int64_t asked = retry_after_ms(response);
  const std::int64_t wait = asked < 0 ? grown : std::min(std::max(asked, grown), patience_.longest_wait_ms);
  if (answer.failure == Failure::refused) return -1;
  if (answer.failure == Failure::not_sent || answer.status == 429) return wait;
  if (answer.status == 503 && (reads || asked >= 0)) return wait;
  if (webhook_did_not_answer(answer)) return wait;
  const bool lost = answer.failure == Failure::unknown || answer.status >= 500;
  return reads && lost ? wait : -1;
}

base::Result<std::vector<ApiAnswer>> KubeClient::send(std::vector<HttpRequest> requests) {
  std::vector<ApiAnswer> answers(requests.size());
  std::vector<std::size_t> open(requests.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  const std::int64_t begun = clock_.now_ms();
  bool renewed = false;
  for (int attempt = 0; !open.empty(); ++attempt) {
    const base::Result<Identity> identity = credentials_.current();
    if (!identity.ok()) return identity.status();
    std::vector<HttpRequest> now;
    for (const std::size_t i : open) now.push_back(requests[i]);
    std::vector<HttpResponse> responses = transport_.perform(now, identity.value());
    std::vector<std::size_t> again;
    std::int64_t wait = 0;
    bool refused = false;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::size_t i = open[k];
      const HttpResponse headers{responses[k].status, responses[k].failure, "", "", responses[k].headers};
      answers[i] = understand(std::move(responses[k]));
      const bool unauthorized = answers[i].status == 401 && !renewed;
      const std::int64_t needed = unauthorized ? 0 : wait_for(answers[i], headers, is_read(requests[i]), attempt);
      refused |= unauthorized;
      if (needed < 0) continue;
      again.push_back(i);
      wait = std::max(wait, needed);
    }
    if (refused) {
      renewed = true;
      const base::Result<bool> newer = credentials_.refresh(identity.value());
      if (!newer.ok()) return newer.status();
      if (!newer.value()) std::erase_if(again, [&](std::size_t i) { return answers[i].status == 401; });
    }
    const std::int64_t patience =
        answered_ ? patience_.in_all_ms : std::min(patience_.first_contact_ms, patience_.in_all_ms);
    if (again.empty() || clock_.now_ms() + wait > begun + patience) break;
    if (wait > 0) clock_.sleep_ms(wait);
    open = std::move(again);
  }
  return answers;
}

base::Result<ApiAnswer> KubeClient::send(HttpRequest request) {
  std::vector<HttpRequest> one;
  one.push_back(std::move(request));
  base::Result<std::vector<ApiAnswer>> answers = send(std::move(one));
  if (!answers.ok()) return answers.status();
  return std::move(answers.value().front());
}

base::Status KubeClient::list(const std::string& path, const std::function<base::Status(const Json&)>& page,
                              const std::function<void()>& again, const std::string& accept) {
  const std::string base = path + (path.find('?') == std::string::npos ? "?" : "&");
  std::string next;
  for (int restarts = 0;;) {
    const std::string query =
        fmt::format("limit={}{}{}", page_size, next.empty() ? "" : "&continue=", escaped(next));
    const base::Result<ApiAnswer> answer = send(HttpRequest{"GET", base + query, "", "", accept});
    if (!answer.ok()) return answer.status();
    if (answer->status == 410 && restarts++ < 2) {
      next.clear();
      again();
      continue;
    }
    if (!answer->ok()) return status_of(answer.value(), "listing " + path);
    const base::Result<Json> json = Json::parse(answer->body);
    if (!json.ok()) return json.status();
    const base::Status taken = page(json.value());
    if (!taken.ok()) return taken;
    next = text_at(json->root(), "metadata.continue");
    if (next.empty()) return {};
  }
}

base::Status status_of(const ApiAnswer& answer, const std::string& doing) {
  const auto failed = [&](base::ErrorKind kind, std::string advice) {
    return base::Status(kind, fmt::format("{}: {}", doing, answer.message), std::move(advice));
  };
  if (answer.failure == Failure::refused)
    return failed(base::ErrorKind::cluster, "check certificate-authority and the server's address in kubeconfig");
  if (answer.failure != Failure::none)
    return failed(base::ErrorKind::cluster, "check that the cluster can be reached; the same command goes on");
  switch (answer.status) {
    case 401:
      return failed(base::ErrorKind::cluster, "log in anew; kubectl auth whoami says whether it worked");
    case 403:
      return failed(base::ErrorKind::cluster, "cmb2kueue doctor lists the rights that are needed");
    case 404:
      return failed(base::ErrorKind::not_found, "cmb2kueue doctor says whether Kueue is installed there");
    case 409:
    case 410:
      return failed(base::ErrorKind::conflict, "look at what changed, then run the same command again");
    default:
      return failed(base::ErrorKind::cluster, answer.status >= 500 ? "the same command goes on later" : "");
  }
}

}  // namespace cmb2kueue::target
