// Small things done to text in many rooms: hashes, slugs, suggestions, quoting for messages.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cmb2kueue::base {

// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

// The first `characters` of the lower-case base32 (RFC 4648 alphabet, no padding) of the SHA-256 of the text.
// At most 52 characters.
std::string sha256_base32(std::string_view text, std::size_t characters);

// FNV-1a, for content fingerprints that need not resist an attacker.
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed = 14695981039346656037ULL);

// Lower-case letters, digits and single dashes, as a DNS-1123 label begins and ends: other characters become a
// dash, runs of dashes fold, dashes at the ends go. May be empty. At most `longest` characters.
std::string slug(std::string_view text, std::size_t longest);

// The candidate nearest to `word`, if it is near enough to be a plausible slip (edit distance, with a swap of
// neighbours as one edit, of at most a third of the word's length, or of one for words of two letters); else "".
// Ties go to the earlier candidate. Words of one letter or of more than 128 find nothing.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// ", did you mean "x"?" or "" - ready to append to a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// The text in double quotes with quotes, backslashes, control characters, invalid UTF-8 and the characters that
// turn the writing direction escaped, cut after `longest` characters with "...". Safe on a terminal.
std::string quoted(std::string_view text, std::size_t longest = 80);

// True for well-formed UTF-8.
bool valid_utf8(std::string_view text);

// "1 tenant", "3 tenants": the plural takes an s.
std::string counted(std::uint64_t count, std::string_view noun);

// Whole numbers with thousands separated by commas, for people: 1,234,567.
std::string with_commas(std::int64_t value);

}  // namespace cmb2kueue::base
