// How the command line names tenants that are enrolled, planned or recorded: by id, path, the name of the queue, a
// path above them, or a plain name that only one of them has.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/base/status.h"

namespace cmb2kueue::cli {

struct Nameable {
  std::string hash, id, object, path;
};

// The hashes of those each selector names, sorted, each once. not_found for a selector that names nobody, with the
// nearest path; usage for a plain name that several have. `where` ends the message: "is not in the plan".
base::Result<std::vector<std::string>> select(const std::vector<Nameable>& all,
                                              const std::vector<std::string>& selectors, const std::string& where,
                                              const std::string& advice);

}  // namespace cmb2kueue::cli
