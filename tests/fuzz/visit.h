// Reads everything there is to read of a parsed document, so that a sanitizer sees every access, and checks what
// holds for all documents.
#pragma once
#include <cstdlib>

#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/parse.h"

namespace cmb2kueue::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void visit(const base::SourceFiles& files, doc::Node node) {
  const std::size_t size = files.text(1).size();
  require(node.place().offset <= size && node.key_place().offset <= size);
  require(files.locate(node.place()).line > 0);
  static_cast<void>(node.integer());
  static_cast<void>(node.boolean());
  static_cast<void>(node.decimal());
  std::size_t children = 0;
  for (doc::Node child : doc::children(node)) {
    ++children;
    if (node.is_map()) require(node.find(child.key()) == child);
    visit(files, child);
  }
  require(children == node.size());
}

template <class Sink>
std::string written(doc::Node node) {
  std::string out;
  Sink sink(out);
  doc::copy(node, sink);
  return out;
}

// What was read is written and read again as the same.
inline void check_round_trip(doc::Node root) {
  const std::string json = written<doc::JsonSink>(root);
  for (const std::string& text : {json, written<doc::YamlSink>(root)}) {
    base::SourceFiles files;
    const base::Result<doc::Document> again = doc::parse_one(files, files.add("again", text));
    require(again.ok());
    require(written<doc::JsonSink>(again.value().root()) == json);
  }
}

}  // namespace cmb2kueue::fuzz
