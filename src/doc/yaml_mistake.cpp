// A table from what the parser says to what a person can use; what is not in it is passed on as it is.
#include "yaml_mistake.h"

#include <array>
#include <string_view>
#include <utility>

namespace cmb2kueue::doc {

namespace {

using Words = std::pair<std::string_view, std::string_view>;
constexpr std::array<Words, 24> table = {{
    {"end of map not found",
     "this line does not continue the map before it; is it indented too little or too much?"},
    {"end of sequence not found",
     "this line does not continue the list before it; is it indented too little or too much?"},
    {"end of map flow not found", "a map that began with { is not closed here, or a comma is missing"},
    {"end of sequence flow not found", "a list that began with [ is not closed here, or a comma is missing"},
    {"illegal map value", "a colon stands where no key is; is a text with a colon missing its quotes?"},
    {"illegal map key", "a key stands where none belongs"},
    {"illegal block entry", "a dash stands where no list item belongs"},
    {"illegal flow end", "a closing bracket has no opening one"},
    {"illegal tab when looking for indentation", "a tab is used for indentation, which YAML does not allow"},
    {"illegal EOF in scalar", "a quoted text is not closed before the end of the file"},
    {"illegal document indicator in scalar", "a quoted text is not closed before the next document begins"},
    {"illegal character in scalar", "a character that does not belong into a text"},
    {"unexpected character in block scalar", "something stands behind the | or > of a block of text"},
    {"cannot set zero indentation for a block scalar", "a block of text cannot be indented by 0"},
    {"unknown escape character: ", "a backslash in double quotes stands before a character it does not go with: "},
    {"bad character found while scanning hex number", "a \\x, \\u or \\U escape needs hexadecimal digits"},
    {"invalid unicode: ", "an escape names no character: "},
    {"unknown token", "this cannot begin a value; texts that begin with %, @ or ` need quotes"},
    {"the referenced anchor is not defined", "an alias refers to nothing that stands before it"},
    {"alias not found after *", "a * stands without a name; a text that begins with * needs quotes"},
    {"anchor not found after &", "an & stands without a name; a text that begins with & needs quotes"},
    {"illegal character found while scanning alias", "the name behind a * holds a character it cannot"},
    {"illegal character found while scanning anchor", "the name behind an & holds a character it cannot"},
    {"bad file", "lists and maps are nested hundreds deep"},
}};

}  // namespace

std::string yaml_mistake(const std::string& message) {
  for (const auto& [theirs, ours] : table)
    if (message.starts_with(theirs)) return std::string(ours) + message.substr(theirs.size());
  return message.empty() ? "it cannot be parsed" : message;
}

}  // namespace cmb2kueue::doc
