// The readers behind the table of formats.
#pragma once
#include "cmb2kueue/doc/tree.h"
#include "cmb2kueue/source/source.h"

namespace cmb2kueue::source {

bool is_cmb_export(doc::Node root);
// Readers own the document: they let go of it as soon as they can, for it is larger than the model.
base::Result<model::Model> read_cmb_export(base::SourceFiles& files, doc::Document document, const Options& options,
                                           base::Findings& findings);

bool is_yunikorn(doc::Node root);
base::Result<model::Model> read_yunikorn(base::SourceFiles& files, doc::Document document, const Options& options,
                                         base::Findings& findings);

}  // namespace cmb2kueue::source
