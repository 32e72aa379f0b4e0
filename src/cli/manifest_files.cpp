// Walking paths.
#include "manifest_files.h"

#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"

namespace cmb2kueue::cli {

namespace {

bool is_candidate(const std::string& name) {
  const bool ending = name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
  const bool hidden = name.starts_with(".cmb2kueue/") || name.find("/.cmb2kueue/") != std::string::npos ||
                      name.starts_with(".git/") || name.find("/.git/") != std::string::npos;
  return ending && !hidden;
}

}  // namespace

base::Result<std::vector<std::string>> files_at(Session& session, const std::string& path) {
  if (path == "-") return std::vector<std::string>{path};
  const std::string kind = session.disk->kind_of(path);
  if (kind.empty())
    return base::Status(base::ErrorKind::not_found, "there is no " + base::quoted(path, 400), "check the path");
  if (kind != "folder") return std::vector<std::string>{path};
  const base::Result<std::vector<std::string>> names = session.disk->list(path);
  if (!names.ok()) return names.status();
  std::vector<std::string> files;
  for (const std::string& name : names.value())
    if (is_candidate(name)) files.push_back((path.back() == '/' ? path : path + "/") + name);
  return files;
}

base::Result<std::vector<ManifestSet>> sets_at(Session& session, const std::string& path) {
  const std::vector<ManifestSet> whole = {{"", path}};
  if (path == "-" || session.disk->kind_of(path) != "folder") return whole;
  const base::Result<std::vector<std::string>> names = session.disk->list(path);
  if (!names.ok()) return names.status();
  std::set<std::string> cells, folders;
  for (const std::string& name : names.value()) {
    const std::size_t slash = name.find('/');
    const std::string top = slash == std::string::npos ? "" : name.substr(0, slash);
    const std::string rest = slash == std::string::npos ? name : name.substr(slash + 1);
    if (is_candidate(name)) folders.insert(top);
    if (rest.starts_with("shared/") || rest.starts_with("tenants/") || rest.starts_with(".cmb2kueue/"))
      cells.insert(top);
  }
  if (cells.empty() || cells.contains("") ||
      !std::includes(cells.begin(), cells.end(), folders.begin(), folders.end()))
    return whole;
  std::vector<ManifestSet> sets;
  for (const std::string& cell : cells) sets.push_back({cell, (path.back() == '/' ? path : path + "/") + cell});
  return sets;
}

base::Result<std::vector<kueue::Decoded>> objects_at(Session& session, const std::string& path) {
  const base::Result<std::vector<std::string>> files = files_at(session, path);
  if (!files.ok()) return files.status();
  std::vector<kueue::Decoded> objects;
  for (const std::string& file : files.value()) {
    const base::Result<std::uint32_t> number = session.read(file);
    if (!number.ok()) return number.status();
    const base::Result<std::vector<doc::Document>> documents = doc::parse_all(session.files, number.value());
    if (!documents.ok()) return documents.status();
    for (const doc::Document& document : documents.value())
      for (kueue::Decoded& decoded : kueue::decode(document.root(), session.findings))
        objects.push_back(std::move(decoded));
  }
  return objects;
}

}  // namespace cmb2kueue::cli
