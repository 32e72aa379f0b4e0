// Reads one map of a document field by field: right type or a finding, and in the end a finding for every key that
// nobody asked for. Every finding carries the field's path and place.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/quantity.h"
#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::doc {

using Pairs = std::vector<std::pair<std::string, std::string>>;  // sorted by key

// What all readers of one document share. Rule ids are the prefix and one of TYPE, REQUIRED, UNKNOWN-FIELD, ENUM,
// NAME, RANGE, COUNT, QUANTITY, QUANTITY-FLOAT, QUANTITY-ROUNDED, DUPLICATE.
struct ReadContext {
  base::Findings& findings;
  std::string prefix;                                    // "KS-"
  base::Severity (*severity_of)(std::string_view rule);  // by full id
  std::string subject;                                   // "ClusterQueue/name"; may be empty
  std::string format;                                    // "kueue.x-k8s.io/v1beta2", for unknown fields
  std::string unknown_advice;                            // what becomes of an unknown field

  // `rule` without the prefix.
  void report(std::string_view rule, std::string message, std::string advice, const std::string& field,
              base::Place place);
};

class MapReader {
 public:
  // A node that is not a map is reported (if it exists and is not null) and read as empty.
  MapReader(Node node, std::string path, ReadContext& context);

  Node take(std::string_view key);  // marks the key as read
  bool has(std::string_view key) const;

  std::string text(std::string_view key, bool required = false);
  // A name that refers to another object: DNS-1123 subdomain of at most 253 characters, never empty.
  std::string reference(std::string_view key, bool required = false);
  std::string word(std::string_view key, std::string_view fallback, const std::vector<std::string>& allowed);
  std::optional<base::Quantity> quantity(std::string_view key, bool required = false);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high,
                                      bool required = false);
  bool boolean(std::string_view key, bool fallback);
  std::vector<std::int64_t> integers(std::string_view key, std::int64_t low, std::int64_t high);
  std::vector<std::string> keys() const;  // in source order; marks nothing as read
  Pairs pairs(std::string_view key);
  std::vector<std::string> texts(std::string_view key, std::size_t at_least, std::size_t at_most);
  // Calls fn with a MapReader per item of a list of maps; items beyond the limits are reported.
  void items(std::string_view key, std::size_t at_least, std::size_t at_most, bool required,
             const std::function<void(MapReader&)>& fn);
  MapReader map(std::string_view key);
  void ignore(std::string_view key) { take(key); }

  // Reports the keys that were not read. Call once, last.
  void finish();

  const std::string& path() const { return path_; }
  std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  base::Place place() const { return node_.place(); }
  ReadContext& context() { return context_; }
  void report(std::string_view rule, std::string message, std::string advice, std::string_view key);

 private:
  void wrong_type(Node node, std::string_view key, std::string_view wanted);
  void missing(std::string_view key);
  void check_count(std::string_view key, std::size_t have, std::size_t at_least, std::size_t at_most);

  Node node_;
  std::string path_;
  ReadContext& context_;
  std::vector<std::string> read_;
};

// True for a DNS-1123 subdomain of 1 to 253 characters.
bool is_subdomain(std::string_view name);

}  // namespace cmb2kueue::doc
