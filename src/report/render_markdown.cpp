// Markdown for pull requests and job summaries: the text layout with tables GitHub and GitLab draw. What comes from
// users is escaped, so a tenant's name cannot become a link or HTML.
#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "renderers.h"

namespace cmb2kueue::report {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '\n' || c == '\r') {
      out += ' ';
    } else {
      if (std::string_view("\\`*_[]|#>@").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

// A fence longer than any run of backticks inside.
std::string fence_for(const std::string& body) {
  std::size_t longest = 2, run = 0;
  for (const char c : body) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

class MarkdownWriter {
 public:
  MarkdownWriter(const base::SourceFiles& files, const Style& style) : files_(files), style_(style) {}
  std::string take() { return std::move(out_); }

  void heading(int level, const std::string& title) {
    if (title.empty()) return;
    if (!out_.empty()) out_ += '\n';
    out_ += std::string(static_cast<std::size_t>(level), '#') + " " + escaped(title) + "\n\n";
  }
  void operator()(const Facts& block);
  void operator()(const Table& block);
  void operator()(const Tree& block);
  void operator()(const Text& block);
  void operator()(const FindingList& block);
  void operator()(const Next& block);

 private:
  void row(const std::vector<std::string>& cells, std::size_t columns);
  void finding(const base::FoldedFinding& finding);

  const base::SourceFiles& files_;
  const Style& style_;
  std::string out_;
};

void MarkdownWriter::row(const std::vector<std::string>& cells, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) out_ += "| " + escaped(c < cells.size() ? cells[c] : "") + " ";
  out_ += "|\n";
}

void MarkdownWriter::operator()(const Facts& block) {
  heading(2, block.title);
  for (const Fact& fact : block.facts) out_ += "- " + escaped(fact.label) + ": " + escaped(fact.value) + "\n";
}

void MarkdownWriter::operator()(const Table& block) {
  heading(2, block.title);
  std::vector<std::string> labels;
  for (const Column& column : block.columns) labels.push_back(column.label);
  row(labels, labels.size());
  for (const Column& column : block.columns) out_ += column.number ? "| ---: " : "| --- ";
  out_ += "|\n";
  const std::size_t count = shown(block.rows.size(), block.people_rows);
  for (std::size_t r = 0; r < count; ++r) row(block.rows[r], labels.size());
  if (count < block.rows.size()) out_ += "\n" + and_more(block.rows.size() - count) + "\n";
  if (!block.note.empty()) out_ += "\n" + escaped(block.note) + "\n";
}

void MarkdownWriter::operator()(const Tree& block) {
  heading(2, block.title);
  const std::size_t count = shown(block.lines.size(), block.people_lines);
  for (std::size_t i = 0; i < count; ++i) {
    out_ += std::string(2 * block.lines[i].depth, ' ') + "- " + escaped(block.lines[i].name);
    for (std::size_t c = 0; c < block.lines[i].cells.size() && c < block.columns.size(); ++c)
      if (!block.lines[i].cells[c].empty())
        out_ += (c == 0 ? ": " : ", ") + escaped(block.columns[c]) + " " + escaped(block.lines[i].cells[c]);
    out_ += '\n';
  }
  if (count < block.lines.size()) out_ += "\n" + and_more(block.lines.size() - count) + "\n";
}

void MarkdownWriter::operator()(const Text& block) {
  heading(2, block.title);
  if (!block.code) {
    out_ += escaped(block.body) + "\n";
    return;
  }
  const std::string fence = fence_for(block.body);
  out_ += fence + "\n" + block.body;
  if (!block.body.empty() && block.body.back() != '\n') out_ += '\n';
  out_ += fence + "\n";
}

void MarkdownWriter::finding(const base::FoldedFinding& finding) {
  out_ +=
      std::string("- **") + to_string(finding.severity) + "** `" + finding.rule + "` " + escaped(finding.message);
  if (finding.count > 1) out_ += " (" + base::with_commas(static_cast<std::int64_t>(finding.count)) + " times)";
  out_ += '\n';
  const std::size_t count = shown(finding.instances.size(), style_.instances);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string place = files_.describe(finding.instances[i].place);
    if (place.empty() && finding.instances[i].subject.empty()) continue;
    out_ += "  - " + escaped(place) + (place.empty() ? "" : " ") + escaped(finding.instances[i].subject) + "\n";
  }
  if (count < finding.instances.size()) out_ += "  - " + and_more(finding.instances.size() - count) + "\n";
  if (!finding.advice.empty()) out_ += "  - " + escaped(finding.advice) + "\n";
}

void MarkdownWriter::operator()(const FindingList& block) {
  if (block.findings.empty()) return;
  heading(2, "Findings");
  for (const base::FoldedFinding& one : block.findings) finding(one);
}

void MarkdownWriter::operator()(const Next& block) {
  if (block.lines.empty()) return;
  heading(2, "Next");
  for (const std::string& line : block.lines) out_ += "- " + escaped(line) + "\n";
}

}  // namespace

std::string render_markdown(const Report& report, const base::SourceFiles& files, const Style& style) {
  MarkdownWriter writer(files, style);
  writer.heading(1, report.title);
  for (const Block& block : report.blocks) std::visit(writer, block);
  return writer.take();
}

}  // namespace cmb2kueue::report
