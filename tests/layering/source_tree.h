// Reads the project's own sources as text: which file includes what, how long files and functions are.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cmb2kueue::testing {

struct Include {
  std::string file;  // path from the project's root
  int line = 0;
  std::string target;  // as written between the marks
};

struct SourceFile {
  std::string path;    // from the project's root
  std::string folder;  // "base", "doc", ..., "main", "tests"
  bool public_header = false;
  std::vector<std::string> lines;
};

struct FunctionSpan {
  std::string file;
  int line = 0;
  int length = 0;  // lines from the opening line to the closing brace
  bool test = false;
};

// folder -> folders it may include, and library -> its home folder.
struct Arrows {
  std::map<std::string, std::set<std::string>> may_include;
  std::map<std::string, std::string> library_home;
};

Arrows read_arrows();
std::vector<SourceFile> read_sources();  // src/, include/, tests/; sorted by path
std::vector<Include> includes_of(const SourceFile& file);
std::vector<FunctionSpan> functions_of(const SourceFile& file);

}  // namespace cmb2kueue::testing
