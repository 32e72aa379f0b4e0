// The neutral report every verb fills in, and the table of formats that print it. Nothing else in the program
// writes a document for a person or a script. JSON and YAML carry apiVersion and kind and have a stable schema:
// each block appears under its id.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"

namespace cmb2kueue::report {

struct Fact {
  std::string id, label, value;
  bool number = false;
};  // number: JSON prints value unquoted
struct Facts {
  std::string id, title;
  std::vector<Fact> facts;
};

struct Column {
  std::string id, label;
  bool number = false;
};  // numbers are right-aligned in text
struct Table {
  std::string id, title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::size_t people_rows = 0;  // text and markdown show this many and say how many more there are; 0: all
  std::string note;             // one line under the table
};

struct TreeLine {
  std::uint32_t depth = 0;
  std::string name;
  std::vector<std::string> cells;
};
struct Tree {
  std::string id, title;
  std::vector<std::string> columns;
  std::vector<TreeLine> lines;
  std::size_t people_lines = 0;  // as Table::people_rows
};

struct Text {
  std::string id, title, body;
  bool code = false;
};  // body with newlines; code: kept as it is
struct FindingList {
  std::string id = "findings";
  std::vector<base::FoldedFinding> findings;
};
struct Next {
  std::string id = "next";
  std::vector<std::string> lines;
};  // what to do now

using Block = std::variant<Facts, Table, Tree, Text, FindingList, Next>;

struct Report {
  std::string kind;  // "AuditReport": JSON kind; apiVersion is cmb2kueue.io/v1alpha1
  std::string title;
  std::vector<Block> blocks;
};

struct Style {
  bool color = false;           // decided by the command line (NO_COLOR, FORCE_COLOR, TERM, terminal)
  std::uint32_t width = 100;    // columns of the terminal
  std::uint32_t instances = 3;  // places shown per folded finding in text
};

struct Format {
  std::string_view name, summary;
};
const std::vector<Format>& formats();  // text, json, yaml, markdown

// The whole document, ending in a newline. usage error for an unknown format, with "did you mean".
base::Result<std::string> render(const Report& report, const base::SourceFiles& files, std::string_view format,
                                 const Style& style);

// One failure as a line for stderr: "error: file:line:column: message\n  advice".
std::string describe(const base::Status& status, const base::SourceFiles& files);

}  // namespace cmb2kueue::report
