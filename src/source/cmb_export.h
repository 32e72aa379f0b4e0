// The CMB tenant export, cmb-export/v1alpha1, in three parts: tenants, the envelope around them, and what can only
// be checked once both are known.
#pragma once
#include <string>
#include <vector>

#include "proto_json.h"

namespace cmb2kueue::source {

// Columns of Model::resources for a CMB export.
enum CmbResource : std::uint16_t { cmb_cpu, cmb_memory, cmb_disk, cmb_network, cmb_gpu };

// A shape of capacity: counts per resource and how often. Which fields were given at all matters.
struct CmbShape {
  std::int64_t counts[5] = {0, 0, 0, 0, 0};
  std::int64_t instances = 0;
  bool has_instances = false;
};
void read_shape(ProtoReader& reader, CmbShape& shape, doc::Node node);
// shape x instances; reports an overflow (and gives what fits). Resources at 0 are left out.
model::Amounts total_of(ProtoReader& reader, const CmbShape& shape, std::int64_t instances, doc::Node node);
model::Amounts amounts_of(const CmbShape& shape);

// What links a tenant to a Titus capacity group.
struct CmbBinding {
  std::string tenant_id, group;
  std::vector<std::string> cells;
  base::Place place;
};
struct CmbEnrollment {
  std::string tenant_id;
  model::EnrollmentState state = model::EnrollmentState::not_enrolled;
  base::Place place;
};
struct CmbPoolMembers {
  std::size_t pool = 0;
  std::vector<std::string> tenant_ids;
  base::Place place;
};

// Everything of one export before it is linked.
struct CmbExport {
  Draft draft;
  std::vector<CmbBinding> bindings;
  std::vector<CmbEnrollment> enrollment;
  std::vector<CmbPoolMembers> members;
  std::string api_version, kind;
};

void read_tenants(ProtoReader& reader, CmbExport& into, doc::Node list);
void read_envelope(ProtoReader& reader, CmbExport& into, doc::Node root);
void check_export(ProtoReader& reader, CmbExport& from);

// Every field the tables name, for tests.
void list_tenant_fields(std::vector<ReadField>& into);
void list_envelope_fields(std::vector<ReadField>& into);
std::vector<ReadField> cmb_fields();

}  // namespace cmb2kueue::source
