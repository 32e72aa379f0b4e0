// A small YAML or JSON text that may hold secrets, read field by field. The first mistake counts, and no message
// says what stands in the text.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/doc/map_reader.h"
#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::target {

class TypedDocument {
 public:
  // `name` is what messages call it. All documents of the text are parsed; the first is read, until next().
  TypedDocument(std::string name, std::string text);
  TypedDocument(const TypedDocument&) = delete;
  TypedDocument& operator=(const TypedDocument&) = delete;

  // A map, empty for a text without a document. Fields nobody takes are no mistake.
  doc::MapReader& root() { return *root_; }
  // Moves on to the document behind; false when there is none.
  bool next();
  bool empty() const { return documents_.empty(); }

  // The parser's mistake, or the first one found by reading so far, with its place in the message. Kind input.
  base::Status status() const;
  std::string describe(base::Place place) const { return files_.describe(place); }

 private:
  void open(std::size_t document);

  std::string name_;
  base::SourceFiles files_;
  base::Status broken_;
  std::vector<doc::Document> documents_;
  std::size_t at_ = 0;
  base::Findings findings_;
  doc::ReadContext context_;
  std::optional<doc::MapReader> root_;
};

}  // namespace cmb2kueue::target
