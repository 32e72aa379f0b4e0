// Any bytes as YAML: no crash, errors with a place inside the text, and what is read survives writing.
#include "visit.h"

using namespace cmb2kueue;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  base::SourceFiles files;
  // A comment in front, so that no text is taken for JSON.
  const std::string text = "#\n" + std::string(reinterpret_cast<const char*>(data), size);
  const std::uint32_t file = files.add("fuzz", text);
  const base::Result<std::vector<doc::Document>> documents = doc::parse_all(files, file);
  if (!documents.ok()) {
    fuzz::require(documents.status().place().file == file && documents.status().place().offset <= text.size());
    fuzz::require(!documents.status().message().empty());
    return 0;
  }
  for (const doc::Document& document : documents.value()) {
    fuzz::visit(files, document.root());
    if (!document.root().is_scalar()) fuzz::check_round_trip(document.root());
    for (doc::Node child : doc::children(document.root()))
      if (child.kind() == doc::NodeKind::text) static_cast<void>(doc::parse_embedded(files, child));
  }
  return 0;
}
