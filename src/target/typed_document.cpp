// The readers of doc/map_reader.h, with every finding an error.
#include "typed_document.h"

#include "cmb2kueue/doc/parse.h"
#include "kubeconfig_file.h"

namespace cmb2kueue::target {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20U;

base::Severity always_error(std::string_view) {
  return base::Severity::error;
}

}  // namespace

base::Result<std::string> read_small_file(const std::string& path, base::FileSystem& fs) {
  base::Result<std::string> text = fs.read(path);
  if (text.ok() && text->size() > largest_file)
    return base::Status(base::ErrorKind::input, path + ": the file is larger than 1 MiB", "is it the right one?");
  return text;
}

std::string without_quotations(const std::string& message) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < message.size(); ++i) {
    if (message[i] == '"') {
      if (!quoted) out += "...";
      quoted = !quoted;
    } else if (quoted) {
      i += message[i] == '\\' ? 1 : 0;
    } else {
      out += message[i];
    }
  }
  return out;
}

base::Status at_place(const std::string& where, const base::Status& status) {
  const base::Status bare(status.kind(), status.message(), status.advice());
  return where.empty() ? bare : bare.prefixed(where);
}

TypedDocument::TypedDocument(std::string name, std::string text)
    : name_(std::move(name)), context_{findings_, "", always_error, "", name_, ""} {
  const std::uint32_t file = files_.add(name_, std::move(text));
  base::Result<std::vector<doc::Document>> parsed = doc::parse_all(files_, file);
  if (parsed.ok()) documents_ = std::move(parsed).value();
  if (!parsed.ok())
    broken_ = at_place(describe(parsed.status().place()),
                       base::Status(base::ErrorKind::input, without_quotations(parsed.status().message()),
                                    parsed.status().advice()));
  open(0);
}

void TypedDocument::open(std::size_t document) {
  at_ = document;
  root_.emplace(document < documents_.size() ? documents_[document].root() : doc::Node(), "", context_);
}

bool TypedDocument::next() {
  if (at_ + 1 >= documents_.size()) return false;
  open(at_ + 1);
  return true;
}

base::Status TypedDocument::status() const {
  if (!broken_.ok()) return broken_;
  const base::FoldedFinding* first = nullptr;
  base::FoldedFinding::Instance found;
  const std::vector<base::FoldedFinding> all = findings_.sorted();
  for (const base::FoldedFinding& finding : all) {
    const base::FoldedFinding::Instance& instance = finding.instances.front();
    if (finding.rule == "UNKNOWN-FIELD") continue;
    if (first != nullptr && found.place.offset <= instance.place.offset) continue;
    first = &finding;
    found = instance;
  }
  if (first == nullptr) return {};
  const std::string field = found.field.empty() ? "" : found.field + ": ";
  return at_place(describe(found.place),
                  base::Status(base::ErrorKind::input, field + first->message, first->advice));
}

}  // namespace cmb2kueue::target
