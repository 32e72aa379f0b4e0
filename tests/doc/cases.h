// Reading the case files beside these tests: one case a line, fields between tabs, # in front of a remark.
#pragma once
#include <string>
#include <vector>

#include "support/files.h"

namespace cmb2kueue::doc {

inline std::vector<std::vector<std::string>> cases_of(const std::string& file) {
  const std::string text = testing::read_file(testing::project_path("tests/doc/cases/" + file));
  std::vector<std::vector<std::string>> cases;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    std::vector<std::string> fields(1);
    for (const char c : text.substr(at, end - at)) {
      if (c == '\t')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    if (!fields[0].starts_with("# ")) cases.push_back(fields);
    at = end + 1;
  }
  return cases;
}

// \n, \t, \r, \\ and \x04 in a case stand for the characters.
inline std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'x' ? '\x04' : c;
    if (c == 'x') i += 2;
  }
  return out;
}

}  // namespace cmb2kueue::doc
