// One way through all calls: count, go wrong as asked, work, answer.
#include "in_process.h"

#include <algorithm>

namespace cmb2kueue::standin {

using base::ErrorKind;
using base::Status;
using hooks::Call;
using hooks::Hook;

const char* to_string(Trouble trouble) {
  const char* words[] = {"none", "lost request", "lost answer", "refused", "pending", "garbage", "lie"};
  return words[static_cast<int>(trouble)];
}

bool InProcess::offers(Hook hook) const {
  return std::find(missing.begin(), missing.end(), hook) == missing.end();
}

Status InProcess::make(Hook hook, const std::function<std::string()>& work) {
  calls_.emplace_back(hooks::to_string(hook));
  const std::size_t n = calls_.size();
  if (around) around(n, false);
  const auto lasting = lasting_.find(hook);
  const auto once = troubles_.find(n);
  const Trouble trouble = once != troubles_.end()     ? once->second
                          : lasting != lasting_.end() ? lasting->second
                                                      : Trouble::none;
  const bool works = trouble == Trouble::none || trouble == Trouble::lost_answer;
  const std::string refusal = works ? work() : "";
  if (around) around(n, true);
  switch (trouble) {
    case Trouble::lost_request:
    case Trouble::lost_answer:
      return Status(ErrorKind::interrupted, "no answer in time; what became of the call is unknown");
    case Trouble::refused:
      return Status(ErrorKind::conflict, "CMB refuses: as the test asked");
    case Trouble::pending:
      return Status(ErrorKind::interrupted, "CMB has taken the request and not carried it out yet");
    case Trouble::garbage:
      return Status(ErrorKind::cluster, "the answer makes no sense");
    default:
      break;
  }
  return refusal.empty() ? Status() : Status(ErrorKind::conflict, "CMB refuses: " + refusal);
}

Status InProcess::probe(const Call& call) {
  return make(Hook::probe, [&] { return model_.node_of(call.tenant.id) < 0 ? "unknown tenant" : ""; });
}

Status InProcess::cede(const Call& call, const std::vector<hooks::Ceiling>& ceilings) {
  last_ceilings = ceilings;
  return make(Hook::cede, [&] { return model_.set_ceilings(call.sequence, ceilings); });
}

Status InProcess::restore(const Call& call, const std::vector<hooks::Ceiling>& ceilings) {
  last_ceilings = ceilings;
  return make(Hook::restore, [&] { return model_.set_ceilings(call.sequence, ceilings); });
}

base::Result<std::vector<hooks::Use>> InProcess::usage(const Call&) {
  std::vector<hooks::Use> uses;
  const Status status = make(Hook::usage, [&] {
    uses = model_.usage();
    return "";
  });
  if (!status.ok()) return status;
  return uses;
}

Status InProcess::switch_to_kueue(const Call& call) {
  return make(Hook::switch_to_kueue,
              [&] { return model_.set_route(call.sequence, call.tenant.id, hooks::Side::kueue); });
}

Status InProcess::switch_back(const Call& call) {
  return make(Hook::switch_back, [&] { return model_.set_route(call.sequence, call.tenant.id, hooks::Side::cmb); });
}

// A lie about the route: nothing is known.
base::Result<hooks::Side> InProcess::route(const Call& call) {
  hooks::Side side = hooks::Side::unknown;
  const Status status = make(Hook::route, [&] {
    side = model_.route(call.tenant.id);
    return "";
  });
  if (!status.ok()) return status;
  return side;
}

base::Result<std::vector<std::string>> InProcess::pending(const Call& call) {
  std::vector<std::string> ids;
  const Status status = make(Hook::pending, [&] {
    ids = model_.pending(call.tenant.id);
    return "";
  });
  if (!status.ok()) return status;
  return ids;
}

base::Result<std::vector<hooks::JobFate>> InProcess::withdraw(const Call&, const std::vector<std::string>& ids) {
  std::vector<hooks::JobFate> fates;
  const Status status = make(Hook::withdraw, [&] {
    for (const std::string& id : ids) fates.push_back(model_.withdraw(id));
    return "";
  });
  if (!status.ok()) return status;
  for (std::size_t i = fates.size(); i < ids.size(); ++i) fates.push_back({ids[i], hooks::Fate::unknown, "", ""});
  return fates;
}

base::Result<std::vector<hooks::JobFate>> InProcess::enqueue(const Call& call,
                                                             const std::vector<hooks::Job>& jobs) {
  std::vector<hooks::JobFate> fates;
  const Status status = make(Hook::enqueue, [&] {
    for (const hooks::Job& job : jobs) fates.push_back(model_.enqueue(call.tenant.id, job));
    return "";
  });
  if (!status.ok()) return status;
  for (std::size_t i = fates.size(); i < jobs.size(); ++i)
    fates.push_back({jobs[i].id, hooks::Fate::unknown, "", ""});
  return fates;
}

Status InProcess::notify(const Call&, const std::string&) {
  return make(Hook::notify, [] { return std::string(); });
}

}  // namespace cmb2kueue::standin
