// The hooks file (man/cmb2kueue-hooks.5): which programs stand for CMB, and the other side made of them. Programs
// are started with their arguments as written, never through a shell; the request is JSON on their standard input,
// the answer JSON on their standard output, their standard error goes where ours goes.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/hooks/other_side.h"

namespace cmb2kueue::hooks {

struct HookProgram {
  std::vector<std::string> command;  // the hook's word follows as the last argument
  int timeout_ms = 60'000;
};

struct HooksFile {
  std::string name, version;
  std::map<Hook, HookProgram> offered;
  std::string fingerprint;  // of the decisions, for records
};

// Reads and checks a hooks file. A command with a slash in its first word is taken from the folder of the file.
// All problems become findings (rule ids H-...); a failed Status only when the file does not parse.
base::Result<HooksFile> load(base::SourceFiles& files, std::uint32_t file, base::Findings& findings);

// The other side that these programs are.
std::unique_ptr<OtherSide> open(HooksFile file);

struct HooksRule {
  std::string_view id;
  base::Severity severity;
  std::string_view summary;
};
const std::vector<HooksRule>& hooks_rules();

}  // namespace cmb2kueue::hooks
