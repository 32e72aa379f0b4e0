// Any bytes as JSON and as JSON lines. The fast reader and the slow one that explains mistakes must agree on what
// is JSON, but for what only the tree refuses (depth, duplicate keys).
#include "json_mistake.h"
#include "visit.h"

using namespace cmb2kueue;

namespace {

void check_document(const base::SourceFiles& files, std::uint32_t file) {
  const std::string_view text = files.text(file);
  const base::Result<doc::Document> document = doc::parse_one(files, file);
  const std::optional<doc::JsonMistake> mistake = doc::find_json_mistake(text);
  if (document.ok()) {
    fuzz::require(!mistake);
    fuzz::visit(files, document.value().root());
    fuzz::check_round_trip(document.value().root());
    return;
  }
  const std::string& message = document.status().message();
  fuzz::require(document.status().place().offset <= text.size());
  fuzz::require(mistake || message.find("stands twice") != std::string::npos ||
                message.find("deep") != std::string::npos || message.find("longer than") != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  base::SourceFiles files;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::uint32_t list = files.add("fuzz", "[" + text);
  check_document(files, list);
  const std::uint32_t lines = files.add("lines", text);
  const base::Status status = doc::for_each_json_line(
      files, lines, [](doc::Node) { return base::Status(); }, [](const base::Status&) {});
  fuzz::require(status.ok());
  return 0;
}
