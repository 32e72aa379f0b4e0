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
// duplicate key in a map, not UTF-8, too deep, aliases past the limit, non-scalar keys. YAML anchors, aliases and
// merge keys (<<) are expanded. Tabs, comments, directives and end marks are fine.
base::Result<std::vector<Document>> parse_all(const base::SourceFiles& files, std::uint32_t file,
                                              Limits limits = {});

// Exactly one document, else an error.
base::Result<Document> parse_one(const base::SourceFiles& files, std::uint32_t file, Limits limits = {});

// A part of a file, such as the YAML text inside a ConfigMap value, that lies at `offset` with `length` bytes in
// the source; places are those of the whole file. For a block scalar, pass its Node: indentation is kept in
// account, so that line and column are right.
base::Result<Document> parse_embedded(const base::SourceFiles& files, Node scalar, Limits limits = {});

// JSON Lines, one document at a time (the Document is reused; keep nothing of it). Blank lines are skipped. A line
// that does not parse is given to `bad` with its Status and the walk goes on; the callback of a good line may end
// the walk by returning a failed Status, which is returned. Memory does not grow with the number of lines.
base::Status for_each_json_line(const base::SourceFiles& files, std::uint32_t file,
                                const std::function<base::Status(Node root)>& good,
                                const std::function<void(const base::Status&)>& bad, Limits limits = {});

}  // namespace cmb2kueue::doc
