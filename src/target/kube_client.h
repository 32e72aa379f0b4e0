// Requests to one API server as somebody: authentication with one renewal after a 401, repetition where it is safe,
// warnings, Status answers. Knows the manners of the API, and no kind of object.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cmb2kueue/base/clock.h"
#include "credentials.h"
#include "http.h"
#include "json.h"

namespace cmb2kueue::target {

// The name our fields are owned under (metadata.managedFields).
inline constexpr const char* field_manager = "cmb2kueue";

struct ApiCause {
  std::string type, field, message;  // "FieldManagerConflict", ".spec.resourceGroups", ...
};

// What came of a request. Reason and message are those of the Status object, where there is one.
struct ApiAnswer {
  int status = 0;
  Failure failure = Failure::none;
  std::string body;
  std::string reason, message;  // "AlreadyExists"; of a failure what went wrong
  std::vector<ApiCause> causes;

  bool ok() const { return status >= 200 && status < 300; }
  bool not_found() const { return status == 404; }
  // What a write asked for may have happened although the answer does not say so.
  bool unknown() const { return failure == Failure::unknown || status == 504; }
};

// How long a client tries. Counted by the clock it is given.
struct Patience {
  std::int64_t first_wait_ms = 200;
  std::int64_t longest_wait_ms = 8'000;  // also of a Retry-After
  std::int64_t in_all_ms = 40'000;
  std::int64_t first_contact_ms = 3'000;  // while no answer has ever come: the address may be wrong
};

class KubeClient {
 public:
  KubeClient(Transport& transport, Credentials& credentials, base::Clock& clock,
             std::function<void(const std::string&)> warn, Patience patience = {})
      : transport_(transport),
        credentials_(credentials),
        clock_(clock),
        warn_(std::move(warn)),
        patience_(patience) {}

  // All of them, as many at a time as the transport allows; answers in their order. Repeated, with growing waits:
  // anything no connection was made for; 429 and, with a Retry-After, 503; a webhook that could not be called
  // (500), since nothing was stored then; reads also after other 5xx and lost answers. Never: what was denied, and
  // writes whose answer was lost. A 401 is tried once more with renewed credentials. Errors (kind cluster): there
  // are no credentials.
  base::Result<std::vector<ApiAnswer>> send(std::vector<HttpRequest> requests);
  base::Result<ApiAnswer> send(HttpRequest request);

  // Every page of a list, each handed to `page` as it comes; started over, at most twice, when the list went out of
  // date in the middle (410), after `again` has been called.
  base::Status list(const std::string& path, const std::function<base::Status(const Json& page)>& page,
                    const std::function<void()>& again, const std::string& accept = "application/json");

 private:
  base::Result<std::vector<ApiAnswer>> attempt(const std::vector<HttpRequest>& requests);
  std::int64_t wait_for(const ApiAnswer& answer, const HttpResponse& response, bool reads, int attempt) const;
  ApiAnswer understand(HttpResponse response);
  Transport& transport_;
  Credentials& credentials_;
  base::Clock& clock_;
  std::function<void(const std::string&)> warn_;
  Patience patience_;
  std::set<std::string> warned_;
  bool answered_ = false;  // the server is there
};

// The failure an answer stands for; `doing` is what was tried: "reading ClusterQueue/x". 401 and 403 say who may
// help, 404 is not_found, 409 and 410 conflict, anything else cluster.
base::Status status_of(const ApiAnswer& answer, const std::string& doing);

// Text inside a path or a query value.
std::string escaped(std::string_view text);

}  // namespace cmb2kueue::target
