// The readers of each kind, and the parts that ClusterQueue and Cohort share.
#pragma once
#include "cmb2kueue/doc/map_reader.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::kueue {

using doc::MapReader;

inline constexpr std::string_view old_version = "kueue.x-k8s.io/v1beta1";

// Upper bounds of lists that a webhook or check judges, so that objects never read from a file are judged alike.
inline constexpr std::size_t any_number = 1'000'000;

Meta read_meta(MapReader& document, bool namespaced);
std::vector<ResourceGroup> read_groups(MapReader& spec);
std::optional<base::Quantity> read_weight(MapReader& spec);

// A quantity as the API server takes it. A decimal number with a whole value (1e3, 36.0) reaches the server as the
// integer it is, since kubectl writes it anew; any other is refused there.
std::optional<base::Quantity> read_quantity(MapReader& map, std::string_view key, bool required = false);

// Reports fields that another version of the API calls otherwise: read as unknown they would be lost silently, and
// with them a queue its cohort or a Cohort its parent. Returns what stands there, so that the reader goes on.
std::string read_renamed(MapReader& spec, std::string_view key, std::string_view name_here);

Object read_cluster_queue(MapReader& document);
Object read_cohort(MapReader& document);
Object read_local_queue(MapReader& document);
Object read_resource_flavor(MapReader& document);
Object read_priority_class(MapReader& document);
Object read_namespace(MapReader& document);

}  // namespace cmb2kueue::kueue
