// DirectoryTarget: bundles are files, versions are hashes of their bytes.
#include "directory_target.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::target {

namespace {

constexpr const char* records_folder = ".cmb2kueue";
constexpr unsigned private_mode = 0600;

bool is_manifest(const std::string& file) {
  return file.ends_with(".yaml") || file.ends_with(".yml") || file.ends_with(".json");
}

bool is_ours_to_ignore(const std::string& file) {
  return file.starts_with(std::string(records_folder) + "/") ||
         file.find("/" + std::string(records_folder) + "/") != std::string::npos || file.starts_with(".git/");
}

// "tenants/x.yaml" of our home -> "tenants/x"; "" for files that are not ours.
std::string bundle_of(const std::string& file) {
  const bool ours = file.starts_with("shared/") || file.starts_with("tenants/");
  const bool direct = ours && file.find('/', file.find('/') + 1) == std::string::npos;
  return direct && file.ends_with(".yaml") ? file.substr(0, file.size() - 5) : "";
}

}  // namespace

std::string version_of(const std::string& bytes) {
  return base::sha256_hex(bytes);
}

DirectoryTarget::DirectoryTarget(std::string path, const std::string& cell, base::FileSystem& fs)
    : path_(std::move(path)),
      home_(cell.empty() ? path_ : path_ + "/" + cell),
      fs_(fs),
      records_(below(fs, home_ + "/" + records_folder, private_mode)) {}

void DirectoryTarget::read_file(const std::string& relative, base::SourceFiles& files, base::Findings& findings,
                                std::vector<Live>& found) {
  const std::string path = home_ + "/" + relative;
  const std::string bundle = bundle_of(relative);
  // What somebody else keeps below our folder (templates, say) need not be a manifest; a file of ours must be.
  const base::Severity severity = bundle.empty() ? base::Severity::warning : base::Severity::error;
  base::Result<std::string> text = fs_.read(path);
  if (!text.ok()) {
    if (text.status().kind() == base::ErrorKind::not_found) return;  // removed since it was listed
    findings.add({"V-UNREADABLE", severity, text.status().message(), "make it readable", path, "", {}});
    return;
  }
  const std::string version = version_of(text.value());
  const std::uint32_t file = files.add(path, std::move(text).value());
  const base::Result<std::vector<doc::Document>> documents = doc::parse_all(files, file);
  if (!documents.ok()) {
    findings.add({"V-UNREADABLE", severity, documents.status().message(), documents.status().advice(), path, "",
                  documents.status().place()});
    return;
  }
  for (const doc::Document& document : documents.value())
    for (kueue::Decoded& decoded : kueue::decode(document.root(), findings))
      found.push_back({std::move(decoded.object), bundle, version, path, decoded.place});
}

base::Result<std::vector<Live>> DirectoryTarget::list(base::SourceFiles& files, base::Findings& findings) {
  const base::Result<std::vector<std::string>> names = fs_.list(home_);
  if (!names.ok()) return names.status();
  std::vector<Live> found;
  for (const std::string& name : names.value())
    if (is_manifest(name) && !is_ours_to_ignore(name)) read_file(name, files, findings, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Live& a, const Live& b) { return kueue::key_of(a.object) < kueue::key_of(b.object); });
  for (std::size_t i = 1; i < found.size(); ++i)
    if (kueue::key_of(found[i].object) == kueue::key_of(found[i - 1].object)) {
      // Overlays and patches of others repeat objects on purpose; one of ours has one place only.
      const bool ours = !found[i].bundle.empty() || !found[i - 1].bundle.empty();
      findings.add({"V-TWICE", ours ? base::Severity::error : base::Severity::note,
                    "the object stands in two files: " + found[i - 1].where, "remove one of them",
                    to_string(kueue::key_of(found[i].object)), "", found[i].place});
    }
  return found;
}

base::Result<Image> DirectoryTarget::capture(const BundleRef& bundle) {
  Image image;
  image.bundle = bundle.name;
  image.keys = bundle.keys;
  const std::string path = file_of(bundle.name);
  const std::string kind = fs_.kind_of(path);
  if (kind.empty()) return image;
  if (kind != "file")
    return base::Status(base::ErrorKind::conflict, base::quoted(path, 400) + " is not a file",
                        "move it away; the name belongs to a manifest of cmb2kueue");
  base::Result<std::string> bytes = fs_.read(path);
  if (!bytes.ok()) return bytes.status();
  image.existed = true;
  image.bytes = std::move(bytes).value();
  image.version = version_of(image.bytes);
  return image;
}

base::Status DirectoryTarget::check_version(const std::string& bundle, const std::string& expected) {
  const base::Result<Image> now = capture(bundle);
  if (!now.ok()) return now.status();
  if (now->version == expected) return {};
  const std::string what =
      now->existed ? (expected.empty() ? "exists already" : "was changed by somebody else") : "is gone";
  return base::Status(base::ErrorKind::conflict, base::quoted(file_of(bundle), 400) + " " + what,
                      "look at the file; cmb2kueue verify shows what differs");
}

base::Status DirectoryTarget::write(const std::string& bundle, const std::string& bytes,
                                    const std::string& expected) {
  const base::Status same = check_version(bundle, expected);
  if (!same.ok()) return same;
  return expected.empty() ? fs_.create(file_of(bundle), bytes) : fs_.replace(file_of(bundle), bytes);
}

// Removes the file, and its folder when that was the last one in it. A folder that will not go (something unlisted
// is in it) is no failure: the bundle is gone.
base::Status DirectoryTarget::erase(const std::string& bundle) {
  const base::Status removed = fs_.remove(file_of(bundle));
  if (!removed.ok()) return removed;
  const std::string folder = home_ + "/" + bundle.substr(0, bundle.find('/'));
  const base::Result<std::vector<std::string>> rest = fs_.list(folder);
  if (rest.ok() && rest.value().empty() && fs_.kind_of(folder) == "folder") static_cast<void>(fs_.remove(folder));
  return {};
}

namespace {

std::string bytes_of(const Bundle& bundle) {
  return bundle.objects.empty() ? std::string() : kueue::to_yaml(bundle.objects);
}

}  // namespace

std::string DirectoryTarget::version_after(const Bundle& bundle) {
  return bundle.objects.empty() ? std::string() : version_of(bytes_of(bundle));
}

base::Result<std::string> DirectoryTarget::put(const Bundle& bundle, const std::string& expected) {
  const std::string bytes = bytes_of(bundle);
  if (!bytes.empty()) {
    const base::Status written = write(bundle.name, bytes, expected);
    if (!written.ok()) return written;
    return version_of(bytes);
  }
  const base::Status same = check_version(bundle.name, expected);
  if (!same.ok()) return same;
  if (expected.empty()) return std::string();
  const base::Status removed = erase(bundle.name);
  if (!removed.ok()) return removed;
  return std::string();
}

base::Status DirectoryTarget::restore(const Image& image, const std::string& expected) {
  if (image.existed) return write(image.bundle, image.bytes, expected);
  const base::Status same = check_version(image.bundle, expected);
  if (!same.ok() || expected.empty()) return same;
  return erase(image.bundle);
}

}  // namespace cmb2kueue::target
