// What a source system promised its tenants, as plain facts: no Kubernetes word occurs here. One model comes out
// of every reader of src/source; everything after it works on this alone.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/quantity.h"

namespace cmb2kueue::model {

// A kind of capacity in the source's own word, and what one count of it is: CMB's memoryMB counts Mi.
struct Resource {
  std::string name;  // "cpu", "memoryMB", "vcore", ... as the export spells it
  base::Unit unit = base::Unit::one;
};

// How much of one resource: an index into Model::resources and a count in its unit, never negative.
struct Amount {
  std::uint16_t resource = 0;
  std::int64_t count = 0;
  friend bool operator==(const Amount&, const Amount&) = default;
};
// Sorted by resource; a resource that is not listed is not claimed (which differs from claiming 0 of it).
using Amounts = std::vector<Amount>;

using TenantIndex = std::uint32_t;
inline constexpr TenantIndex no_tenant = 0xffffffffU;

enum class TenantType : std::uint8_t { leaf, internal };
enum class TenantState : std::uint8_t { accepted, removed, removing };

// Reserved capacity. total = shape x instances in every resource (checked against overflow by the reader).
struct Reservation {
  Amounts total;
  Amounts shape;  // of one instance; equal to total where the source knows no instances
  std::int64_t instances = 1;
  bool lendable = false;  // the source lends it when idle (YuniKorn guarantees; never CMB leaf reservations)
  base::Place place;
};

struct Tenant {
  std::string id;    // unique, never empty
  std::string name;  // display name, any text
  std::string email;
  std::string description;
  std::string path;  // '/'-joined names from its root, computed, unique only with the id
  TenantType type = TenantType::leaf;
  TenantState state = TenantState::accepted;
  TenantIndex parent = no_tenant;
  std::uint32_t depth = 0;                                      // 0 for roots
  std::vector<std::pair<std::string, std::string>> attributes;  // sorted by key
  std::uint32_t concurrency_limit = 0;  // 0: unlimited; tasks running at once in the subtree
  std::optional<std::uint32_t> weight;  // share of unreserved capacity; unset differs from 0 here
  std::optional<Reservation> reservation;
  Amounts maximum;               // hard upper limits per resource for the subtree (YuniKorn max); empty: none
  bool synthetic = false;        // made by the reader (the leaf of a node that both works and has children)
  bool request_pending = false;  // a capacity change is under review
  std::string capacity_group;    // the Titus capacity group it is bound to; "" when not known
  std::string resource_pool;     // pool of that group; "" when not known
  std::vector<std::pair<std::string, std::uint32_t>> cell_percent;  // its own split over cells; empty: the model's
  std::int32_t priority_offset = 0;                                 // YuniKorn priority.offset
  base::Place place;                                                // the tenant's object in the export
  base::Place name_place, reservation_place, weight_place, limit_place, parent_place;
};

// Capacity that any member may use on top of its reservation.
struct SharedPool {
  std::string name;
  std::string cell;           // "" when it spans all cells
  std::string resource_pool;  // chooses the flavor; "" for the default one
  Amounts capacity;
  bool all_members = true;
  std::vector<TenantIndex> members;  // sorted; only when !all_members
  base::Place place;
};

struct Cell {
  std::string name;
  std::uint32_t percent = 0;  // of every nominal; 100 over all cells. One cell without a percent has 100
  bool kueue_enabled = true;
  std::string kube_context;
  base::Place place;
};

// A Titus capacity group, kept to cross-check what tenants believe they have reserved.
struct CapacityGroup {
  std::string name;
  std::string resource_pool;
  std::string tier;
  Amounts total;
  std::vector<std::pair<std::string, std::uint32_t>> cell_percent;
  base::Place place;
};

enum class EnrollmentState : std::uint8_t { not_enrolled, enrolling, enrolled, rolling_back };

struct PriorityPolicy {
  std::string system_default = "Normal";                         // class that SystemDefault stands for
  std::vector<std::pair<std::string, std::int64_t>> class_base;  // as exported; may be empty
  std::optional<std::uint32_t> value_range;
  bool given = false;
  base::Place place;
};

// A field of the source that no object will carry, or only with another meaning: which one, whose, where, and a
// fingerprint of its value, so that a ledger entry changes when the value does. Fields at their zero value are
// not recorded.
struct FieldFact {
  std::uint16_t field = 0;         // index into Model::fields
  TenantIndex tenant = no_tenant;  // no_tenant: the export as a whole
  std::uint64_t value = 0;         // base::fnv1a of the value's text
  base::Place place;
};

// What a reader says about a kind of field once, in its table.
struct FieldNote {
  std::string field;   // "Tenant.tenantStatus[].message"
  std::string code;    // catalogue code, "C-08"
  std::string loss;    // what is lost or changes meaning
  std::string remedy;  // what to do about it
};

struct Model {
  std::string system;       // "cmb" or "yunikorn"
  std::string export_id;    // "" where the format has none
  std::string exported_at;  // RFC 3339 or ""
  std::vector<Resource> resources;
  std::vector<Cell> cells;        // sorted by name; never empty (a format without cells gives one named "default")
  std::vector<SharedPool> pools;  // sorted by name
  bool pools_given = false;       // the export says something about shared pools, even "none"
  std::vector<CapacityGroup> capacity_groups;  // sorted by name
  PriorityPolicy priorities;
  // Depth first, parents before children, siblings by (name, id): the same for every order of the input.
  std::vector<Tenant> tenants;
  std::vector<std::pair<TenantIndex, EnrollmentState>> enrollment;
  std::vector<FieldNote> fields;
  std::vector<FieldFact> facts;  // sorted by field, tenant, place
  // Fingerprint of what is promised, for plans: everything above but places, export_id, exported_at (an export of
  // the same promises has the same content) and enrollment (which changes as tenants move).
  std::uint64_t content = 0;
};

// What a selector on the command line (id, path, or a name that only one tenant has) stands for: not_found with a
// suggestion, usage when several tenants have the name (lists their paths).
base::Result<TenantIndex> find_tenant(const Model& model, const std::string& selector);

// The leaves of a tenant's subtree in model order (the tenant itself when it is a leaf).
std::vector<TenantIndex> leaves_below(const Model& model, TenantIndex tenant);

// One past the last tenant of the subtree that starts at `tenant` (the order makes a subtree a range).
TenantIndex subtree_end(const Model& model, TenantIndex tenant);

}  // namespace cmb2kueue::model
