// Cutting long lists for people, and measuring what they see.
#include <string>

#include "cmb2kueue/base/text.h"
#include "renderers.h"

namespace cmb2kueue::report {

std::size_t shown(std::size_t total, std::size_t limit) {
  return limit == 0 || total <= limit + 2 ? total : limit;
}

std::string and_more(std::size_t left_out) {
  return "... and " + base::with_commas(static_cast<std::int64_t>(left_out)) + " more (-o json lists all)";
}

std::string visible(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if ((byte < 0x20U && c != '\n' && c != '\t') || byte == 0x7FU) c = '?';
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return width;
}

}  // namespace cmb2kueue::report
