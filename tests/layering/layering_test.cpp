// The structure, held by tests: includes follow src/arrows.txt, each library stays in its folder, public headers
// stay light, files and functions stay short (docs/design.md, "Numbers to hold").
#include <gtest/gtest.h>

#include <algorithm>

#include "source_tree.h"

namespace cmb2kueue::testing {
namespace {

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> all = read_sources();
  return all;
}

// Which library an include belongs to; "" for the standard library and our own files.
std::string library_of(const std::string& target) {
  static const std::vector<std::pair<std::string, std::string>> prefixes = {
      {"yaml-cpp/", "yaml-cpp"}, {"simdjson", "simdjson"}, {"CLI/", "CLI11"}, {"curl/", "libcurl"},
      {"nlohmann/", "nlohmann"}, {"sha256.h", "md"},       {"sha2.h", "md"},  {"fmt/", "fmt"}};
  for (const auto& [prefix, library] : prefixes)
    if (target.starts_with(prefix)) return library;
  return "";
}

std::string folder_named(const std::string& target) {
  const std::string prefix = "cmb2kueue/";
  if (!target.starts_with(prefix)) return "";
  return target.substr(prefix.size(), target.find('/', prefix.size()) - prefix.size());
}

std::string at(const Include& include) {
  return include.file + ":" + std::to_string(include.line);
}

TEST(Layering, IncludesFollowTheArrows) {
  const Arrows arrows = read_arrows();
  ASSERT_GE(arrows.may_include.size(), 15U);
  int seen = 0;
  for (const SourceFile& file : sources()) {
    if (file.folder == "tests") continue;
    ASSERT_TRUE(arrows.may_include.contains(file.folder)) << file.path << " lies in a folder without a row";
    for (const Include& include : includes_of(file)) {
      const std::string folder = folder_named(include.target);
      if (folder.empty()) continue;
      ++seen;
      EXPECT_TRUE(arrows.may_include.at(file.folder).contains(folder))
          << at(include) << " may not include " << folder;
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(Layering, LibrariesStayInTheirFolder) {
  const Arrows arrows = read_arrows();
  for (const SourceFile& file : sources()) {
    if (file.folder == "tests") continue;
    for (const Include& include : includes_of(file)) {
      const std::string library = library_of(include.target);
      if (library.empty()) continue;
      EXPECT_FALSE(file.public_header) << at(include) << ": a public header includes the library " << library;
      if (library == "fmt") continue;
      ASSERT_TRUE(arrows.library_home.contains(library)) << at(include) << ": nobody owns " << library;
      EXPECT_EQ(arrows.library_home.at(library), file.folder) << at(include);
    }
  }
}

TEST(Layering, QuotedIncludesAreOursOrBesideTheBody) {
  for (const SourceFile& file : sources()) {
    if (!file.public_header) continue;
    for (const Include& include : includes_of(file)) {
      const bool ours = include.target.starts_with("cmb2kueue/");
      const bool standard = include.target.find('.') == std::string::npos;
      EXPECT_TRUE(ours || standard) << at(include) << " is neither ours nor of the standard library";
    }
  }
}

TEST(Layering, EveryFileOpensWithWhatItIsFor) {
  for (const SourceFile& file : sources()) {
    if (file.folder == "tests" || file.lines.empty()) continue;
    const bool body_of_header = file.path.ends_with(".cpp") && file.lines[0].starts_with("#include \"cmb2kueue/");
    EXPECT_TRUE(file.lines[0].starts_with("// ") || body_of_header) << file.path;
  }
}

TEST(Sizes, FilesStayShort) {
  std::vector<std::size_t> lengths;
  for (const SourceFile& file : sources()) {
    EXPECT_LE(file.lines.size(), 500U) << file.path << " is too long: split it by idea";
    if (file.folder != "tests") lengths.push_back(file.lines.size());
  }
  std::sort(lengths.begin(), lengths.end());
  EXPECT_LT(lengths[lengths.size() / 2], 120U) << "the median file is too long";
}

TEST(Sizes, FunctionsStayShort) {
  std::vector<int> lengths;
  for (const SourceFile& file : sources()) {
    for (const FunctionSpan& function : functions_of(file)) {
      EXPECT_LE(function.length, function.test ? 60 : 80) << function.file << ":" << function.line;
      if (!function.test) lengths.push_back(function.length);
    }
  }
  ASSERT_GT(lengths.size(), 200U) << "the scanner found too few functions to be believed";
  std::sort(lengths.begin(), lengths.end());
  EXPECT_LT(lengths[lengths.size() / 2], 12) << "the median function is too long";
  EXPECT_LT(lengths[lengths.size() * 9 / 10], 40) << "one in ten functions is too long";
}

// The checks above can fail: each is shown something it must see.
TEST(Scanner, SeesIncludesAndFunctions) {
  const SourceFile file = {"src/x.cpp",
                           "base",
                           false,
                           {"#include <yaml-cpp/yaml.h>", "namespace a {", "struct S { int x; };", "int f(int a,",
                            "      int b) {", "  return \"{\"[0];", "}", "}  // namespace a"}};
  ASSERT_EQ(includes_of(file).size(), 1U);
  EXPECT_EQ(library_of(includes_of(file)[0].target), "yaml-cpp");
  const std::vector<FunctionSpan> functions = functions_of(file);
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].line, 4);
  EXPECT_EQ(functions[0].length, 4);
}

}  // namespace
}  // namespace cmb2kueue::testing
