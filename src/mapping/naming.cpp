// Names of objects. Changing anything here renames objects in production, so the tests pin literal names.
#include "cmb2kueue/mapping/naming.h"

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::mapping {

namespace {

constexpr std::size_t longest_label = 63;
constexpr std::size_t hash_characters = 12;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

base::Status bad_name(std::string_view name, const std::string& why) {
  return base::Status(base::ErrorKind::input, base::quoted(name) + " cannot be a name: " + why,
                      "use lower-case letters, digits and dashes, with a letter or digit at both ends");
}

}  // namespace

std::string tenant_hash(std::string_view tenant_id) {
  return base::sha256_base32(tenant_id, hash_characters);
}

std::string object_name(std::string_view display_name, std::string_view tenant_id) {
  return object_name_with(display_name, tenant_hash(tenant_id));
}

std::string object_name_with(std::string_view display_name, std::string_view hash) {
  std::string name = base::slug(display_name, longest_label - hash_characters - 1);
  if (name.empty()) name = "t";
  name += '-';
  return name += hash;
}

std::string root_name(std::string_view cell) {
  const std::string hash = base::sha256_base32("cell:" + std::string(cell), hash_characters);
  const std::string name = base::slug(cell, longest_label - hash_characters - 6);
  return "cell-" + (name.empty() ? "t" : name) + "-" + hash;
}

std::string priority_class_name(std::string_view priority_class, std::uint32_t bucket) {
  return "cmb-" + base::slug(priority_class, 40) + "-" + std::to_string(bucket);
}

base::Status check_label(std::string_view name) {
  if (name.empty()) return bad_name(name, "it is empty");
  if (name.size() > longest_label) return bad_name(name, "it is longer than 63 characters");
  for (const char c : name)
    if (!is_alphanumeric(c) && c != '-') return bad_name(name, "the character " + base::quoted(std::string(1, c)));
  if (name.front() == '-' || name.back() == '-') return bad_name(name, "a dash stands at one end");
  return {};
}

base::Status check_subdomain(std::string_view name) {
  if (name.size() > 253) return bad_name(name, "it is longer than 253 characters");
  std::size_t from = 0;
  for (;;) {
    const std::size_t dot = name.find('.', from);
    const std::string_view part = name.substr(from, dot == std::string_view::npos ? dot : dot - from);
    const base::Status status = check_label(part.size() > longest_label ? part.substr(0, longest_label) : part);
    if (!status.ok()) return bad_name(name, status.message().substr(status.message().rfind(": ") + 2));
    if (dot == std::string_view::npos) return {};
    from = dot + 1;
  }
}

}  // namespace cmb2kueue::mapping
