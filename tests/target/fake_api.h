// The objects of an API server kept in memory, with the rules that writers have to live with: what is there already
// is not made again, uid and resourceVersion are checked, finalizers keep, fields have owners. Knows no kind.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "http.h"

namespace cmb2kueue::target {

// {"kind":"Status",...} as the server says no. `causes` is the list in details.
HttpResponse status_answer(int status, const std::string& reason, const std::string& message,
                           const nlohmann::json& causes = nlohmann::json::array());
HttpResponse json_answer(int status, const nlohmann::json& body);

class FakeApi {
 public:
  HttpResponse handle(const HttpRequest& request);

  // By path without query ("/api/v1/namespaces/a"); open for tests to look at and to change.
  std::map<std::string, nlohmann::json> objects;

  // Puts an object there as `manager` would, around every rule.
  nlohmann::json& plant(const std::string& path, nlohmann::json object, const std::string& manager = "someone");
  // What others do in between: a new resourceVersion, and nothing else.
  void touch(const std::string& path);

  std::size_t page_size = 500;  // at most so many, whatever `limit` says

 private:
  HttpResponse list(const std::string& path, const std::map<std::string, std::string>& query);
  HttpResponse create(const std::string& path, const std::string& manager, nlohmann::json object);
  HttpResponse replace(const std::string& path, const std::string& manager, nlohmann::json object);
  HttpResponse apply(const std::string& path, const std::map<std::string, std::string>& query,
                     const nlohmann::json& wanted);
  HttpResponse patch(const std::string& path, const nlohmann::json& operations);
  HttpResponse remove(const std::string& path, const std::string& body);
  HttpResponse store(const std::string& path, nlohmann::json object);
  std::int64_t version_ = 100;
  std::int64_t uid_ = 0;
};

}  // namespace cmb2kueue::target
