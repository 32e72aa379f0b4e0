// How a cluster is reached: kubectl's own options, which every verb with a target takes.
#pragma once
#include <vector>

#include "cmb2kueue/cli/cli.h"
#include "cmb2kueue/target/target.h"
#include "session.h"

namespace cmb2kueue::cli {

const std::vector<OptionInfo>& cluster_options();

// What was typed of them, and what every target is opened with.
target::OpenOptions open_options(Session& session);

}  // namespace cmb2kueue::cli
