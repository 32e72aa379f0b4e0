// SourceFiles: texts with stable addresses, and a line index made only when somebody asks.
#include "cmb2kueue/base/place.h"

#include <algorithm>

namespace cmb2kueue::base {

namespace {

constexpr std::size_t padding = 64;  // readable bytes behind the text, for vectorised readers

void index_lines(std::string_view text, std::deque<std::uint32_t>& starts) {
  starts.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    starts.push_back(static_cast<std::uint32_t>(at + 1));
}

}  // namespace

std::uint32_t SourceFiles::add(std::string name, std::string text) {
  File& file = files_.emplace_back();
  file.name = name == "-" ? "<stdin>" : std::move(name);
  file.text = std::move(text);
  file.size = file.text.size();
  file.text.append(padding, '\0');
  return static_cast<std::uint32_t>(files_.size());
}

std::string_view SourceFiles::text(std::uint32_t file) const {
  if (file == 0 || file > files_.size()) return {};
  const File& found = files_[file - 1];
  return std::string_view(found.text).substr(0, found.size);
}

std::string_view SourceFiles::name(std::uint32_t file) const {
  return file == 0 || file > files_.size() ? std::string_view() : std::string_view(files_[file - 1].name);
}

Position SourceFiles::locate(Place place) const {
  Position position;
  position.file = name(place.file);
  if (place.file == 0 || place.file > files_.size()) return position;
  const File& file = files_[place.file - 1];
  if (file.line_starts.empty()) index_lines(text(place.file), file.line_starts);
  const auto after = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), place.offset);
  position.line = static_cast<std::uint32_t>(after - file.line_starts.begin());
  position.column = place.offset - *(after - 1) + 1;
  return position;
}

std::string SourceFiles::describe(Place place) const {
  const Position position = locate(place);
  if (position.line == 0) return position.file;
  return position.file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

}  // namespace cmb2kueue::base
