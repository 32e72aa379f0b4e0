// The one door to the network: many HTTP requests at a time, answers in the order asked. Whoever wants other
// answers (tests that lose, delay or refuse some) puts another Transport in its place.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "credentials.h"

namespace cmb2kueue::target {

struct HttpRequest {
  std::string method;  // "GET", "POST", "PUT", "PATCH", "DELETE"
  std::string path;    // below the server's address, with the query: "/api/v1/namespaces?limit=500"
  std::string body;
  std::string content_type;  // of the body
  std::string accept = "application/json";
};

// How far a request came that has no answer.
enum class Failure : std::uint8_t {
  none,
  not_sent,  // no connection was made: nothing can have happened
  unknown,   // it was sent or may have been: what it asked for may have happened
  refused,   // TLS or its certificates: trying again changes nothing
};

struct HttpResponse {
  int status = 0;  // 0 when there is a failure
  Failure failure = Failure::none;
  std::string problem;  // of a failure, for people; never holds what was sent
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case, in the order they came

  // The first value of a header; "" when there is none.
  std::string header(std::string_view name) const;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Sends all, as many at a time as the server bears, and returns an answer for each, in their order. Never throws
  // and never waits without end.
  virtual std::vector<HttpResponse> perform(const std::vector<HttpRequest>& requests, const Identity& identity) = 0;
};

struct HttpLimits {
  std::size_t most_in_flight = 32;       // the ceiling of the adaptive limit
  std::size_t body_bytes = 256UL << 20;  // of one answer
  std::int64_t connect_ms = 10'000;
  std::int64_t stall_ms = 60'000;  // no byte for so long ends a request
};

// libcurl: HTTP/2 where TLS agrees on it (ALPN), keep-alive else; certificates are verified unless the connection
// says not to. The limit of requests in flight grows by one with each answer and halves at 429 and 503, never below
// one. Redirects are not followed. Proxies: the connection's, else HTTPS_PROXY and NO_PROXY, never for loopback.
std::unique_ptr<Transport> http_transport(const Connection& connection, const std::string& user_agent,
                                          HttpLimits limits = {});

}  // namespace cmb2kueue::target
