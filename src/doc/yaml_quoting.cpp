// The table is by byte; a bit says what the byte means for the text it stands in.
#include "yaml_quoting.h"

#include <algorithm>
#include <array>

#include "scalars.h"

namespace cmb2kueue::doc {

namespace {

constexpr unsigned char not_first = 1;     // an indicator in first place
constexpr unsigned char not_bare = 2;      // harmless in block style, but not in flow style: quoted everywhere
constexpr unsigned char looks_on = 4;      // harmless unless something certain stands beside it
constexpr unsigned char control = 8;       // needs an escape
constexpr unsigned char lead = 16;         // may begin a character that needs an escape
constexpr unsigned char numeric = 32;      // part of a number or a date in some base and form
constexpr unsigned char may_resolve = 64;  // in first place: the text may be a number or a word with a meaning

constexpr std::array<unsigned char, 256> table = [] {
  std::array<unsigned char, 256> bits{};
  const auto set = [&](std::string_view characters, unsigned char bit) {
    for (const char c : characters) bits[static_cast<unsigned char>(c)] |= bit;
  };
  for (int c = 0; c < ' '; ++c) bits[static_cast<std::size_t>(c)] = control;
  bits[0x7F] = control;
  set("-?:,[]{}#&*!|>'\"%@` ", not_first);
  set(",[]{}", not_bare);
  set(":# ", looks_on);
  set("\xC2\xE2\xEF", lead);
  set("0123456789abcdefABCDEFxXoO_.+-:tTzZ ", numeric);
  set("0123456789+-.yYnNtTfFoO~<=", may_resolve);
  return bits;
}();

unsigned char bits_of(char c) {
  return table[static_cast<unsigned char>(c)];
}

constexpr std::size_t longest_word = 5;  // "false", "+.inf": of what may be read as something else by its letters

bool resolves(std::string_view text) {
  if (text.starts_with("...")) return true;  // the end of a document, where it stands first in its line
  const auto part_of_number = [](char c) { return (bits_of(c) & numeric) != 0; };
  if (text.size() > longest_word && !std::all_of(text.begin(), text.end(), part_of_number)) return false;
  return plain_is_ambiguous(text);
}

// Four bytes at a time: all text of all manifests comes by here.
unsigned char bits_of_all(std::string_view text) {
  unsigned int any = 0;
  std::size_t i = 0;
  for (; i + 4 <= text.size(); i += 4)
    any |= static_cast<unsigned int>(bits_of(text[i]) | bits_of(text[i + 1]) | bits_of(text[i + 2]) |
                                     bits_of(text[i + 3]));
  for (; i < text.size(); ++i) any |= bits_of(text[i]);
  return static_cast<unsigned char>(any);
}

// A colon before a blank or the end makes a key, a hash behind a blank a comment, a blank at the end vanishes.
bool ends_early(std::string_view text) {
  if (text.back() == ' ' || text.back() == ':') return true;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if ((text[i] == ':' && text[i + 1] == ' ') || (text[i] == ' ' && text[i + 1] == '#')) return true;
  return false;
}

}  // namespace

bool must_escape(std::string_view text, std::size_t at) {
  const unsigned char c = static_cast<unsigned char>(text[at]);
  if ((table[c] & lead) == 0) return (table[c] & control) != 0;
  const auto next = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  if (c == 0xC2) return next(1) < 0xA0;                                           // C1 controls, next line
  if (c == 0xE2) return next(1) == 0x80 && (next(2) == 0xA8 || next(2) == 0xA9);  // line and paragraph separators
  return (next(1) == 0xBB && next(2) == 0xBF) || (next(1) == 0xBF && next(2) >= 0xBE);  // U+FEFF, U+FFFE, U+FFFF
}

Quoting quoting_of(std::string_view text) {
  if (text.empty()) return Quoting::single;
  const unsigned char any = bits_of_all(text);
  if ((any & control) != 0) return Quoting::escaped;
  if ((any & lead) != 0)
    for (std::size_t i = 0; i < text.size(); ++i)
      if (must_escape(text, i)) return Quoting::escaped;
  const unsigned char first = bits_of(text.front());
  if ((any & not_bare) != 0 || (first & not_first) != 0) return Quoting::single;
  if ((any & looks_on) != 0 && ends_early(text)) return Quoting::single;
  return (first & may_resolve) != 0 && resolves(text) ? Quoting::single : Quoting::plain;
}

}  // namespace cmb2kueue::doc
