// From export files to the model. Each format is one reader in one file and one row in the table here.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/model/tenant_model.h"

namespace cmb2kueue::source {

struct Options {
  std::string format;           // "" recognises it; else a name of formats()
  bool strict_unknown = false;  // an unknown field is an error instead of a note
};

struct Format {
  std::string_view name;     // "cmb", "yunikorn"
  std::string_view summary;  // for help and the manual
};
const std::vector<Format>& formats();

// A check of a reader: its id is stable, has a sample that trips it, and is listed by `explain` and the manual.
struct ImportRule {
  std::string_view id;  // "E-PARENT-MISSING"
  base::Severity severity;
  std::string_view summary;
};
const std::vector<ImportRule>& import_rules();

// Reads tenants and capacity from a file that SourceFiles holds. Problems are findings, all of them in one go; a
// failed Status (kind input) means nothing could be read at all: not parsable, or no format fits. When a finding
// of severity error was added the model holds what could be made sense of and must not be acted upon.
base::Result<model::Model> read_export(base::SourceFiles& files, std::uint32_t file, const Options& options,
                                       base::Findings& findings);

// Jobs, tasks and accumulators (JSON Lines, header first): checks every row, takes what the ledger needs (which
// job fields are in use, by whom) into model.facts, and refuses a file of another exportId.
base::Status read_jobs(base::SourceFiles& files, std::uint32_t file, const Options& options, model::Model& model,
                       base::Findings& findings);

}  // namespace cmb2kueue::source
