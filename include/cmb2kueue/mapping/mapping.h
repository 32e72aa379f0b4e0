// The operator's decisions: which flavor a tenant's capacity is, what the resources are called, where queues live,
// how what is shared is split while both sides run. A YAML file (man/cmb2kueue-mapping.5) with ordered rules; the
// first rule that matches a tenant decides. translate asks questions of it and never sees its text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/quantity.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/model/tenant_model.h"

namespace cmb2kueue::mapping {

using Labels = std::vector<std::pair<std::string, std::string>>;  // sorted by key

enum class Preset { parity, lend };
enum class ReservationSemantics { unset, inclusive, additive };
enum class SharedPools { unset, from_export, none };
enum class CellSplit { unit, instance };
enum class ZeroWeight { one, starve };
enum class NamespaceStrategy { shared, per_tenant, mapped };
enum class SplitKind { unset, by_moved_reservation, by_moved_weight, percent, at_end };

struct Taint {
  std::string key, value, effect;
};
struct Toleration {
  std::string key, op, value, effect;
};

struct Flavor {
  std::string name;
  std::vector<std::string> pools;  // resource pools of the export whose capacity this is
  Labels node_labels;
  std::vector<Taint> taints;
  std::vector<Toleration> tolerations;
  base::Place place;
};

// From a resource of the export to the name pods request. Unmapped resources are findings, never dropped silently.
struct ResourceMap {
  std::string source;  // "memoryMB"
  std::string target;  // "memory"; "" when excluded
  bool exclude = false;
  std::string reason;  // why it is excluded
  base::Place place;
};

struct Matcher {       // all that is set must match; nothing set matches every tenant
  std::string path;    // glob over the path: * within a segment, ** over segments
  std::string tenant;  // id
  std::string pool;    // resource pool
  std::string capacity_group;
  std::string attribute, attribute_value;
};

struct Rule {
  Matcher match;
  bool skip = false;  // the tenant (and all below it) is left out, and said so
  std::string reason;
  std::vector<std::string> flavors;  // the first carries the reservation, the others are listed at 0
  std::string queueing_strategy;     // "" for the default
  base::Place place;
};

struct Namespaces {
  NamespaceStrategy strategy = NamespaceStrategy::shared;
  std::string name = "batch";  // shared
  std::string prefix;          // per_tenant
  bool create = false;
  std::vector<std::pair<std::string, std::string>> mapped;  // path glob -> namespace, first match wins
};

struct PriorityClass {
  std::string name;  // CMB class word, "Critical"
  std::int64_t base = 0;
  std::vector<std::uint32_t> buckets;  // lower bounds of priorityValue, ascending, first 0
};

struct Split {
  SplitKind kind = SplitKind::unset;
  std::uint32_t percent = 0;
};

struct PartitionPart {
  std::string cell, node, flavor, resource;
  base::Quantity kueue;
  base::Place place;
};
struct Partition {
  std::string signed_by, date;
  std::vector<PartitionPart> parts;
  base::Place place;
};

struct Mapping {
  std::string name;  // file name for messages; "built-in parity" for the shipped default
  Preset preset = Preset::parity;
  ReservationSemantics semantics = ReservationSemantics::unset;
  SharedPools shared_pools = SharedPools::unset;
  std::vector<ResourceMap> resources;
  std::vector<Flavor> flavors;  // order kept: it is the order in which flavors are tried
  std::vector<Rule> rules;
  Namespaces namespaces;
  CellSplit cell_split = CellSplit::unit;
  std::vector<std::pair<std::string, std::uint32_t>> cell_percent;  // overrides the export's
  ZeroWeight zero_weight = ZeroWeight::one;
  std::string queueing_strategy = "BestEffortFIFO";
  std::string concurrency_flavor = "concurrency";
  std::vector<PriorityClass> priorities;                          // in ascending order of base
  std::string system_default;                                     // "" takes the export's
  std::vector<std::pair<std::string, std::string>> pinned_names;  // tenant id -> object name
  Split split_internal, split_pool, split_limit;
  std::int64_t split_minimum = 1;        // units each side keeps while both have leaves
  std::string primary_resource = "cpu";  // target name; by it subtree limits are split
  std::vector<std::uint32_t> ramp = {25, 50, 100};
  std::optional<Partition> partition;
  std::vector<std::string> defaulted;  // keys left to their default, for a finding each where -m is absent
  std::uint64_t content = 0;           // fingerprint of the decisions, for plans
};

// Loads and checks a mapping: schema (unknown keys are errors with "did you mean"), references between its parts,
// legal names. All problems become findings (rule ids M-...); a failed Status only when the file does not parse.
base::Result<Mapping> load(base::SourceFiles& files, std::uint32_t file, base::Findings& findings);

// The text of a shipped mapping ("parity", "lend", "pools"), compiled in so that the binary needs no data files.
const std::vector<std::pair<std::string, std::string>>& shipped();

// The answer for one tenant.
struct Decision {
  const Rule* rule = nullptr;  // nullptr: no rule matched (a finding of translate)
  bool skip = false;
  std::vector<std::uint16_t> flavors;  // indices into Mapping::flavors; the first carries the reservation
};
Decision decide(const Mapping& mapping, const model::Tenant& tenant);

// The rule alone, without looking anything up: the first that matches, or the first that matches and does not skip
// (which would decide if nobody were left out). nullptr when there is none.
enum class Skips { decide, pass_over };
const Rule* rule_for(const Mapping& mapping, const model::Tenant& tenant, Skips skips);

// The name pods request for a resource of the export; "" when the mapping excludes it; empty when the mapping does
// not know it.
std::optional<std::string> target_of(const Mapping& mapping, std::string_view source_resource);

// Index of the flavor that carries a resource pool's capacity; "" asks for the default flavor (the first). -1 when
// no flavor claims the pool, unless there is only one flavor and it claims none.
int flavor_of_pool(const Mapping& mapping, std::string_view pool);

// The namespace of a leaf's LocalQueue; "" when the strategy is `mapped` and no pattern matches.
std::string namespace_of(const Mapping& mapping, const model::Tenant& tenant, const std::string& object_name);

const char* to_string(Preset preset);
const char* to_string(SplitKind kind);

struct MappingRule {
  std::string_view id;
  base::Severity severity;
  std::string_view summary;
};
const std::vector<MappingRule>& mapping_rules();

}  // namespace cmb2kueue::mapping
