// libcurl's multi interface behind Transport. Nothing else in the program includes curl.
#include "http.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace cmb2kueue::target {

std::string HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return "";
}

namespace {

struct CurlOnce {
  CurlOnce() { curl_global_init(CURL_GLOBAL_DEFAULT); }
};

template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  curl_easy_setopt(easy, option, value);
}

// "host:port" and "host" of "https://host:port/path".
struct Authority {
  std::string host, port;
};
Authority authority_of(const std::string& server) {
  const std::size_t scheme = server.find("://");
  const bool plain = server.starts_with("http://");
  std::string rest = server.substr(scheme == std::string::npos ? 0 : scheme + 3);
  rest = rest.substr(0, rest.find('/'));
  const std::size_t colon = rest.rfind(':');
  const bool bracket = !rest.empty() && rest.back() == ']';
  if (colon == std::string::npos || bracket) return {rest, plain ? "80" : "443"};
  return {rest.substr(0, colon), rest.substr(colon + 1)};
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

// One request on its way.
struct Transfer {
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  curl_slist* route = nullptr;  // where to connect instead of to the URL's host
  const HttpRequest* request = nullptr;
  HttpResponse* response = nullptr;
  std::size_t limit = 0;
  bool too_big = false;
  char problem[CURL_ERROR_SIZE] = "";

  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    curl_slist_free_all(headers);
    curl_slist_free_all(route);
    curl_easy_cleanup(easy);
  }
};

std::size_t take_body(char* data, std::size_t, std::size_t count, void* to) {
  Transfer& transfer = *static_cast<Transfer*>(to);
  if (transfer.response->body.size() + count > transfer.limit) {
    transfer.too_big = true;
    return 0;
  }
  transfer.response->body.append(data, count);
  return count;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::size_t take_header(char* data, std::size_t, std::size_t count, void* to) {
  Transfer& transfer = *static_cast<Transfer*>(to);
  const std::string_view line(data, count);
  if (line.starts_with("HTTP/")) transfer.response->headers.clear();  // what came before was an interim answer
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return count;
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  transfer.response->headers.emplace_back(std::move(name), trimmed(line.substr(colon + 1)));
  return count;
}

// Whether a request that ended so can have reached the server.
Failure failure_of(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Failure::not_sent;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return Failure::refused;
    default:
      return Failure::unknown;
  }
}

// A server that refuses a request need not read it to its end: it answers and breaks the stream off (RFC 9113,
// section 8.1). The answer stands, and nothing was done.
bool is_refusal(long status) {
  return status >= 400 && status < 500;
}

void set_blob(CURL* easy, CURLoption option, const std::string& pem) {
  if (pem.empty()) return;
  curl_blob blob{const_cast<char*>(pem.data()), pem.size(), CURL_BLOB_COPY};
  set(easy, option, &blob);
}

std::string escaped_header(const std::string& name) {
  static constexpr std::string_view plain = "!#$&'*+-.^_`|~";
  std::string out;
  for (const unsigned char c : name)
    if (std::isalnum(c) != 0 || plain.find(static_cast<char>(c)) != std::string_view::npos)
      out += static_cast<char>(c);
    else
      out += fmt::format("%{:02X}", c);
  return out;
}

// The headers that ask the server to take us for somebody else; names of extra fields are percent-encoded
// (client-go v0.35, transport/round_trippers.go, headerKeyEscape).
std::vector<std::string> impersonation(const Connection& connection) {
  std::vector<std::string> lines;
  if (!connection.as.empty()) lines.push_back("Impersonate-User: " + connection.as);
  if (!connection.as_uid.empty()) lines.push_back("Impersonate-Uid: " + connection.as_uid);
  for (const std::string& group : connection.as_groups) lines.push_back("Impersonate-Group: " + group);
  for (const auto& [name, values] : connection.as_user_extra)
    for (const std::string& value : values)
      lines.push_back("Impersonate-Extra-" + escaped_header(name) + ": " + value);
  return lines;
}

class CurlTransport : public Transport {
 public:
  CurlTransport(Connection connection, std::string user_agent, HttpLimits limits)
      : connection_(std::move(connection)), user_agent_(std::move(user_agent)), limits_(limits) {
    static const CurlOnce once;
    open();
  }
  ~CurlTransport() override {
    flying_.clear();
    curl_multi_cleanup(multi_);
  }

  std::vector<HttpResponse> perform(const std::vector<HttpRequest>& requests, const Identity& identity) override;

 private:
  void open();
  void renew(const Identity& identity);
  void start(const HttpRequest& request, const Identity& identity, HttpResponse& response);
  void set_request(Transfer& transfer, const Identity& identity) const;
  void set_tls(CURL* easy, const Identity& identity) const;
  void set_route(Transfer& transfer) const;
  void set_times(CURL* easy) const;
  void finish_some();
  void finish(CURL* easy, CURLcode code);
  void adapt(int status);

  Connection connection_;
  std::string user_agent_;
  HttpLimits limits_;
  CURLM* multi_ = nullptr;
  std::uint64_t generation_ = 0;  // of the identity the open connections were made with
  std::size_t window_ = 8;        // requests in flight, at most; adaptive
  std::map<CURL*, std::unique_ptr<Transfer>> flying_;
};

void CurlTransport::open() {
  multi_ = curl_multi_init();
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  curl_multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, 8L);
}

// A connection stands for who opened it, by its certificate; another identity opens its own.
void CurlTransport::renew(const Identity& identity) {
  if (identity.generation == generation_) return;
  curl_multi_cleanup(multi_);
  open();
  generation_ = identity.generation;
}

void CurlTransport::set_tls(CURL* easy, const Identity& identity) const {
  set_blob(easy, CURLOPT_CAINFO_BLOB, connection_.ca_pem);
  set_blob(easy, CURLOPT_SSLCERT_BLOB, identity.client_certificate_pem);
  set_blob(easy, CURLOPT_SSLKEY_BLOB, identity.client_key_pem);
  if (!connection_.insecure_skip_tls_verify) return;
  set(easy, CURLOPT_SSL_VERIFYPEER, 0L);
  set(easy, CURLOPT_SSL_VERIFYHOST, 0L);
}

// With a name of its own for TLS the URL carries that name, while the connection and the Host header stay with the
// server's address.
void CurlTransport::set_route(Transfer& transfer) const {
  const Authority at = authority_of(connection_.server);
  std::string url = connection_.server;
  if (!connection_.tls_server_name.empty()) {
    const std::size_t path = url.find('/', url.find("://") + 3);
    url = fmt::format("https://{}:{}{}", connection_.tls_server_name, at.port,
                      path == std::string::npos ? "" : url.substr(path));
    const std::string detour = fmt::format("{}:{}:{}:{}", connection_.tls_server_name, at.port, at.host, at.port);
    transfer.route = curl_slist_append(nullptr, detour.c_str());
    set(transfer.easy, CURLOPT_CONNECT_TO, transfer.route);
    transfer.headers = curl_slist_append(transfer.headers, fmt::format("Host: {}:{}", at.host, at.port).c_str());
  }
  set(transfer.easy, CURLOPT_URL, (url + transfer.request->path).c_str());
  if (!connection_.proxy_url.empty())
    set(transfer.easy, CURLOPT_PROXY, connection_.proxy_url.c_str());
  else if (is_loopback(at.host))
    set(transfer.easy, CURLOPT_NOPROXY, "*");
}

void CurlTransport::set_times(CURL* easy) const {
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connect_ms));
  set(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits_.stall_ms / 1000));
  if (connection_.request_timeout_ms > 0)
    set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(connection_.request_timeout_ms));
}

void CurlTransport::set_request(Transfer& transfer, const Identity& identity) const {
  const HttpRequest& request = *transfer.request;
  const auto add = [&](const std::string& line) {
    transfer.headers = curl_slist_append(transfer.headers, line.c_str());
  };
  add("Accept: " + request.accept);
  add("Expect:");  // no waiting for leave to send a body
  if (!request.content_type.empty()) add("Content-Type: " + request.content_type);
  if (!identity.authorization.empty()) add("Authorization: " + identity.authorization);
  for (const std::string& line : impersonation(connection_)) add(line);
  set(transfer.easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH") {
    set(transfer.easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(transfer.easy, CURLOPT_POSTFIELDS, request.body.data());
  }
  if (!connection_.disable_compression) set(transfer.easy, CURLOPT_ACCEPT_ENCODING, "gzip");
}

void CurlTransport::start(const HttpRequest& request, const Identity& identity, HttpResponse& response) {
  std::unique_ptr<Transfer> transfer = std::make_unique<Transfer>();
  transfer->easy = curl_easy_init();
  transfer->request = &request;
  transfer->response = &response;
  transfer->limit = limits_.body_bytes;
  CURL* easy = transfer->easy;
  set_request(*transfer, identity);
  set_route(*transfer);
  set_tls(easy, identity);
  set_times(easy);
  set(easy, CURLOPT_HTTPHEADER, transfer->headers);
  set(easy, CURLOPT_USERAGENT, user_agent_.c_str());
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(easy, CURLOPT_PIPEWAIT, 1L);
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_PROTOCOLS_STR, "https,http");
  set(easy, CURLOPT_WRITEFUNCTION, take_body);
  set(easy, CURLOPT_WRITEDATA, transfer.get());
  set(easy, CURLOPT_HEADERFUNCTION, take_header);
  set(easy, CURLOPT_HEADERDATA, transfer.get());
  set(easy, CURLOPT_ERRORBUFFER, transfer->problem);
  curl_multi_add_handle(multi_, easy);
  flying_.emplace(easy, std::move(transfer));
}

void CurlTransport::adapt(int status) {
  if (status == 429 || status == 503)
    window_ = std::max<std::size_t>(1, window_ / 2);
  else if (status != 0)
    window_ = std::min(limits_.most_in_flight, window_ + 1);
}

void CurlTransport::finish(CURL* easy, CURLcode code) {
  const auto found = flying_.find(easy);
  Transfer& transfer = *found->second;
  HttpResponse& response = *transfer.response;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  if (code == CURLE_OK || (is_refusal(status) && !transfer.too_big)) {
    response.status = static_cast<int>(status);
  } else {
    response.failure = failure_of(code);
    response.problem = transfer.too_big              ? "the answer is larger than this program takes"
                       : transfer.problem[0] != '\0' ? transfer.problem
                                                     : curl_easy_strerror(code);
    response.body.clear();
  }
  adapt(response.status);
  curl_multi_remove_handle(multi_, easy);
  flying_.erase(found);
}

void CurlTransport::finish_some() {
  int running = 0;
  curl_multi_perform(multi_, &running);
  int left = 0;
  bool any = false;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    finish(message->easy_handle, message->data.result);
    any = true;
  }
  if (!any && !flying_.empty()) curl_multi_poll(multi_, nullptr, 0, 1000, nullptr);
}

std::vector<HttpResponse> CurlTransport::perform(const std::vector<HttpRequest>& requests,
                                                 const Identity& identity) {
  renew(identity);
  std::vector<HttpResponse> responses(requests.size());
  std::size_t next = 0;
  while (next < requests.size() || !flying_.empty()) {
    for (; next < requests.size() && flying_.size() < window_; ++next)
      start(requests[next], identity, responses[next]);
    finish_some();
  }
  return responses;
}

}  // namespace

std::unique_ptr<Transport> http_transport(const Connection& connection, const std::string& user_agent,
                                          HttpLimits limits) {
  return std::make_unique<CurlTransport>(connection, user_agent, limits);
}

}  // namespace cmb2kueue::target
