// One tenant as CMB exports it: 64-bit numbers as text, enumerations by name, histories oldest first.
#include <fmt/format.h>

#include "generate/message.h"

namespace cmb2kueue::generate {

namespace {

constexpr std::int64_t first_day = 1'700'000'000'000;

void write_states(Writer& writer, std::initializer_list<std::string_view> states, std::uint32_t member) {
  writer.sink.open_list();
  std::int64_t at = first_day + std::int64_t{member} * 1000;
  for (const std::string_view state : states) {
    Message entry(writer);
    entry.text("state", std::string(state));
    entry.text("message", "");
    entry.text("timestamp", std::to_string(at));
    at += 60'000;
  }
  writer.sink.close();
}

void write_request(Writer& writer, const Member& one, const std::string& id, std::uint32_t member) {
  Message request(writer);
  request.text("capacityRequestId", "cr-" + id);
  request.text("tenantId", id);
  request.field("capacity", [&writer, &one] {
    Message capacity(writer);
    if (one.instances > 0)
      capacity.field("reservedCapacity", [&writer, &one] {
        Message shape(writer);
        write_shape(shape, one);
      });
    if (one.weight > 0) capacity.number("weight", one.weight);
  });
  request.field("capacityStatus", [&writer, member] {
    write_states(writer, {"UnderReview", "Approved", "Applied"}, member);
  });
}

void write_definition(Writer& writer, const std::vector<Member>& all, std::uint32_t member) {
  const Member& one = all[member];
  Message definition(writer);
  definition.text("tenantName", name_of(writer.options, one));
  definition.text("tenantEmailAddress", fmt::format("owner-{}@generated.example", member));
  definition.text("tenantDescription", fmt::format("member {} of a generated company", member));
  definition.text("tenantType", one.internal ? "Internal" : "Leaf");
  definition.text("parentTenantId", one.parent == nobody ? "" : id_of(writer.options, one.parent));
  definition.field("tenantAttributes", [&writer, &one, member] {
    Message attributes(writer);
    attributes.field("attributes", [&writer, member] {
      Message map(writer);
      map.text("cost-center", fmt::format("cc-{:03}", member % 1000));
      map.text("tier", member % 3 == 0 ? "gold" : "silver");
    });
    attributes.number("concurrencyLimit", one.limit);
  });
}

std::string path_of(const Options& options, const std::vector<Member>& all, std::uint32_t member) {
  std::string path;
  for (std::uint32_t at = member; at != nobody; at = all[at].parent)
    path.insert(0, "/" + name_of(options, all[at]));
  return path;
}

}  // namespace

void write_shape(Message& message, const Member& member) {
  static constexpr std::string_view names[dimensions] = {"cpu", "memoryMB", "diskMB", "networkMbps", "gpu"};
  for (std::size_t i = 0; i < dimensions; ++i)
    if (i + 1 < dimensions || member.shape[i] > 0) message.number(names[i], member.shape[i]);
  message.number("instanceCount", member.instances);
}

void write_tenant(Writer& writer, const std::vector<Member>& all, std::uint32_t member) {
  const std::string id = id_of(writer.options, member);
  Message tenant(writer);
  tenant.text("tenantId", id);
  tenant.field("tenantDefinition", [&writer, &all, member] { write_definition(writer, all, member); });
  tenant.field("capacityStatus", [&writer, &all, id, member] {
    Message status(writer);
    status.field("appliedCapacity",
                 [&writer, &all, id, member] { write_request(writer, all[member], id, member); });
  });
  tenant.field("tenantStatus", [&writer, member] { write_states(writer, {"Accepted"}, member); });
  tenant.text("path", path_of(writer.options, all, member));
}

}  // namespace cmb2kueue::generate
