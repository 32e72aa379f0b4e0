// Matching with two points to return to: the last * and the last **.
#include "glob.h"

namespace cmb2kueue::mapping {

bool glob_matches(std::string_view pattern, std::string_view text) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t p = 0, t = 0;
  std::size_t star = none, star_text = 0;           // after the last *
  std::size_t double_star = none, double_text = 0;  // after the last **
  for (;;) {
    if (pattern.substr(p, 2) == "**") {
      p += 2;
      double_star = p;
      double_text = t;
      star = none;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    if (t == text.size() && p == pattern.size()) return true;
    if (t < text.size() && p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != none && star_text < text.size() && text[star_text] != '/') {
      p = star;
      t = ++star_text;
    } else if (double_star != none && double_text < text.size()) {
      p = double_star;
      t = ++double_text;
      star = none;
    } else {
      return false;
    }
  }
}

}  // namespace cmb2kueue::mapping
