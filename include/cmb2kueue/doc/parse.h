// Text to trees. JSON goes through simdjson, YAML through yaml-cpp's events; what comes back is the same tree.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::doc {

struct Limits {
  std::uint32_t depth = 100;            // nesting of lists and maps
  std::uint64_t alias_nodes = 100'000;  // nodes a YAML document may gain by expanding aliases
};

// All documents of a file: one for JSON, as many as there are for YAML (empty ones are left out). JSON when the
// first character that is not white space or a byte-order mark is { or [. Errors (kind input, with place): syntax,
// duplicate key in a map, not UTF-8, control characters, too deep, aliases past the limit, keys that are null,
// lists or maps, tags other than !!str. YAML anchors, aliases and merge keys (<<) are expanded; a key of the map
// itself wins over a merged one. Tabs, comments, directives and end marks are fine. A plain YAML key that reads as
// a boolean or an integer is the text the API server makes of it: `on: x` has the key "true".
base::Result<std::vector<Document>> parse_all(const base::SourceFiles& files, std::uint32_t file,
                                              Limits limits = {});

// Exactly one document, else an error.
base::Result<Document> parse_one(const base::SourceFiles& files, std::uint32_t file, Limits limits = {});

// The YAML (or JSON) inside a text, such as a ConfigMap value: exactly one document. Places are those of the whole
// file, for a literal block (|) and for text without escapes to the column; inside a folded or escaped text no
// place can be told, so everything stands where that text does.
base::Result<Document> parse_embedded(const base::SourceFiles& files, Node scalar, Limits limits = {});

// JSON Lines, one document at a time (the Document is reused; keep nothing of it). Blank lines are skipped. A line
// that does not parse is given to `bad` with its Status and the walk goes on; the callback of a good line may end
// the walk by returning a failed Status, which is returned. Memory does not grow with the number of lines.
base::Status for_each_json_line(const base::SourceFiles& files, std::uint32_t file,
                                const std::function<base::Status(Node root)>& good,
                                const std::function<void(const base::Status&)>& bad, Limits limits = {});

}  // namespace cmb2kueue::doc
