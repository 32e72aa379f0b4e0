// Streams objects out of translate into checks and files; nothing is kept but one file's text.
#include "manifests.h"

#include <algorithm>

#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::cli {

namespace {

constexpr std::size_t stream_block = 1 << 20;

std::string kind_word(kueue::Kind kind) {
  switch (kind) {
    case kueue::Kind::name_space:
      return "namespace";
    case kueue::Kind::resource_flavor:
      return "flavor";
    case kueue::Kind::priority_class:
      return "priority";
    case kueue::Kind::cohort:
      return "cohort";
    default:
      return "object";
  }
}

// Where texts go: standard output in blocks, or files of a folder.
class Output {
 public:
  Output(Session& session, base::FolderWriter* folder) : session_(session), folder_(folder) {}

  base::Status put(const std::string& file, const std::string& text) {
    if (folder_ != nullptr) return folder_->write(file, text);
    if (!first_) buffer_ += "---\n";
    first_ = false;
    buffer_ += text;
    if (buffer_.size() > stream_block) flush();
    return {};
  }
  void flush() {
    session_.console.document(buffer_);
    buffer_.clear();
  }

 private:
  Session& session_;
  base::FolderWriter* folder_;
  std::string buffer_;
  bool first_ = true;
};

class EndStateWriter {
 public:
  EndStateWriter(Session& session, const Inputs& inputs, const translate::Translation& translation, Output& output)
      : session_(session), inputs_(inputs), translation_(translation), output_(output) {}

  base::Status cell(std::size_t index, const std::vector<bool>& wanted);
  std::size_t objects() const { return objects_; }

 private:
  void shared(std::size_t index, const std::string& prefix);
  void leaf(std::size_t index, std::uint32_t node, const std::string& prefix);
  void append(const kueue::Object& object, base::Place place);

  Session& session_;
  const Inputs& inputs_;
  const translate::Translation& translation_;
  Output& output_;
  check::Checker* checker_ = nullptr;
  std::string text_;
  std::size_t objects_ = 0;
  base::Status status_;
};

void EndStateWriter::append(const kueue::Object& object, base::Place place) {
  checker_->add(object, place, session_.findings);
  doc::YamlSink sink(text_);
  if (!text_.empty()) sink.begin_document();
  kueue::encode(object, sink);
  ++objects_;
}

void EndStateWriter::shared(std::size_t index, const std::string& prefix) {
  translate::shared_objects(inputs_.model, inputs_.mapping, translation_, index, true,
                            [&](const kueue::Object& object, const translate::Origin& origin) {
                              if (!status_.ok()) return;
                              text_.clear();
                              append(object, origin.place);
                              status_ = output_.put(prefix + shared_bundle(kueue::key_of(object)) + ".yaml", text_);
                            });
}

void EndStateWriter::leaf(std::size_t index, std::uint32_t node, const std::string& prefix) {
  text_.clear();
  translate::leaf_objects(
      inputs_.model, inputs_.mapping, translation_, index, node, true,
      [&](const kueue::Object& object, const translate::Origin& origin) { append(object, origin.place); });
  status_ = output_.put(prefix + "tenants/" + translation_.cells[index].nodes[node].object + ".yaml", text_);
}

base::Status EndStateWriter::cell(std::size_t index, const std::vector<bool>& wanted) {
  check::Checker checker{check::Options{}};
  checker_ = &checker;
  const std::string prefix = translation_.cells.size() > 1 ? translation_.cells[index].cell + "/" : "";
  const std::vector<quota::EntitlementNode>& nodes = translation_.cells[index].nodes;
  shared(index, prefix);
  for (std::uint32_t n = 1; n < nodes.size() && status_.ok(); ++n) {
    if (nodes[n].leaf && wanted[nodes[n].tenant]) leaf(index, n, prefix);
    session_.console.progress("manifests", n + 1 + index * nodes.size(), nodes.size() * translation_.cells.size());
  }
  if (status_.ok()) checker.finish(session_.findings);
  return status_;
}

}  // namespace

std::string shared_bundle(const kueue::ObjectKey& key) {
  return "shared/" + kind_word(key.kind) + "-" + key.name;
}

base::Result<Written> write_end_state(Session& session, const Inputs& inputs,
                                      const translate::Translation& translation,
                                      const std::vector<model::TenantIndex>& leaves, const std::string& out) {
  std::vector<bool> wanted(inputs.model.tenants.size());
  for (const model::TenantIndex leaf : leaves) wanted[leaf] = true;
  std::optional<base::FolderWriter> folder;
  if (!out.empty()) {
    base::Result<base::FolderWriter> opened = base::FolderWriter::open(out);
    if (!opened.ok()) return opened.status();
    folder = std::move(opened).value();
  }
  Output output(session, folder ? &*folder : nullptr);
  EndStateWriter writer(session, inputs, translation, output);
  for (std::size_t cell = 0; cell < translation.cells.size(); ++cell) {
    const base::Status status = writer.cell(cell, wanted);
    if (!status.ok()) return status;
  }
  if (!folder) output.flush();
  const base::Status finished = folder ? folder->finish() : base::Status();
  if (!finished.ok()) return finished;
  return Written{writer.objects(), folder ? folder->written() : 0};
}

}  // namespace cmb2kueue::cli
