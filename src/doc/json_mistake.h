// Says where a text stops being JSON and in which way, for the person who has to mend it. The fast reader only
// knows that it does; this looks again, one character after the other.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::doc {

struct JsonMistake {
  std::uint32_t offset = 0;  // in the text
  std::string what;
  std::string advice;
};

// The first mistake of a text that should be one JSON document (RFC 8259), or nothing if it is one.
std::optional<JsonMistake> find_json_mistake(std::string_view text);

// integer, decimal, boolean or null by the token's form; text when it is none of them, or a number too large for a
// double, which other readers refuse too.
NodeKind json_scalar_kind(std::string_view token);

}  // namespace cmb2kueue::doc
