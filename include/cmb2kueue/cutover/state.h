// What a cell knows about its migration: who is enrolled and how far, how every node's capacity is divided, which
// shared objects exist and for whom. State is the fold of the journal; state.json is a checkpoint of that fold.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cmb2kueue/base/status.h"
#include "cmb2kueue/kueue/objects.h"
#include "cmb2kueue/quota/allot.h"
#include "cmb2kueue/quota/entitlements.h"
#include "cmb2kueue/target/target.h"

namespace cmb2kueue::cutover {

// The words of `status`. A tenant without a record is NotEnrolled.
enum class TenantState : std::uint8_t {
  not_enrolled,
  preparing,
  held,
  open,
  switched,
  ramping,
  moved,
  completed,
  draining,
  rolled_back,
  partial,
  failed
};
const char* to_string(TenantState state);  // "NotEnrolled", "Preparing", ...

// kueue + cmb + held = total, always. `cmb` is what CMB may be using: what it may give out and what still runs of
// what it gave out before. `told` is the ceiling it has acknowledged through its hooks, never above cmb.
struct Allotment {
  std::int64_t total = 0, kueue = 0, held = 0;
  std::optional<std::int64_t> told = std::nullopt;  // absent: its whole total; under a partition always
  std::int64_t cmb() const { return total - kueue - held; }
  std::int64_t ceiling() const { return told.value_or(total); }
  friend bool operator==(const Allotment&, const Allotment&) = default;
};

// A shared object: the template it is built from (end-state quotas), and who uses it.
struct SharedObject {
  kueue::Object object;  // as the end state wants it
  std::string bundle;
  bool adopted = false;            // existed before us: equal by value, never written, never removed
  std::vector<std::string> users;  // tenant hashes, sorted
};

// Who receives new work of a tenant, as far as is known. `moving`: a switch was asked for, and what became of that
// is not known.
enum class Intake : std::uint8_t { cmb, moving, kueue };

struct Enrolled {
  std::string hash, id, object, display;
  TenantState state = TenantState::preparing;
  std::string run;
  std::string nonce;                   // of the plan it was moved by (cutover.h, kept_plan)
  std::string step;                    // last step done
  std::uint32_t moved = 0;             // percent of its own reservation that is to have moved by now
  std::vector<kueue::Object> objects;  // end-state templates of the tenant's own objects
  bool counts = false;  // its capacity counts as Kueue's: from the step capacity until it is given back
  bool held = true;     // ClusterQueue stopped
  Intake intake = Intake::cmb;
  bool received = false;  // from the first attempt to switch on: work of the tenant may be in Kueue
  std::string snapshot;   // record name of the before-image; "" when dropped
  std::vector<std::string> acceptances;
};

struct Inputs {  // what plans depend on
  std::string export_id, export_hash, mapping_hash, semantics, preset;
  quota::SplitRules splits;
  std::vector<std::uint32_t> ramp = {100};  // percents, rising, the last 100
  bool partitioned = false;
  std::string partition_signed_by;
  std::vector<quota::FixedPart> partition;
};

struct Head {
  std::uint64_t seq = 0;  // 0: nothing recorded yet
  std::string hash;       // of the last record
  std::string run;        // who holds the tree; a take-over changes it
};

struct State {
  std::string format = "cmb2kueue.io/state/v1alpha1";
  std::string cell;
  Head head;
  Inputs inputs;
  quota::Entitlements tree;                                                 // the whole tree of the cell
  std::map<std::string, Enrolled> enrolled;                                 // by tenant hash
  std::map<std::pair<std::uint32_t, std::uint32_t>, Allotment> allotments;  // (node, column); absent: all with CMB
  std::map<kueue::ObjectKey, SharedObject> shared;
  std::map<std::string, std::string> versions;  // bundles of ours as last written
  std::map<std::string, std::string> pending;   // bundles announced and not yet acknowledged: version to come
  std::set<std::string> used;                   // nonce:tenant of every plan acted upon
};

// "tenants/<object>", the bundle of what a tenant owns.
std::string tenant_bundle(const std::string& object);
target::BundleRef bundle_of(const Enrolled& tenant);

// What each bundle of ours may hold, by its name.
std::map<std::string, std::vector<kueue::ObjectKey>> keys_by_bundle(const State& state);

// The tenant's own objects as they should be live now: held or open, at present allotments.
std::vector<kueue::Object> tenant_objects(const State& state, const Enrolled& tenant);

// A shared object at its present allotment. Linear in the tree.
kueue::Object shared_object(const State& state, const SharedObject& shared);

// How a node's column is divided now; what has no allotment yet is all with CMB.
Allotment present_allotment(const State& state, std::uint32_t node, std::uint32_t column);

// Which nodes are enrolled leaves whose capacity counts.
std::vector<bool> counting_leaves(const State& state);

// Where allotments are heading, from who counts and how much of each has moved: the partition's parts (held while
// nobody uses them), or what the split rules give Kueue. Absent: all with CMB. Pure.
std::map<std::pair<std::uint32_t, std::uint32_t>, Allotment> settled_allotments(const State& state);

// The objects that should be live now: shared ones at their present allotments, those of enrolled tenants with
// their stop policy and present quota. Sorted by key; n log n in the objects. Pure. A tenant that is preparing or
// draining is listed as it should be once the step in hand is done.
std::vector<kueue::Object> expected_objects(const State& state);

// The object with its quota rows set to what `kueue` holds of each column of the node.
kueue::Object at_allotment(const kueue::Object& end_state, const State& state, std::uint32_t node);

}  // namespace cmb2kueue::cutover
