// The other side made of programs: one process a call, one answer a process.
#include <fmt/format.h>

#include "cmb2kueue/base/process.h"
#include "cmb2kueue/base/text.h"
#include "cmb2kueue/hooks/hooks_file.h"
#include "protocol.h"

namespace cmb2kueue::hooks {

namespace {

class Programs : public OtherSide {
 public:
  explicit Programs(HooksFile file) : file_(std::move(file)) {}

  std::string identity() const override {
    return fmt::format("{} {} ({})", file_.name, file_.version, file_.fingerprint.substr(0, 12));
  }
  bool offers(Hook hook) const override { return file_.offered.contains(hook); }

  base::Status probe(const Call& call) override { return plain(Hook::probe, call, {}); }
  base::Status cede(const Call& call, const std::vector<Ceiling>& ceilings) override {
    return plain(Hook::cede, call, {ceilings, {}, ""});
  }
  base::Status restore(const Call& call, const std::vector<Ceiling>& ceilings) override {
    return plain(Hook::restore, call, {ceilings, {}, ""});
  }
  base::Status switch_to_kueue(const Call& call) override { return plain(Hook::switch_to_kueue, call, {}); }
  base::Status switch_back(const Call& call) override { return plain(Hook::switch_back, call, {}); }
  base::Status notify(const Call& call, const std::string& state) override {
    return plain(Hook::notify, call, {{}, {}, state});
  }

  base::Result<std::vector<Use>> usage(const Call& call) override {
    base::Result<Answer> answer = ask(Hook::usage, call, {});
    if (!answer.ok()) return answer.status();
    return std::move(answer->uses);
  }
  base::Result<Side> route(const Call& call) override {
    const base::Result<Answer> answer = ask(Hook::route, call, {});
    if (!answer.ok()) return answer.status();
    return answer.value().side;
  }
  base::Result<std::vector<std::string>> pending(const Call& call) override {
    const base::Result<Answer> answer = ask(Hook::pending, call, {});
    if (!answer.ok()) return answer.status();
    std::vector<std::string> ids;
    for (const JobFate& job : answer.value().jobs) ids.push_back(job.id);
    return ids;
  }
  base::Result<std::vector<JobFate>> withdraw(const Call& call, const std::vector<std::string>& ids) override {
    std::vector<Job> jobs;
    for (const std::string& id : ids) jobs.push_back({id, ""});
    return fates(Hook::withdraw, call, jobs, ids);
  }
  base::Result<std::vector<JobFate>> enqueue(const Call& call, const std::vector<Job>& jobs) override {
    std::vector<std::string> ids;
    for (const Job& job : jobs) ids.push_back(job.id);
    return fates(Hook::enqueue, call, jobs, ids);
  }

 private:
  base::Result<Answer> ask(Hook hook, const Call& call, const Question& question) {
    const auto program = file_.offered.find(hook);
    if (program == file_.offered.end())
      return base::Status(base::ErrorKind::usage,
                          fmt::format("the hooks {} do not offer {}", file_.name, to_string(hook)),
                          "add it to the hooks file, see cmb2kueue-hooks(5)");
    const std::string words = fmt::format("hook {}", to_string(hook));
    std::vector<std::string> argv = program->second.command;
    argv.emplace_back(to_string(hook));
    base::ProcessOptions options;
    options.input = request_text(hook, call, question);
    options.timeout_ms = program->second.timeout_ms;
    options.share_errors = true;
    const base::Result<base::ProcessResult> ran = base::run_process(argv, options);
    if (!ran.ok())
      return base::Status(base::ErrorKind::cluster, words + ": " + ran.status().message(),
                          "check the command in the hooks file");
    if (ran.value().timed_out)
      return base::Status(base::ErrorKind::interrupted,
                          fmt::format("{}: no answer within {} s; what became of the call is unknown", words,
                                      program->second.timeout_ms / 1000),
                          "the same command asks again");
    if (ran.value().exit_code != 0)
      return base::Status(base::ErrorKind::cluster,
                          fmt::format("{}: {} ended with exit code {}; what became of the call is unknown", words,
                                      base::quoted(argv.front(), 300), ran.value().exit_code),
                          "what it printed to standard error says why; then the same command again");
    base::Result<Answer> answer = parse_answer(hook, ran.value().out);
    if (!answer.ok()) return answer.status().prefixed(words);
    return answer;
  }

  base::Status plain(Hook hook, const Call& call, const Question& question) {
    return ask(hook, call, question).status();
  }

  base::Result<std::vector<JobFate>> fates(Hook hook, const Call& call, const std::vector<Job>& jobs,
                                           const std::vector<std::string>& ids) {
    base::Result<Answer> answer = ask(hook, call, {{}, jobs, ""});
    if (!answer.ok()) return answer.status();
    base::Result<std::vector<JobFate>> ordered = in_order_of(ids, std::move(answer->jobs));
    if (!ordered.ok()) return ordered.status().prefixed(fmt::format("hook {}", to_string(hook)));
    return ordered;
  }

  HooksFile file_;
};

}  // namespace

std::unique_ptr<OtherSide> open(HooksFile file) {
  return std::make_unique<Programs>(std::move(file));
}

}  // namespace cmb2kueue::hooks
