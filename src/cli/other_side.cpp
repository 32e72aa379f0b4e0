// --hooks: the programs that stand for CMB.
#include "cmb2kueue/hooks/hooks_file.h"
#include "pipeline.h"

namespace cmb2kueue::cli {

base::Status open_other_side(Session& session) {
  if (!session.arguments.has("--hooks")) return {};
  const base::Result<std::uint32_t> file = session.read(session.arguments.value("--hooks"));
  if (!file.ok()) return file.status();
  base::Result<hooks::HooksFile> read = hooks::load(session.files, file.value(), session.findings);
  if (!read.ok()) return read.status();
  if (has_errors(session))
    return base::Status(base::ErrorKind::input, "the hooks file has errors; nothing was done",
                        "mend what is said above; cmb2kueue validate checks the file alone");
  session.other_side = hooks::open(std::move(read).value());
  return {};
}

}  // namespace cmb2kueue::cli
