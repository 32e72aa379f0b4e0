// KUBECTL_EXTERNAL_DIFF as kubectl honours it: the program and its flags, never through a shell, on two folders
// with one file per object.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"
#include "session.h"

namespace cmb2kueue::cli {

// The exit code: 0 same, 1 different, above 1 for failures, whatever the program's own habit.
int run_external_diff(Session& session, const std::string& words, const std::vector<kueue::Object>& before,
                      const std::vector<kueue::Object>& after);

// The words that are passed on: split at single spaces; behind the first only letters, digits, dashes and equals
// signs.
std::vector<std::string> external_diff_words(const std::string& text);

}  // namespace cmb2kueue::cli
