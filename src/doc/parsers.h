// The two parsers behind parse.h.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/doc/parse.h"

namespace cmb2kueue::doc {

// Holds simdjson's buffers, so that a walk over many lines allocates once.
class JsonParser {
 public:
  JsonParser();
  ~JsonParser();
  // The part [offset, offset + length) of the file as one document.
  base::Result<Document> parse(const base::SourceFiles& files, std::uint32_t file, std::uint32_t offset,
                               std::uint32_t length, const Limits& limits);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Where the text stops being UTF-8; its size when it is all good.
std::uint32_t first_bad_byte(std::string_view text);

// All documents of a YAML text. `text` is what yaml-cpp reads; the rest says where it stands in the file.
struct YamlSource {
  std::uint32_t file = 0;
  std::string_view text;
  std::uint32_t base = 0;                   // where `text` starts in the file
  std::vector<std::uint32_t> line_offsets;  // per line of `text`: its start in the file; empty: text is as is
  bool folded = false;                      // no byte of `text` has a place of its own: all are at `base`
};
base::Result<std::vector<Document>> parse_yaml(const base::SourceFiles& files, const YamlSource& source,
                                               const Limits& limits);

}  // namespace cmb2kueue::doc
