// Whether a text can stand in YAML as it is. Asked for every word that is written, so it is one look at each byte
// in a table; only what begins like a number and is made of its characters is looked at twice.
#pragma once
#include <cstddef>
#include <string_view>

namespace cmb2kueue::doc {

enum class Quoting {
  plain,    // every YAML 1.1 and 1.2 reader reads it as this text
  single,   // between single quotes, which only double themselves
  escaped,  // between double quotes, with escapes: control characters, line ends, what readers refuse
};
Quoting quoting_of(std::string_view text);

// Whether a character that needs an escape begins at this byte (quotes and backslashes not counted).
bool must_escape(std::string_view text, std::size_t at);

}  // namespace cmb2kueue::doc
