// Text for people: facts as aligned pairs, tables with padded columns, findings worst first with their places.
#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "renderers.h"

namespace cmb2kueue::report {

namespace {

constexpr const char* bold = "\033[1m";
constexpr const char* plain = "\033[0m";

const char* color_of(base::Severity severity) {
  switch (severity) {
    case base::Severity::error:
      return "\033[31m";
    case base::Severity::warning:
      return "\033[33m";
    case base::Severity::note:
      return "\033[36m";
  }
  return "";
}

// Writes blocks one after the other into a text.
class TextWriter {
 public:
  TextWriter(const base::SourceFiles& files, const Style& style) : files_(files), style_(style) {}

  std::string take() { return std::move(out_); }
  void heading(const std::string& title) {
    if (!out_.empty()) out_ += '\n';
    if (!title.empty()) out_ += paint(bold, title) + "\n";
  }

  void operator()(const Facts& block);
  void operator()(const Table& block);
  void operator()(const Tree& block);
  void operator()(const Text& block);
  void operator()(const FindingList& block);
  void operator()(const Next& block);

 private:
  std::string paint(const char* code, const std::string& text) const {
    return style_.color ? code + text + plain : text;
  }
  void cell(const std::string& text, std::size_t width, bool right);
  void row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
           const std::vector<Column>& columns);
  void finding(const base::FoldedFinding& finding);
  void instance(const base::FoldedFinding::Instance& instance);
  void end_line();

  const base::SourceFiles& files_;
  const Style& style_;
  std::string out_;
};

void TextWriter::end_line() {
  while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  out_ += '\n';
}

void TextWriter::operator()(const Facts& block) {
  heading(block.title);
  std::size_t width = 0;
  for (const Fact& fact : block.facts) width = std::max(width, display_width(fact.label));
  for (const Fact& fact : block.facts) {
    out_ += "  " + fact.label + std::string(width - display_width(fact.label) + 2, ' ') + visible(fact.value);
    end_line();
  }
}

void TextWriter::cell(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = display_width(text);
  const std::string padding(width > have ? width - have : 0, ' ');
  out_ += right ? padding + visible(text) : visible(text) + padding;
}

void TextWriter::row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                     const std::vector<Column>& columns) {
  out_ += "  ";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out_ += "  ";
    cell(i < cells.size() ? cells[i] : std::string(), widths[i], columns[i].number);
  }
  end_line();
}

void TextWriter::operator()(const Table& block) {
  heading(block.title);
  const std::size_t count = shown(block.rows.size(), block.people_rows);
  std::vector<std::size_t> widths;
  std::vector<std::string> labels;
  for (const Column& column : block.columns) {
    labels.push_back(column.label);
    widths.push_back(display_width(column.label));
  }
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t c = 0; c < widths.size() && c < block.rows[r].size(); ++c)
      widths[c] = std::max(widths[c], display_width(block.rows[r][c]));
  row(labels, widths, block.columns);
  for (std::size_t r = 0; r < count; ++r) row(block.rows[r], widths, block.columns);
  if (count < block.rows.size()) out_ += "  " + and_more(block.rows.size() - count) + "\n";
  if (!block.note.empty()) out_ += "  " + block.note + "\n";
}

void TextWriter::operator()(const Tree& block) {
  heading(block.title);
  const std::size_t count = shown(block.lines.size(), block.people_lines);
  std::size_t name_width = 0;
  for (std::size_t i = 0; i < count; ++i)
    name_width = std::max(name_width, 2 * block.lines[i].depth + display_width(block.lines[i].name));
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < block.columns.size(); ++c) {
    widths.push_back(display_width(block.columns[c]));
    for (std::size_t i = 0; i < count; ++i)
      if (c < block.lines[i].cells.size()) widths[c] = std::max(widths[c], display_width(block.lines[i].cells[c]));
  }
  const auto line = [&](const std::string& name, const std::vector<std::string>& cells) {
    out_ += "  ";
    cell(name, name_width, false);
    for (std::size_t c = 0; c < widths.size(); ++c) {
      out_ += "  ";
      cell(c < cells.size() ? cells[c] : std::string(), widths[c], true);
    }
    end_line();
  };
  if (!block.columns.empty()) line("", block.columns);
  for (std::size_t i = 0; i < count; ++i)
    line(std::string(2 * block.lines[i].depth, ' ') + block.lines[i].name, block.lines[i].cells);
  if (count < block.lines.size()) out_ += "  " + and_more(block.lines.size() - count) + "\n";
}

void TextWriter::operator()(const Text& block) {
  heading(block.title);
  out_ += visible(block.body);
  if (!block.body.empty() && block.body.back() != '\n') out_ += '\n';
}

void TextWriter::instance(const base::FoldedFinding::Instance& instance) {
  const std::string place = files_.describe(instance.place);
  out_ += "    ";
  if (!place.empty()) out_ += place + "  ";
  out_ += visible(instance.subject);
  if (!instance.field.empty()) out_ += "  " + visible(instance.field);
  end_line();
}

void TextWriter::finding(const base::FoldedFinding& finding) {
  out_ += "  " + paint(color_of(finding.severity), to_string(finding.severity)) + " " + finding.rule + ": " +
          visible(finding.message);
  if (finding.count > 1) out_ += " (" + base::with_commas(static_cast<std::int64_t>(finding.count)) + " times)";
  out_ += '\n';
  const std::size_t count = shown(finding.instances.size(), style_.instances);
  const base::FoldedFinding::Instance& one = finding.instances.front();
  const bool says_nothing = one.subject.empty() && one.field.empty() && !one.place.known();
  for (std::size_t i = 0; i < count && !says_nothing; ++i) instance(finding.instances[i]);
  if (count < finding.instances.size()) out_ += "    " + and_more(finding.instances.size() - count) + "\n";
  if (!finding.advice.empty()) out_ += "    -> " + finding.advice + "\n";
}

void TextWriter::operator()(const FindingList& block) {
  if (block.findings.empty()) return;
  heading("Findings");
  for (const base::FoldedFinding& one : block.findings) finding(one);
}

void TextWriter::operator()(const Next& block) {
  if (block.lines.empty()) return;
  heading("Next");
  for (const std::string& line : block.lines) out_ += "  " + visible(line) + "\n";
}

}  // namespace

std::string render_text(const Report& report, const base::SourceFiles& files, const Style& style) {
  TextWriter writer(files, style);
  if (!report.title.empty()) writer.heading(report.title);
  for (const Block& block : report.blocks) std::visit(writer, block);
  return writer.take();
}

}  // namespace cmb2kueue::report
