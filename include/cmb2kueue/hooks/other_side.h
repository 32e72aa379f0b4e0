// The other side of a move: CMB, which this program never talks to itself. Whoever stands for it answers these
// calls: programs of the operator's (hooks_file.h), or a double in tests. Every call may be repeated with the same
// effect, and every call carries a sequence number, so that one which was delayed cannot undo a later one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/quantity.h"
#include "cmb2kueue/base/status.h"

namespace cmb2kueue::hooks {

enum class Hook : std::uint8_t {
  probe,
  cede,
  restore,
  switch_to_kueue,
  switch_back,
  route,
  usage,
  pending,
  withdraw,
  enqueue,
  notify
};
const char* to_string(Hook hook);  // "probe", ..., "switch", "switch-back", ...
std::optional<Hook> hook_of(std::string_view word);
const std::vector<Hook>& all_hooks();  // in the order of the enumeration

struct TenantRef {
  std::string id, path, hash;
  std::string name_space, local_queue, cluster_queue;
};

// What every call says of itself.
struct Call {
  std::string cell, run;
  // Number of the journal record behind the call; later calls about a tenant have greater ones. 0: the cluster that
  // keeps the journal cannot be reached; obey, and do not compare.
  std::uint64_t sequence = 0;
  std::string key;  // the same for a repetition, and for nothing else
  TenantRef tenant;
};

// What CMB may give out from now on at one node of the tree, absolute, never a difference.
struct Ceiling {
  std::string tenant, path;  // "(root)": the pool that all tenants of the cell share
  std::string flavor, resource;
  base::Quantity own;      // of this node alone
  base::Quantity subtree;  // with everything below it, as inclusive reservations are written
  bool closed = false;     // a limit of 0, which CMB would take for none: nothing may start
};

// What a leaf uses at CMB now.
struct Use {
  std::string tenant;  // id
  std::string flavor, resource;
  base::Quantity used;
};

enum class Side : std::uint8_t { unknown, cmb, kueue };
const char* to_string(Side side);

// A queued job: its id there, and its body (a JSON document of the job export's form) where it is known.
struct Job {
  std::string id;
  std::string body;
};

enum class Fate : std::uint8_t {
  unknown,    // nobody can say: ask again
  withdrawn,  // out of CMB's queue for good
  started,    // runs at CMB, and ends there
  queued,     // in CMB's queue because of this call
  exists,     // was in CMB's queue, or has started, before
  refused,    // stays where it is
};
const char* to_string(Fate fate);
struct JobFate {
  std::string id;
  Fate fate = Fate::unknown;
  std::string body;     // of a withdrawn job, where CMB knows it
  std::string message;  // why it was refused
};

// Kinds of errors of every call: conflict (the other side refuses, in its words), interrupted (no answer in time,
// or accepted and not in force yet: what has become of the call is unknown, repeat it), cluster (no answer that
// makes sense: unknown too), usage (the hook is not offered).
class OtherSide {
 public:
  virtual ~OtherSide() = default;

  // Name, version and configuration in one line, recorded with every call.
  virtual std::string identity() const = 0;
  virtual bool offers(Hook hook) const = 0;

  // It answers, knows the tenant, and could take its part in a move now. Changes nothing.
  virtual base::Status probe(const Call& call) = 0;

  // Lower or raise ceilings; done when CMB gives out no more than they say. What runs is left to run.
  virtual base::Status cede(const Call& call, const std::vector<Ceiling>& ceilings) = 0;
  virtual base::Status restore(const Call& call, const std::vector<Ceiling>& ceilings) = 0;

  // What each leaf of the cell uses; leaves that use nothing may be left out.
  virtual base::Result<std::vector<Use>> usage(const Call& call) = 0;

  // New work of the tenant goes to Kueue, or to CMB again.
  virtual base::Status switch_to_kueue(const Call& call) = 0;
  virtual base::Status switch_back(const Call& call) = 0;
  // Who receives new work of the tenant now.
  virtual base::Result<Side> route(const Call& call) = 0;

  // Ids of the tenant's jobs that CMB has queued and not started.
  virtual base::Result<std::vector<std::string>> pending(const Call& call) = 0;
  // One fate for each id, in the same order.
  virtual base::Result<std::vector<JobFate>> withdraw(const Call& call, const std::vector<std::string>& ids) = 0;
  virtual base::Result<std::vector<JobFate>> enqueue(const Call& call, const std::vector<Job>& jobs) = 0;

  // For people and their systems: the tenant has reached a state.
  virtual base::Status notify(const Call& call, const std::string& state) = 0;
};

}  // namespace cmb2kueue::hooks
