// Which parser a text goes to, and texts inside texts.
#include "cmb2kueue/doc/parse.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "parsers.h"

namespace cmb2kueue::doc {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view white = " \t\r\n";

std::uint32_t start_of(std::string_view text) {
  return text.starts_with(byte_order_mark) ? 3 : 0;
}

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white, start_of(text));
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

base::Status empty_file(std::uint32_t file) {
  return base::Status(base::ErrorKind::input, "there is no document in the file", "", {file, 0});
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return text.substr(begin, end - begin);
}

// The lines of a literal block (|) as they stand in the file: starts of the text of each line, indentation cut.
// Empty when the lines of the file do not read as the text does.
std::vector<std::uint32_t> block_lines(std::string_view source, std::uint32_t place, std::string_view text) {
  std::vector<std::uint32_t> starts;
  std::size_t at = std::min(source.find('\n', place), source.size());  // the end of the line before
  std::size_t indent = std::string_view::npos;
  for (std::size_t from = 0; from < text.size(); from += line_at(text, from).size() + 1) {
    const std::string_view line = line_at(text, from);
    const std::size_t begin = std::min(at + 1, source.size());
    std::string_view whole = line_at(source, begin);
    at = begin + whole.size();
    if (whole.ends_with('\r')) whole.remove_suffix(1);
    if (indent == std::string_view::npos && !line.empty())
      indent = whole.size() - std::min(whole.size(), line.size());
    const std::size_t cut = std::min(indent, whole.size());
    if (whole.substr(cut) != line) return {};
    starts.push_back(static_cast<std::uint32_t>(begin + cut));
  }
  starts.push_back(static_cast<std::uint32_t>(at));  // what is missing at the end is missing behind the last line
  return starts;
}

// Where the text of a scalar stands: as it is, line by line in a literal block, or, folded or with escapes,
// nowhere.
YamlSource inside(std::string_view source, base::Place place, std::string_view text) {
  for (const std::uint32_t start : {place.offset, place.offset + 1})
    if (source.substr(std::min<std::size_t>(start, source.size()), text.size()) == text)
      return {place.file, text, start, {}, false};
  YamlSource lines{place.file, text, place.offset, block_lines(source, place.offset, text), false};
  lines.folded = lines.line_offsets.empty();
  return lines;
}

}  // namespace

base::Result<std::vector<Document>> parse_all(const base::SourceFiles& files, std::uint32_t file, Limits limits) {
  const std::string_view text = files.text(file);
  if (!is_json(text)) {
    const YamlSource source{file, text, 0, {}, false};
    return parse_yaml(files, source, limits);
  }
  const std::uint32_t start = start_of(text);
  JsonParser parser;
  base::Result<Document> document =
      parser.parse(files, file, start, static_cast<std::uint32_t>(text.size()) - start, limits);
  if (!document.ok()) return document.status();
  std::vector<Document> documents;
  documents.push_back(std::move(document).value());
  return documents;
}

base::Result<Document> parse_one(const base::SourceFiles& files, std::uint32_t file, Limits limits) {
  base::Result<std::vector<Document>> documents = parse_all(files, file, limits);
  if (!documents.ok()) return documents.status();
  if (documents->empty()) return empty_file(file);
  if (documents->size() > 1)
    return base::Status(base::ErrorKind::input, "the file holds more than one document", "keep one document in it",
                        documents.value()[1].root().place());
  return std::move(documents.value()[0]);
}

base::Result<Document> parse_embedded(const base::SourceFiles& files, Node scalar, Limits limits) {
  const base::Place place = scalar.place();
  const YamlSource source = inside(files.text(place.file), place, scalar.text());
  base::Result<std::vector<Document>> documents = parse_yaml(files, source, limits);
  if (!documents.ok()) return documents.status();
  if (documents->size() != 1)
    return base::Status(base::ErrorKind::input, "the text holds " + base::counted(documents->size(), "document"),
                        "one is expected here", place);
  return std::move(documents.value()[0]);
}

base::Status for_each_json_line(const base::SourceFiles& files, std::uint32_t file,
                                const std::function<base::Status(Node root)>& good,
                                const std::function<void(const base::Status&)>& bad, Limits limits) {
  const std::string_view text = files.text(file);
  JsonParser parser;
  std::size_t at = start_of(text);
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.substr(at, end - at).find_first_not_of(white) != std::string_view::npos) {
      const base::Result<Document> line =
          parser.parse(files, file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at), limits);
      if (!line.ok()) {
        bad(line.status());
      } else {
        const base::Status status = good(line.value().root());
        if (!status.ok()) return status;
      }
    }
    at = end + 1;
  }
  return {};
}

}  // namespace cmb2kueue::doc
