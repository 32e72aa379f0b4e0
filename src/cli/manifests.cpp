// Streams objects out of translate into checks and files; nothing is kept but one file's text.
#include "manifests.h"

#include <algorithm>
#include <span>

#include "cmb2kueue/base/in_order.h"
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

// The objects of some leaves and their text, one bundle a leaf.
struct Bundles {
  struct Item {
    kueue::Object object;
    base::Place place;
  };
  std::vector<Item> objects;
  std::vector<std::string> files, texts;  // of which the first `count` are used
  std::size_t count = 0;

  void clear() {
    objects.clear();
    count = 0;
  }
  // The text of a new bundle, empty.
  std::string& add(std::string file) {
    if (count == texts.size()) {
      texts.emplace_back();
      files.emplace_back();
    }
    files[count] = std::move(file);
    texts[count].clear();
    return texts[count++];
  }
};

void append(const kueue::Object& object, std::string& text) {
  doc::YamlSink sink(text);
  if (!text.empty()) sink.begin_document();
  kueue::encode(object, sink);
}

class EndStateWriter {
 public:
  EndStateWriter(Session& session, const Inputs& inputs, const translate::Translation& translation, Output& output)
      : session_(session), inputs_(inputs), translation_(translation), output_(output) {}

  base::Status cell(std::size_t index, const std::vector<bool>& wanted);
  std::size_t objects() const { return objects_; }

 private:
  void shared(std::size_t index, const std::string& prefix, Bundles& made) const;
  void leaves(std::size_t index, std::span<const std::uint32_t> some, const std::string& prefix,
              Bundles& made) const;
  void take(const Bundles& made, check::Checker& checker);

  Session& session_;
  const Inputs& inputs_;
  const translate::Translation& translation_;
  Output& output_;
  std::size_t objects_ = 0;
  base::Status status_;
};

void EndStateWriter::shared(std::size_t index, const std::string& prefix, Bundles& made) const {
  translate::shared_objects(inputs_.model, inputs_.mapping, translation_, index, true,
                            [&](kueue::Object&& object, const translate::Origin& origin) {
                              append(object, made.add(prefix + shared_bundle(kueue::key_of(object)) + ".yaml"));
                              made.objects.push_back({std::move(object), origin.place});
                            });
}

void EndStateWriter::leaves(std::size_t index, std::span<const std::uint32_t> some, const std::string& prefix,
                            Bundles& made) const {
  for (const std::uint32_t node : some) {
    std::string& text = made.add(prefix + "tenants/" + translation_.cells[index].nodes[node].object + ".yaml");
    translate::leaf_objects(inputs_.model, inputs_.mapping, translation_, index, node, true,
                            [&](kueue::Object&& object, const translate::Origin& origin) {
                              append(object, text);
                              made.objects.push_back({std::move(object), origin.place});
                            });
  }
}

void EndStateWriter::take(const Bundles& made, check::Checker& checker) {
  for (const Bundles::Item& item : made.objects) checker.add(item.object, item.place, session_.findings);
  objects_ += made.objects.size();
  for (std::size_t i = 0; i < made.count && status_.ok(); ++i) status_ = output_.put(made.files[i], made.texts[i]);
}

// Objects are made and spelled ahead by other threads, the shared ones first, and judged and written here.
base::Status EndStateWriter::cell(std::size_t index, const std::vector<bool>& wanted) {
  constexpr std::size_t at_once = 64;
  const std::string prefix = translation_.cells.size() > 1 ? translation_.cells[index].cell + "/" : "";
  const std::vector<quota::EntitlementNode>& nodes = translation_.cells[index].nodes;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t n = 1; n < nodes.size(); ++n)
    if (nodes[n].leaf && wanted[nodes[n].tenant]) chosen.push_back(n);
  check::Checker checker{check::Options{}};
  std::size_t done = 0;
  const auto make = [&](std::size_t part, Bundles& made) {
    made.clear();
    if (part == 0) return shared(index, prefix, made);
    const std::size_t first = (part - 1) * at_once;
    leaves(index, std::span(chosen).subspan(first, std::min(at_once, chosen.size() - first)), prefix, made);
  };
  const auto write = [&](const Bundles& made) {
    take(made, checker);
    done += made.count;
    session_.console.progress("manifests", done + index * nodes.size(), nodes.size() * translation_.cells.size());
    return status_.ok();
  };
  const std::size_t parts = 1 + (chosen.size() + at_once - 1) / at_once;
  base::in_order<Bundles>(parts, base::useful_threads(), make, write);
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
