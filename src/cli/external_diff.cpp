// Two scratch folders, one program.
#include "external_diff.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cmb2kueue/base/process.h"
#include "cmb2kueue/base/text.h"
#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::cli {

namespace {

constexpr int a_minute = 60'000;

bool passes(const std::string& word) {
  return std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '='; });
}

// group.version.kind.namespace.name, the group left out for core kinds.
std::string file_name(const kueue::Object& object) {
  const kueue::ObjectKey key = kueue::key_of(object);
  const std::string group = key.kind == kueue::Kind::name_space ? "v1" : "kueue.x-k8s.io.v1beta2";
  return group + "." + to_string(key.kind) + "." + key.name_space + "." + key.name;
}

// A folder that goes away with the object.
class Scratch {
 public:
  explicit Scratch(const char* prefix) {
    std::string pattern = (std::filesystem::temp_directory_path() / (std::string(prefix) + "-XXXXXX")).string();
    const char* made = mkdtemp(pattern.data());
    path_ = made == nullptr ? "" : made;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

base::Status fill(Session& session, const Scratch& folder, const std::vector<kueue::Object>& objects) {
  if (folder.path().empty())
    return base::Status(base::ErrorKind::io, "cannot make a scratch folder", "check TMPDIR");
  for (const kueue::Object& object : objects) {
    const base::Status written =
        session.disk->replace(folder.path() + "/" + file_name(object), kueue::to_yaml(object), 0600);
    if (!written.ok()) return written;
  }
  return {};
}

}  // namespace

std::vector<std::string> external_diff_words(const std::string& text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!word.empty() && (words.empty() || passes(word))) words.push_back(word);
    at = end + 1;
  }
  return words;
}

int run_external_diff(Session& session, const std::string& words, const std::vector<kueue::Object>& before,
                      const std::vector<kueue::Object>& after) {
  const Scratch live("LIVE"), merged("MERGED");
  base::Status status = fill(session, live, before);
  if (status.ok()) status = fill(session, merged, after);
  if (!status.ok()) return session.fail(status);
  std::vector<std::string> argv = external_diff_words(words);
  argv.insert(argv.begin() + 1, {live.path(), merged.path()});
  const base::Result<base::ProcessResult> result = base::run_process(argv, "", a_minute);
  if (!result.ok()) return session.fail(result.status());
  session.console.document(result->out);
  if (!result->err.empty()) session.console.talk(result->err);
  return result->exit_code;
}

}  // namespace cmb2kueue::cli
