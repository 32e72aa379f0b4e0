// Records and checkpoints as JSON. Trees are kept once in files of their own and named by their content.
#pragma once
#include <optional>
#include <string>

#include "cmb2kueue/base/file.h"
#include "journal.h"

namespace cmb2kueue::cutover {

std::string record_text(const Record& record);
std::optional<Record> parse_record(base::FileSystem& records, const std::string& text);

std::string state_text(const State& state);
std::optional<State> parse_state(base::FileSystem& records, const std::string& text);

}  // namespace cmb2kueue::cutover
