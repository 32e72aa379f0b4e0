// Session: reading files, printing the report, and the one place that picks an exit code.
#include "session.h"

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cli {

namespace {

struct KindCode {
  base::ErrorKind kind;
  int code;
};

constexpr KindCode kind_codes[] = {
    {base::ErrorKind::none, 0},      {base::ErrorKind::usage, 2},       {base::ErrorKind::input, 3},
    {base::ErrorKind::not_found, 3}, {base::ErrorKind::io, 3},          {base::ErrorKind::cluster, 4},
    {base::ErrorKind::conflict, 5},  {base::ErrorKind::stale, 5},       {base::ErrorKind::locked, 6},
    {base::ErrorKind::mismatch, 7},  {base::ErrorKind::interrupted, 8}, {base::ErrorKind::internal, 7},
};

}  // namespace

const std::vector<ExitCode>& exit_codes() {
  static const std::vector<ExitCode> table = {
      {0, "Done; for diff and validate: no difference, nothing at or above --fail-on."},
      {1, "A difference was found, or findings at or above --fail-on."},
      {2, "Usage: an unknown verb, option or word, or arguments that do not go together."},
      {3, "Input that cannot be read or parsed, or a file or tenant that does not exist."},
      {4, "The target or its credentials refused."},
      {5, "A conflict with somebody else's object or change, or a stale plan."},
      {6, "Another run holds the lock."},
      {7, "The result differs from what was promised."},
      {8, "Interrupted or timed out; the same command goes on where it stopped."},
  };
  return table;
}

int exit_code(base::ErrorKind kind) {
  for (const KindCode& row : kind_codes)
    if (row.kind == kind) return row.code;
  return 7;
}

std::string Arguments::value(std::string_view option, std::string_view fallback) const {
  const auto found = values.find(option);
  return found == values.end() || found->second.empty() ? std::string(fallback) : found->second.back();
}

std::vector<std::string> Arguments::list(std::string_view option) const {
  const auto found = values.find(option);
  return found == values.end() ? std::vector<std::string>() : found->second;
}

base::Result<base::Severity> fail_on(const Arguments& arguments) {
  const std::string word = arguments.value("--fail-on", "error");
  for (const base::Severity severity : {base::Severity::note, base::Severity::warning, base::Severity::error})
    if (word == to_string(severity)) return severity;
  return base::Status(base::ErrorKind::usage, "--fail-on takes note, warning or error, not " + base::quoted(word) +
                                                  base::did_you_mean(word, {"note", "warning", "error"}));
}

Session::Session() : disk(base::real_file_system()) {}

base::Result<std::uint32_t> Session::read(const std::string& path) {
  base::Result<std::string> text = disk->read(path);
  if (!text.ok()) return text.status();
  return files.add(path, std::move(text).value());
}

int Session::finish(report::Report report) {
  return finish(std::move(report), 0);
}

int Session::finish(report::Report report, int code) {
  const base::Result<base::Severity> threshold = fail_on(arguments);
  if (!threshold.ok()) return fail(threshold.status());
  if (!findings.empty()) report.blocks.emplace_back(report::FindingList{"findings", findings.sorted()});
  const base::Result<std::string> text =
      report::render(report, files, arguments.value("--output", "text"), console.style());
  if (!text.ok()) {
    console.talk(report::describe(text.status(), files));
    return exit_code(text.status().kind());
  }
  console.document(text.value());
  if (code != 0) return code;
  return findings.count(threshold.value()) > 0 ? 1 : 0;
}

int Session::fail(const base::Status& status) {
  if (!findings.empty()) {
    report::Report report;
    report.blocks.emplace_back(report::FindingList{"findings", findings.sorted()});
    const base::Result<std::string> text = report::render(report, files, "text", console.style());
    if (text.ok()) console.talk(text.value());
  }
  std::string line = report::describe(status, files);
  line.pop_back();
  console.talk(line);
  return exit_code(status.kind());
}

}  // namespace cmb2kueue::cli
