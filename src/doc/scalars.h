// What a plain YAML scalar is, by the table of YAML 1.1 that Kubernetes' reader uses (go.yaml.in/yaml v2
// resolve.go, which sigs.k8s.io/yaml v1.6 stands on).
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::doc {

NodeKind resolve_plain(std::string_view text);

// Decimal, 0x, 0o, 0b and leading-zero octal, with underscores; empty when it is none or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

// The value of an integer or decimal as written; the nearest there is for one that does not fit.
double parse_decimal(std::string_view text);

// The value of one of the boolean words.
bool parse_boolean(std::string_view text);

// True if this text, written plain, might be read as anything but text by a YAML 1.1 or 1.2 reader.
bool plain_is_ambiguous(std::string_view text);

}  // namespace cmb2kueue::doc
