// The readers of each kind, and the parts that ClusterQueue and Cohort share.
#pragma once
#include "cmb2kueue/doc/map_reader.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::kueue {

using doc::MapReader;

inline constexpr std::string_view old_version = "kueue.x-k8s.io/v1beta1";

Meta read_meta(MapReader& document, bool namespaced);
std::vector<ResourceGroup> read_groups(MapReader& spec);
std::optional<base::Quantity> read_weight(MapReader& spec);

Object read_cluster_queue(MapReader& document);
Object read_cohort(MapReader& document);
Object read_local_queue(MapReader& document);
Object read_resource_flavor(MapReader& document);
Object read_priority_class(MapReader& document);
Object read_namespace(MapReader& document);

}  // namespace cmb2kueue::kueue
