// The table of output formats. A new format is one renderer file and one row here.
#include "cmb2kueue/report/report.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "renderers.h"

namespace cmb2kueue::report {

namespace {

using Renderer = std::string (*)(const Report&, const base::SourceFiles&, const Style&);

struct Row {
  Format format;
  Renderer render;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {{"text", "for people, on a terminal or in a log"}, render_text},
      {{"json", "one JSON document with apiVersion and kind; a stable schema"}, render_json},
      {{"yaml", "the same document as YAML"}, render_yaml},
      {{"markdown", "for pull requests and job summaries"}, render_markdown},
  };
  return table;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> table = [] {
    std::vector<Format> all;
    for (const Row& row : rows()) all.push_back(row.format);
    return all;
  }();
  return table;
}

base::Result<std::string> render(const Report& report, const base::SourceFiles& files, std::string_view format,
                                 const Style& style) {
  std::vector<std::string> names;
  for (const Row& row : rows()) {
    if (row.format.name == format) return row.render(report, files, style);
    names.emplace_back(row.format.name);
  }
  return base::Status(base::ErrorKind::usage,
                      "there is no output format " + base::quoted(format) + base::did_you_mean(format, names),
                      "use -o text, json, yaml or markdown");
}

std::string describe(const base::Status& status, const base::SourceFiles& files) {
  std::string line = "error: ";
  const std::string place = files.describe(status.place());
  if (!place.empty()) line += place + ": ";
  line += status.message();
  if (!status.advice().empty()) line += "\n  " + status.advice();
  return line + "\n";
}

}  // namespace cmb2kueue::report
