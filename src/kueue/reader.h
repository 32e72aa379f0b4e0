// Reads one map of a manifest field by field: right type or a finding, and in the end a finding for every key that
// nobody asked for. Every finding carries the field's path and place.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/quantity.h"
#include "cmb2kueue/doc/tree.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::kueue {

// What all readers of one document share.
struct Decoding {
  base::Findings& findings;
  std::string subject;       // "ClusterQueue/name"
  std::string api_version;   // as written
  bool old_version = false;  // v1beta1

  void report(std::string_view rule, std::string message, std::string advice, const std::string& field,
              base::Place place);
};

class Reader {
 public:
  // A node that is not a map is reported (if it exists and is not null) and read as empty.
  Reader(doc::Node node, std::string path, Decoding& decoding);

  doc::Node take(std::string_view key);  // marks the key as read
  bool has(std::string_view key) const;

  std::string text(std::string_view key, bool required = false);
  // A name that refers to another object: DNS-1123 subdomain of at most 253 characters, never empty.
  std::string reference(std::string_view key, bool required = false);
  std::string word(std::string_view key, std::string_view fallback, const std::vector<std::string>& allowed);
  std::optional<base::Quantity> quantity(std::string_view key, bool required = false);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high,
                                      bool required = false);
  Pairs pairs(std::string_view key);
  std::vector<std::string> texts(std::string_view key, std::size_t at_least, std::size_t at_most);
  // Calls fn with a Reader per item of a list of maps; items beyond the limits are reported.
  void items(std::string_view key, std::size_t at_least, std::size_t at_most, bool required,
             const std::function<void(Reader&)>& fn);
  Reader map(std::string_view key);
  void ignore(std::string_view key) { take(key); }

  // Reports the keys that were not read. Call once, last.
  void finish();

  const std::string& path() const { return path_; }
  std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  base::Place place() const { return node_.place(); }
  Decoding& decoding() { return decoding_; }
  void report(std::string_view rule, std::string message, std::string advice, std::string_view key);

 private:
  void wrong_type(doc::Node node, std::string_view key, std::string_view wanted);
  void missing(std::string_view key);
  void check_count(std::string_view key, std::size_t have, std::size_t at_least, std::size_t at_most);

  doc::Node node_;
  std::string path_;
  Decoding& decoding_;
  std::vector<std::string_view> read_;
};

// True for a DNS-1123 subdomain of 1 to 253 characters.
bool is_subdomain(std::string_view name);

}  // namespace cmb2kueue::kueue
