// Before-images: what a tenant's bundle was, byte for byte, kept with the journal.
#pragma once
#include <string>

#include "cmb2kueue/cutover/cutover.h"

namespace cmb2kueue::cutover {

// Keeps the image under before/<run>/ and returns the record's name. One that a run left which died before it
// recorded the snapshot is replaced: nothing was written since, so the newer one is the truth.
base::Result<std::string> keep_snapshot(const Context& context, const std::string& run, const target::Image& image);
base::Result<target::Image> load_snapshot(const Context& context, const std::string& name);

// Keeps somebody else's edit beside the snapshot; returns the record's name.
base::Result<std::string> keep_foreign(const Context& context, const std::string& run, const target::Image& image);

// Removes what a run kept.
base::Status drop_snapshots(const Context& context, const std::string& run);

}  // namespace cmb2kueue::cutover
