// JSON as it comes from the API server: parsed once, read by path, written again with some of it changed.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/parse.h"

namespace cmb2kueue::target {

// A parsed text with the buffer it points into. Movable.
class Json {
 public:
  // Kind cluster: the answer is no JSON map or list, as when a proxy answers with a page to log in.
  static base::Result<Json> parse(std::string text);
  // What programs of others print: YAML too, as client-go's decoders take it.
  static base::Result<Json> parse_lenient(std::string text);
  doc::Node root() const { return document_->root(); }

 private:
  std::unique_ptr<base::SourceFiles> files_;
  std::unique_ptr<doc::Document> document_;
};

// The node at "metadata.labels.x"; keys with dots cannot be reached this way. A node that does not exist where a
// part of the path is missing.
doc::Node at(doc::Node node, std::string_view path);
std::string text_at(doc::Node node, std::string_view path);

// The node with all keys sorted and empty maps (but an empty namespaceSelector, which means everything) and nulls
// left out, compact: equal content gives equal text.
std::string canonical(doc::Node node);

// An object for writing: the live one's fields in their order, with some replaced or left out. Values are JSON
// texts.
class Edited {
 public:
  explicit Edited(doc::Node object) : object_(object) {}
  Edited& set(const std::string& path, std::string json);  // "metadata.resourceVersion"; made where it is missing
  Edited& drop(const std::string& path) { return set(path, ""); }
  std::string text() const;

 private:
  struct Change {
    std::string path, json;
  };
  void write_map(doc::Node node, const std::string& prefix, doc::Sink& sink) const;
  void write_missing(doc::Node node, const std::string& prefix, doc::Sink& sink) const;
  const Change* change_at(const std::string& path) const;
  bool touches(const std::string& path) const;
  doc::Node object_;
  std::vector<Change> changes_;
};

std::string quoted_json(std::string_view text);

}  // namespace cmb2kueue::target
