// JSON and YAML: the same events into two sinks, so the two documents cannot differ. Every block stands under its
// id; a table is a list of objects keyed by column id, and a value is a number only where its column says so.
#include "cmb2kueue/doc/emit.h"
#include "renderers.h"

namespace cmb2kueue::report {

namespace {

class StructuredWriter {
 public:
  StructuredWriter(const base::SourceFiles& files, doc::Sink& sink) : files_(files), sink_(sink) {}

  void operator()(const Facts& block);
  void operator()(const Table& block);
  void operator()(const Tree& block);
  void operator()(const Text& block) { sink_.text_entry(block.id, block.body); }
  void operator()(const FindingList& block);
  void operator()(const Next& block);

 private:
  void value(const std::string& text, bool number);
  void place(base::Place place);
  void finding(const base::FoldedFinding& finding);

  const base::SourceFiles& files_;
  doc::Sink& sink_;
};

void StructuredWriter::value(const std::string& text, bool number) {
  if (!number)
    sink_.text(text);
  else
    sink_.literal(text.empty() ? "null" : text);
}

void StructuredWriter::operator()(const Facts& block) {
  sink_.key(block.id);
  sink_.open_map();
  for (const Fact& fact : block.facts) {
    sink_.key(fact.id);
    value(fact.value, fact.number);
  }
  sink_.close();
}

void StructuredWriter::operator()(const Table& block) {
  sink_.key(block.id);
  sink_.open_list();
  for (const std::vector<std::string>& row : block.rows) {
    sink_.open_map();
    for (std::size_t c = 0; c < block.columns.size(); ++c) {
      sink_.key(block.columns[c].id);
      value(c < row.size() ? row[c] : std::string(), block.columns[c].number);
    }
    sink_.close();
  }
  sink_.close();
}

void StructuredWriter::operator()(const Tree& block) {
  sink_.key(block.id);
  sink_.open_list();
  for (const TreeLine& line : block.lines) {
    sink_.open_map();
    sink_.number_field("depth", line.depth);
    sink_.text_field("name", line.name);
    for (std::size_t c = 0; c < block.columns.size(); ++c)
      sink_.text_entry(block.columns[c], c < line.cells.size() ? line.cells[c] : std::string());
    sink_.close();
  }
  sink_.close();
}

void StructuredWriter::place(base::Place place) {
  const base::Position position = files_.locate(place);
  if (position.file.empty()) return;
  sink_.text_field("file", position.file);
  if (position.line == 0) return;
  sink_.number_field("line", position.line);
  sink_.number_field("column", position.column);
}

void StructuredWriter::finding(const base::FoldedFinding& finding) {
  sink_.open_map();
  sink_.text_field("rule", finding.rule);
  sink_.text_field("severity", to_string(finding.severity));
  sink_.text_field("message", finding.message);
  sink_.text_field("advice", finding.advice);
  sink_.number_field("count", static_cast<std::int64_t>(finding.count));
  sink_.key("instances");
  sink_.open_list();
  for (const base::FoldedFinding::Instance& instance : finding.instances) {
    sink_.open_map();
    sink_.text_field("subject", instance.subject);
    if (!instance.field.empty()) sink_.text_field("field", instance.field);
    place(instance.place);
    sink_.close();
  }
  sink_.close();
  sink_.close();
}

void StructuredWriter::operator()(const FindingList& block) {
  sink_.key(block.id);
  sink_.open_list();
  for (const base::FoldedFinding& one : block.findings) finding(one);
  sink_.close();
}

void StructuredWriter::operator()(const Next& block) {
  sink_.key(block.id);
  sink_.open_list();
  for (const std::string& line : block.lines) sink_.text(line);
  sink_.close();
}

void write(const Report& report, const base::SourceFiles& files, doc::Sink& sink) {
  sink.open_map();
  sink.text_field("apiVersion", "cmb2kueue.io/v1alpha1");
  sink.text_field("kind", report.kind);
  StructuredWriter writer(files, sink);
  for (const Block& block : report.blocks) std::visit(writer, block);
  sink.close();
}

}  // namespace

std::string render_json(const Report& report, const base::SourceFiles& files, const Style&) {
  std::string out;
  doc::JsonSink sink(out);
  write(report, files, sink);
  return out + "\n";
}

std::string render_yaml(const Report& report, const base::SourceFiles& files, const Style&) {
  std::string out;
  doc::YamlSink sink(out);
  write(report, files, sink);
  return out;
}

}  // namespace cmb2kueue::report
