// Model and mapping to what Kueue will hold: entitlements per cell, the objects made from them, the loss ledger and
// the proof that nothing was created or lost on the way. Rules: man/cmb2kueue-semantics.7.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/kueue/objects.h"
#include "cmb2kueue/mapping/mapping.h"
#include "cmb2kueue/model/tenant_model.h"
#include "cmb2kueue/quota/allot.h"
#include "cmb2kueue/quota/entitlements.h"
#include "cmb2kueue/translate/ledger.h"

namespace cmb2kueue::translate {

// For one flavor and resource (limits aside): what the export promises and what the objects of all cells hold, in
// the column's unit. equal() is checked on every run.
struct Conservation {
  std::string flavor, resource;
  base::Unit unit = base::Unit::one;
  std::int64_t reserved = 0;           // outermost reservations (inclusive) or all (additive)
  std::int64_t shared = 0;             // shared pools
  std::int64_t nominal = 0;            // sum of all nominals over all cells
  std::vector<std::int64_t> per_cell;  // in the order of Translation::cells
  bool equal() const { return reserved + shared == nominal; }
};

struct Translation {
  std::vector<quota::Entitlements> cells;  // in the order of Model::cells
  std::vector<Conservation> conservation;  // sorted as the columns
  Ledger ledger;
  std::uint64_t skipped = 0;  // tenants left out by a rule of the mapping
};

// What a verb is about to do decides how hard open questions are: unset reservation semantics, shared pools or
// split rules are findings for reading and errors for acting.
enum class Purpose { look, act };

// All problems are findings (ids T-...); a failed Status only for an internal contradiction (conservation broken).
base::Result<Translation> translate(const model::Model& model, const mapping::Mapping& mapping, Purpose purpose,
                                    base::Findings& findings);

// Where an object came from, for messages.
struct Origin {
  model::TenantIndex tenant = model::no_tenant;
  base::Place place;
};
using ObjectSink = std::function<void(kueue::Object&& object, const Origin& origin)>;

// Makes the end-state objects of one cell, one at a time, in order of creation (flavors, priority classes, Cohorts
// parents first, then per leaf Namespace where wanted, ClusterQueue, LocalQueue). Nothing is kept, so memory does
// not grow with the number of tenants. `end_state` adds the annotation that production refuses.
void shared_objects(const model::Model& model, const mapping::Mapping& mapping, const Translation& translation,
                    std::size_t cell, bool end_state, const ObjectSink& sink);
void leaf_objects(const model::Model& model, const mapping::Mapping& mapping, const Translation& translation,
                  std::size_t cell, std::uint32_t node, bool end_state, const ObjectSink& sink);
// shared_objects, then leaf_objects of every leaf in tree order.
void all_objects(const model::Model& model, const mapping::Mapping& mapping, const Translation& translation,
                 std::size_t cell, bool end_state, const ObjectSink& sink);

// The mapping's split rules in quota's words (kind input with the missing keys named when one is unset).
base::Result<quota::SplitRules> split_rules(const mapping::Mapping& mapping);
// The mapping's partition for one cell as node and column numbers; unknown nodes, flavors or units are findings.
std::vector<quota::FixedPart> fixed_parts(const mapping::Mapping& mapping, const quota::Entitlements& tree,
                                          base::Findings& findings);
// A partition section for these leaves, computed by the split rules, for CMB's operator to check and sign.
std::string propose_partition(const Translation& translation, const mapping::Mapping& mapping,
                              const std::vector<model::TenantIndex>& leaves);

struct TranslateRule {
  std::string_view id;
  base::Severity severity;
  std::string_view summary;
};
const std::vector<TranslateRule>& translate_rules();

}  // namespace cmb2kueue::translate
