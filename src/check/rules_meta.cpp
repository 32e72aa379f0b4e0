// Names, labels and annotations, as Kubernetes judges them for every object (v1.35 apimachinery
// pkg/util/validation, pkg/api/validation/objectmeta.go).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/map_reader.h"
#include "rule_table.h"

namespace cmb2kueue::check {

namespace {

constexpr std::size_t longest_label = 63;
constexpr std::size_t largest_annotations = 256 * 1024;

bool alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters, digits, - _ and . : a table, since every key and value of every label comes by here.
constexpr std::array<bool, 256> in_names = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c)
    table[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.';
  return table;
}();

bool legal_name_part(std::string_view name) {
  if (name.empty() || name.size() > longest_label || !alphanumeric(name.front()) || !alphanumeric(name.back()))
    return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return in_names[static_cast<unsigned char>(c)]; });
}

// Jobs name these in a label, whose value has at most 63 characters; the objects' own names may have 253.
bool named_by_jobs(const kueue::Object& object) {
  return std::holds_alternative<kueue::LocalQueue>(object) ||
         std::holds_alternative<kueue::WorkloadPriorityClass>(object);
}

void check_name(const kueue::Object& object, const Subject& subject) {
  const kueue::Meta& meta = kueue::meta_of(object);
  const bool name_space = std::holds_alternative<kueue::Namespace>(object);
  if (!meta.name.empty() && (name_space ? !legal_namespace(meta.name) : !doc::is_subdomain(meta.name)))
    subject.report("KQ-NAME", base::quoted(meta.name) + " cannot be the name of an object",
                   name_space ? "lower-case letters, digits and - are allowed, at most 63 of them"
                              : "lower-case letters, digits, - and . are allowed, at most 253 of them",
                   "metadata.name");
  else if (named_by_jobs(object) && meta.name.size() > longest_label)
    subject.report_as(base::Severity::warning, "KQ-NAME",
                      fmt::format("the name has {} characters, and a job's label holds 63", meta.name.size()),
                      "shorten it, or no job can name it", "metadata.name");
  if (!meta.name_space.empty() && !legal_namespace(meta.name_space))
    subject.report("KQ-NAME", base::quoted(meta.name_space) + " cannot be the name of a namespace",
                   "lower-case letters, digits and - are allowed, at most 63 of them", "metadata.namespace");
}

void check_annotations(const kueue::Meta& meta, const Subject& subject) {
  std::size_t size = 0;
  for (const auto& [key, value] : meta.annotations) {
    size += key.size() + value.size();
    if (legal_label_key(key)) continue;
    std::string lower = key;  // the server lets capitals pass in the prefix
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    if (!legal_label_key(lower))
      subject.report("KQ-LABEL", base::quoted(key) + " is not a legal key of an annotation",
                     "an optional DNS prefix and a slash, then letters, digits, - _ .", "metadata.annotations");
  }
  if (size > largest_annotations)
    subject.report("KQ-LABEL", fmt::format("the annotations have {} bytes; 262144 are allowed", size),
                   "shorten them", "metadata.annotations");
}

}  // namespace

bool legal_label_value(std::string_view value) {
  return value.empty() || legal_name_part(value);
}

bool legal_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return legal_name_part(key);
  return doc::is_subdomain(key.substr(0, slash)) && legal_name_part(key.substr(slash + 1));
}

bool legal_namespace(std::string_view name) {
  return name.size() <= longest_label && name.find('.') == std::string_view::npos && doc::is_subdomain(name);
}

void check_meta(const kueue::Object& object, const Subject& subject, const Options& options) {
  const kueue::Meta& meta = kueue::meta_of(object);
  check_name(object, subject);
  for (const auto& [key, value] : meta.labels)
    if (!legal_label_key(key) || !legal_label_value(value))
      subject.report("KQ-LABEL", fmt::format("{}={} is not a legal label", key, base::quoted(value)),
                     "at most 63 letters, digits, - _ . with a letter or digit at both ends", "metadata.labels");
  check_annotations(meta, subject);
  if (!options.production) return;
  for (const auto& [key, value] : meta.annotations)
    if (key == kueue::annotation_end_state && value == "true")
      subject.report("KQ-END-STATE", "the object shows the end state and was not made for production",
                     "let cutover write it, or translate with --target", "metadata.annotations");
}

}  // namespace cmb2kueue::check
