// validate: every file gets the checks of what it is.
#include <fmt/format.h>

#include <map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/check/check.h"
#include "cmb2kueue/cutover/plan.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/hooks/hooks_file.h"
#include "cmb2kueue/kueue/api.h"
#include "cmb2kueue/mapping/mapping.h"
#include "cmb2kueue/source/source.h"
#include "cmb2kueue/translate/ledger.h"
#include "commands.h"
#include "manifest_files.h"

namespace cmb2kueue::cli {

namespace {

std::string text_at(doc::Node map, std::string_view key) {
  const doc::Node node = map.find(key);
  return node.is_scalar() ? std::string(node.text()) : std::string();
}

// What a file is, by its first document.
std::string kind_of(doc::Node root) {
  const std::string version = text_at(root, "apiVersion"), kind = text_at(root, "kind");
  if (version.starts_with("cmb-export/")) return "export";
  if (version == "cmb2kueue.io/v1alpha1" && kind == "Mapping") return "mapping";
  if (version == "cmb2kueue.io/v1alpha1" && kind == "Acceptances") return "acceptances";
  if (version.starts_with("cmb2kueue.io/hooks/")) return "hooks";
  if (text_at(root, "format").starts_with("cmb2kueue.io/plan/")) return "plan";
  if (root.find("partitions").exists() || root.find("data").find("queues.yaml").exists()) return "export";
  return "manifests";
}

class Validator {
 public:
  explicit Validator(Session& session)
      : session_(session), options_{session.arguments.has("--production"), session.arguments.has("--partial")} {
    table_.columns = {{"file", "file"}, {"kind", "kind"}, {"documents", "documents", true}, {"verdict", "verdict"}};
  }
  void file(const std::string& cell, const std::string& path);
  int finish();

 private:
  base::Status dispatch(const std::string& kind, const std::string& cell, std::uint32_t file,
                        const std::vector<doc::Document>& documents);
  void manifests(const std::string& cell, const std::vector<doc::Document>& documents);
  void row(const std::string& path, const std::string& kind, std::size_t documents, std::uint64_t errors_before,
           std::uint64_t warnings_before);
  void broken(const std::string& path, const base::Status& status);

  Session& session_;
  check::Options options_;
  std::map<std::string, check::Checker> checkers_;  // by cell; a cell is a cluster of its own
  report::Table table_{"files", "Files", {}, {}, 60, ""};
  std::size_t objects_ = 0, unparsable_ = 0;
};

void Validator::broken(const std::string& path, const base::Status& status) {
  ++unparsable_;
  session_.findings.add(
      {"E-UNREADABLE", base::Severity::error, status.message(), status.advice(), path, "", status.place()});
  table_.rows.push_back({path, "?", "", "unreadable"});
}

void Validator::manifests(const std::string& cell, const std::vector<doc::Document>& documents) {
  check::Checker& checker = checkers_.try_emplace(cell, options_).first->second;
  for (const doc::Document& document : documents)
    for (const kueue::Decoded& decoded : kueue::decode(document.root(), session_.findings)) {
      ++objects_;
      checker.add(decoded.object, decoded.place, session_.findings, decoded.node);
    }
}

base::Status Validator::dispatch(const std::string& kind, const std::string& cell, std::uint32_t file,
                                 const std::vector<doc::Document>& documents) {
  if (kind == "export") {
    const source::Options options{"", session_.arguments.has("--strict")};
    return source::read_export(session_.files, file, options, session_.findings).status();
  }
  if (kind == "mapping") return mapping::load(session_.files, file, session_.findings).status();
  if (kind == "acceptances") return translate::load_acceptances(session_.files, file, session_.findings).status();
  if (kind == "hooks") return hooks::load(session_.files, file, session_.findings).status();
  if (kind == "plan") return cutover::parse_plan(session_.files, file).status();
  manifests(cell, documents);
  return {};
}

void Validator::row(const std::string& path, const std::string& kind, std::size_t documents,
                    std::uint64_t errors_before, std::uint64_t warnings_before) {
  const std::uint64_t errors = session_.findings.count(base::Severity::error) - errors_before;
  const std::uint64_t warnings = session_.findings.count(base::Severity::warning) - warnings_before - errors;
  std::string verdict = "sound";
  if (errors > 0)
    verdict = base::counted(errors, "error");
  else if (warnings > 0)
    verdict = base::counted(warnings, "warning");
  table_.rows.push_back({path, kind, std::to_string(documents), verdict});
}

void Validator::file(const std::string& cell, const std::string& path) {
  const base::Result<std::uint32_t> number = session_.read(path);
  if (!number.ok()) return broken(path, number.status());
  const base::Result<std::vector<doc::Document>> documents = doc::parse_all(session_.files, number.value());
  if (!documents.ok()) return broken(path, documents.status());
  const std::uint64_t errors = session_.findings.count(base::Severity::error);
  const std::uint64_t warnings = session_.findings.count(base::Severity::warning);
  const std::string kind = documents->empty() ? "empty" : kind_of(documents.value()[0].root());
  const base::Status status = dispatch(kind, cell, number.value(), documents.value());
  if (!status.ok()) return broken(path, status);
  row(path, kind, documents->size(), errors, warnings);
}

int Validator::finish() {
  for (auto& [cell, checker] : checkers_) checker.finish(session_.findings);
  report::Report report{"ValidateReport", "", {}};
  table_.note = fmt::format("{}, {}; rules over the whole set are listed below",
                            base::counted(table_.rows.size(), "file"), base::counted(objects_, "object"));
  report.blocks.emplace_back(std::move(table_));
  return session_.finish(std::move(report), unparsable_ > 0 ? exit_code(base::ErrorKind::input) : 0);
}

}  // namespace

int cmd_validate(Session& session) {
  if (session.arguments.positional.empty())
    return session.fail(base::Status(base::ErrorKind::usage, "validate needs files or folders",
                                     "name them; - reads standard input"));
  Validator validator(session);
  for (const std::string& path : session.arguments.positional) {
    const base::Result<std::vector<ManifestSet>> sets = sets_at(session, path);
    if (!sets.ok()) return session.fail(sets.status());
    for (const ManifestSet& set : sets.value()) {
      const base::Result<std::vector<std::string>> files = files_at(session, set.path);
      if (!files.ok()) return session.fail(files.status());
      for (const std::string& file : files.value()) validator.file(set.cell, file);
    }
  }
  return validator.finish();
}

}  // namespace cmb2kueue::cli
