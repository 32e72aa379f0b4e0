// Requests as JSON and answers read from it; nothing here starts a program.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/hooks/other_side.h"

namespace cmb2kueue::hooks {

inline constexpr const char* protocol_version = "cmb2kueue.io/hooks/v1alpha1";

// What a call asks besides what every call says.
struct Question {
  std::vector<Ceiling> ceilings;
  std::vector<Job> jobs;  // withdraw sends their ids alone
  std::string state;      // notify
};
std::string request_text(Hook hook, const Call& call, const Question& question);

struct Answer {
  Side side = Side::unknown;
  std::vector<Use> uses;
  std::vector<JobFate> jobs;  // of pending: ids alone
};

// Errors: cluster when the text is no answer (what is wrong, without its content), conflict when it says
// "refused", interrupted when it says "pending".
base::Result<Answer> parse_answer(Hook hook, const std::string& text);

// Puts fates into the order of the ids asked about. Errors (cluster): an id that was not asked about, one answered
// twice. An id without an answer is unknown.
base::Result<std::vector<JobFate>> in_order_of(const std::vector<std::string>& ids, std::vector<JobFate> fates);

}  // namespace cmb2kueue::hooks
