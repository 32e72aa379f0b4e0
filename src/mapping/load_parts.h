// The sections of a mapping file, one reader each.
#pragma once
#include "cmb2kueue/doc/map_reader.h"
#include "cmb2kueue/mapping/mapping.h"

namespace cmb2kueue::mapping {

using doc::MapReader;

base::Severity severity_of_mapping_rule(std::string_view id);

void read_flavors(MapReader& file, Mapping& mapping);
void read_rules(MapReader& file, Mapping& mapping);
void read_resources(MapReader& file, Mapping& mapping);
void read_namespaces(MapReader& file, Mapping& mapping);
void read_cells(MapReader& file, Mapping& mapping);
void read_priorities(MapReader& file, Mapping& mapping);
void read_split(MapReader& file, Mapping& mapping);
void read_partition(MapReader& file, Mapping& mapping);
void read_names(MapReader& file, Mapping& mapping);

// Reports M-NAME unless the text is a DNS-1123 label.
void check_name(MapReader& map, std::string_view key, const std::string& name);

}  // namespace cmb2kueue::mapping
