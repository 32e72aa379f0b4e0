// The opening most verbs share: read the export, load the mapping, translate, open targets.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"
#include "cmb2kueue/mapping/mapping.h"
#include "cmb2kueue/model/tenant_model.h"
#include "cmb2kueue/target/target.h"
#include "cmb2kueue/translate/translate.h"
#include "session.h"

namespace cmb2kueue::cli {

// What the inputs say, before anything is done with them.
struct Inputs {
  std::uint32_t export_file = 0;
  model::Model model;
  mapping::Mapping mapping;
};

// Reads --export (with --jobs) and --mapping. Findings land in the session; an error finding does not fail here, so
// that a verb can show all of them: ask with has_errors().
base::Result<Inputs> read_inputs(Session& session);
base::Result<mapping::Mapping> read_mapping(Session& session);
bool has_errors(const Session& session);

// The failure of a verb that cannot act on inputs with errors (the findings say which).
base::Status inputs_have_errors();

// The tenants named on the command line as leaves in model order; all leaves when none is named.
base::Result<std::vector<model::TenantIndex>> selected_leaves(const model::Model& model,
                                                              const std::vector<std::string>& selectors);

// One cell's target, opened. `fs` is the session's disk, or the memory kept here for mem: addresses.
struct OpenTarget {
  std::string cell;
  target::Address address;
  std::unique_ptr<target::Target> target;
  std::unique_ptr<base::FileSystem> memory;
};

// Opens what --target names. One plain address serves every cell of `cells` (a sub-folder each when there are
// several); CELL=ADDRESS names them one by one. An empty `cells` opens what was typed as it stands. Usage errors:
// no target, an unknown cell, a cell without an address.
base::Result<std::vector<OpenTarget>> open_targets(Session& session, const std::vector<std::string>& cells);

// The cells that a plain dir: address holds state for, when no export says which there are.
base::Result<std::vector<std::string>> cells_of_target(Session& session);

// Reads --hooks, where it was given, and has its programs stand for CMB in this session. What is wrong with the
// file lands in the findings.
base::Status open_other_side(Session& session);

// What every run of cutover is given, for one opened target.
cutover::Context context_for(Session& session, OpenTarget& open);

// Nonzero once SIGINT or SIGTERM has arrived; installs the handlers on first use.
const volatile int* stop_flag();

}  // namespace cmb2kueue::cli
