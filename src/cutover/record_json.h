// Records and checkpoints as JSON. Trees are kept once in files of their own and named by their content.
#pragma once
#include <optional>
#include <string>

#include "cmb2kueue/base/file.h"
#include "journal.h"

namespace cmb2kueue::cutover {

std::string record_text(const Record& record);

// Nothing when the text is torn: no whole JSON map. A whole one that makes no sense was not torn but made by
// another version, or damaged, or its tree is missing: mismatch, with words that go behind "the record X".
base::Result<std::optional<Record>> parse_record(base::FileSystem& records, const std::string& text);

std::string state_text(const State& state);
// Nothing when it cannot be used; the records have it all.
std::optional<State> parse_state(base::FileSystem& records, const std::string& text);

}  // namespace cmb2kueue::cutover
