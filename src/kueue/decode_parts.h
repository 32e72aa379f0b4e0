// The readers of each kind, and the parts that ClusterQueue and Cohort share.
#pragma once
#include "reader.h"

namespace cmb2kueue::kueue {

Meta read_meta(Reader& document, bool namespaced);
std::vector<ResourceGroup> read_groups(Reader& spec);
std::optional<base::Quantity> read_weight(Reader& spec);

Object read_cluster_queue(Reader& document);
Object read_cohort(Reader& document);
Object read_local_queue(Reader& document);
Object read_resource_flavor(Reader& document);
Object read_priority_class(Reader& document);
Object read_namespace(Reader& document);

}  // namespace cmb2kueue::kueue
