// A before-image is two records: its description, and the bytes where the bundle existed.
#include "snapshot.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "state_json.h"

namespace cmb2kueue::cutover {

namespace {

std::string description(const target::Image& image) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("bundle", image.bundle);
  sink.boolean_field("existed", image.existed);
  sink.text_field("version", image.version);
  sink.text_field("hash", target::version_of(image.bytes));
  sink.close();
  return out + "\n";
}

base::Status keep(const Context& context, const std::string& name, const target::Image& image) {
  base::FileSystem& records = context.target->records();
  if (image.existed) {
    const base::Status bytes = records.replace(name + ".bytes", image.bytes);
    if (!bytes.ok()) return bytes;
  }
  return records.replace(name + ".json", description(image));
}

}  // namespace

base::Result<std::string> keep_snapshot(const Context& context, const std::string& run,
                                        const target::Image& image) {
  const std::string name = "before/" + run + "/tenant";
  if (context.dry_run) return name;
  const base::Status kept = keep(context, name, image);
  if (!kept.ok()) return kept;
  return name;
}

base::Result<target::Image> load_snapshot(const Context& context, const std::string& name) {
  base::FileSystem& records = context.target->records();
  const base::Result<std::string> text = records.read(name + ".json");
  if (!text.ok()) return text.status();
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add(name, text.value()));
  if (!document.ok()) return document.status();
  JsonReader reader;
  target::Image image;
  image.bundle = reader.text(document.value().root(), "bundle");
  image.existed = reader.boolean(document.value().root(), "existed");
  image.version = reader.text(document.value().root(), "version");
  if (!reader.good || image.bundle.empty())
    return base::Status(base::ErrorKind::mismatch, "the snapshot " + base::quoted(name, 200) + " makes no sense",
                        "restore the folder .cmb2kueue from Git or a backup");
  if (!image.existed) return image;
  base::Result<std::string> bytes = records.read(name + ".bytes");
  if (!bytes.ok()) return bytes.status();
  image.bytes = std::move(bytes).value();
  if (target::version_of(image.bytes) != reader.text(document.value().root(), "hash"))
    return base::Status(base::ErrorKind::mismatch, "the snapshot " + base::quoted(name) + " is not what was kept",
                        "restore the folder .cmb2kueue from Git or a backup");
  return image;
}

base::Result<std::string> keep_foreign(const Context& context, const std::string& run, const target::Image& image) {
  std::string bundle = image.bundle;
  std::replace(bundle.begin(), bundle.end(), '/', '-');
  const std::string name =
      "before/" + run + "/foreign-" + bundle + "-" + target::version_of(image.bytes).substr(0, 12);
  if (context.dry_run) return name;
  const base::Status kept = keep(context, name, image);
  if (!kept.ok()) return kept;
  return name;
}

base::Status drop_snapshots(const Context& context, const std::string& run) {
  base::FileSystem& records = context.target->records();
  const std::string folder = "before/" + run;
  const base::Result<std::vector<std::string>> names = records.list(folder);
  if (!names.ok()) return names.status();
  for (const std::string& name : names.value()) {
    const base::Status removed = records.remove(folder + "/" + name);
    if (!removed.ok()) return removed;
  }
  return {};
}

}  // namespace cmb2kueue::cutover
