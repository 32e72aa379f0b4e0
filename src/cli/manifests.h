// Writing translated objects: to one stream, or one file a tenant. Every object is checked on its way out.
#pragma once
#include <set>

#include "cmb2kueue/base/folder_writer.h"
#include "cmb2kueue/check/check.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

// The file, below a cell's folder, that an object stands in: "shared/cohort-x.yaml", "tenants/x.yaml". For objects
// of a tenant, `tenant_object` is its name.
std::string shared_bundle(const kueue::ObjectKey& key);

struct Written {
  std::size_t objects = 0, files = 0;
};

// The end state of these leaves (in model order) and what they share, in all cells.
base::Result<Written> write_end_state(Session& session, const Inputs& inputs,
                                      const translate::Translation& translation,
                                      const std::vector<model::TenantIndex>& leaves, const std::string& out);

}  // namespace cmb2kueue::cli
