// Help texts, made from the tables of verbs and options.
#pragma once
#include <string>

#include "cmb2kueue/cli/cli.h"

namespace cmb2kueue::cli {

std::string program_help(const std::string& program);
std::string verb_help(const std::string& program, const VerbInfo& verb);

}  // namespace cmb2kueue::cli
