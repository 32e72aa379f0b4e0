#include "source_tree.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "support/files.h"

namespace cmb2kueue::testing {

namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_source(const std::string& path) {
  return path.ends_with(".cpp") || path.ends_with(".h");
}

std::string folder_of(const std::string& path) {
  std::smatch match;
  if (std::regex_search(path, match, std::regex("^(src|include/cmb2kueue)/([a-z]+)/"))) return match[2];
  return path.starts_with("tests/") ? "tests" : "main";
}

// The line without string and character literals and without a trailing comment, so that braces in them do not
// count.
std::string bare(const std::string& line) {
  static const std::regex literals(R"re("([^"\\]|\\.)*"|'([^'\\]|\\.)'|//.*$)re");
  return std::regex_replace(line, literals, "");
}

bool opens_function(const std::string& text) {
  static const std::regex not_function(R"(^\s*(namespace|class|struct|enum|union|extern|using)\b)");
  return text.find('(') != std::string::npos && !std::regex_search(text, not_function);
}

}  // namespace

Arrows read_arrows() {
  Arrows arrows;
  const std::regex row("^([a-z]+):([^|]*)\\|(.*)$");
  for (const std::string& line : split_lines(read_file(project_path("src/arrows.txt")))) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    std::set<std::string>& allowed = arrows.may_include[match[1]];
    allowed.insert(match[1]);
    std::istringstream folders(match[2]);
    for (std::string folder; folders >> folder;) allowed.insert(folder);
    std::istringstream libraries(match[3]);
    for (std::string library; libraries >> library;) arrows.library_home[library] = match[1];
  }
  return arrows;
}

std::vector<SourceFile> read_sources() {
  std::vector<SourceFile> sources;
  const std::string root = project_path("");
  for (const char* top : {"src", "include", "tests"}) {
    for (const std::string& full : files_below(project_path(top))) {
      if (!is_source(full)) continue;
      const std::string path = full.substr(root.size());
      sources.push_back({path, folder_of(path), path.starts_with("include/"), split_lines(read_file(full))});
    }
  }
  return sources;
}

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex include_line("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
  std::vector<Include> found;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    if (std::regex_search(file.lines[i], match, include_line))
      found.push_back({file.path, static_cast<int>(i) + 1, match[1]});
  }
  return found;
}

std::vector<FunctionSpan> functions_of(const SourceFile& file) {
  std::vector<FunctionSpan> spans;
  std::string statement;  // text since the last ; { or } at the outermost level
  int depth = 0, start = 0, body_depth = -1;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const char c : bare(file.lines[i]) + "\n") {
      if (c == '{') {
        if (body_depth < 0 && opens_function(statement)) {
          body_depth = depth;
          start = static_cast<int>(i) + 1 - static_cast<int>(std::count(statement.begin(), statement.end(), '\n'));
        }
        ++depth;
        statement.clear();
      } else if (c == '}') {
        if (--depth == body_depth) {
          const int length = static_cast<int>(i) + 2 - start;
          spans.push_back({file.path, start, length, file.path.starts_with("tests/")});
          body_depth = -1;
        }
        statement.clear();
      } else if (c == ';') {
        statement.clear();
      } else if (!statement.empty() || (c != ' ' && c != '\n')) {
        statement += c;
      }
    }
  }
  return spans;
}

}  // namespace cmb2kueue::testing
