// The annotations in the order in which they are given room.
#include "annotations.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/doc/emit.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

constexpr std::size_t most_bytes = 120 * 1024;
constexpr std::string_view mark = "...";

// The longest beginning of at most `bytes` that does not split a character of UTF-8.
std::string_view whole_characters(std::string_view text, std::size_t bytes) {
  while (bytes > 0 && bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

class AnnotationWriter {
 public:
  explicit AnnotationWriter(Annotations& into) : into_(into) { into_.pairs.reserve(8); }

  void whole(const char* name, const std::string& value) {
    if (value.empty()) return;
    std::string key = std::string(kueue::annotation_prefix) + name;
    used_ += key.size() + value.size();
    into_.pairs.emplace_back(std::move(key), value);
  }

  void text(const char* name, const std::string& value) {
    if (value.size() <= room_for(name)) return whole(name, value);
    into_.cut.emplace_back(name);
    if (room_for(name) > mark.size())
      whole(name, std::string(whole_characters(value, room_for(name) - mark.size())) + std::string(mark));
  }

  void attributes(const model::Tenant& tenant);
  bool fits() const { return used_ <= most_bytes; }

 private:
  std::size_t room_for(const char* name) const {
    const std::size_t needed =
        used_ + std::char_traits<char>::length(kueue::annotation_prefix) + std::char_traits<char>::length(name);
    return needed < most_bytes ? most_bytes - needed : 0;
  }

  Annotations& into_;
  std::size_t used_ = 0;
};

std::string json_of(const model::Tenant& tenant, std::size_t entries) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  for (std::size_t i = 0; i < entries; ++i)
    sink.text_entry(tenant.attributes[i].first, tenant.attributes[i].second);
  sink.close();
  return out;
}

void AnnotationWriter::attributes(const model::Tenant& tenant) {
  if (tenant.attributes.empty()) return;
  const std::size_t room = room_for("attributes");
  std::string all = json_of(tenant, tenant.attributes.size());
  if (all.size() <= room) return whole("attributes", all);
  into_.cut.emplace_back("attributes");
  std::size_t low = 0, high = tenant.attributes.size();  // low entries fit, high entries do not
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (json_of(tenant, middle).size() <= room ? low : high) = middle;
  }
  if (low > 0) whole("attributes", json_of(tenant, low));
}

// A bound on what annotations need that costs nothing to compute: an escaped byte takes at most six.
std::size_t at_most(const model::Tenant& tenant) {
  std::size_t bytes = tenant.id.size() + tenant.name.size() + tenant.path.size() + tenant.email.size() +
                      tenant.description.size() + 2048;
  for (const auto& [key, value] : tenant.attributes) bytes += 6 * (key.size() + value.size() + 1);
  return bytes;
}

}  // namespace

std::string shape_text(const model::Model& model, const model::Tenant& tenant) {
  if (!tenant.reservation) return "";
  std::string out;
  for (const model::Amount& amount : tenant.reservation->shape)
    out += model.resources[amount.resource].name + "=" + std::to_string(amount.count) + ",";
  return out + "instances=" + std::to_string(tenant.reservation->instances);
}

Annotations annotations_of(const model::Model& model, const model::Tenant& tenant) {
  Annotations made;
  AnnotationWriter writer(made);
  writer.whole("tenant-id", tenant.id);
  writer.whole("tenant-name", tenant.name);
  made.identity_fits = writer.fits();
  writer.text("tenant-path", tenant.path);
  writer.text("tenant-email", tenant.email);
  writer.text("shape", shape_text(model, tenant));
  writer.text("tenant-description", tenant.description);
  writer.attributes(tenant);
  std::sort(made.pairs.begin(), made.pairs.end());
  return made;
}

void check_annotations(Work& work) {
  for (model::TenantIndex i = 0; i < work.tenants.size(); ++i) {
    const model::Tenant& tenant = work.model.tenants[i];
    if (work.tenants[i].skipped || at_most(tenant) <= most_bytes) continue;
    const Annotations made = annotations_of(work.model, tenant);
    if (!made.identity_fits)
      work.report("T-IDENTITY-TOO-LONG", "id and name together are too long for annotations",
                  "shorten the name in CMB; without them nothing leads back from an object to its tenant", i,
                  tenant.name_place);
    else if (!made.cut.empty())
      work.report("T-ANNOTATION-SIZE",
                  fmt::format("too much text for annotations; cut: {}", fmt::join(made.cut, ", ")),
                  "keep what is long elsewhere, or accept that it is not all there", i, tenant.place);
  }
}

}  // namespace cmb2kueue::translate
