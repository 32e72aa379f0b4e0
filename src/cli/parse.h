// From argv to a verb and its arguments, through CLI11.
#pragma once
#include <string>

#include "cmb2kueue/base/status.h"
#include "session.h"

namespace cmb2kueue::cli {

struct Invocation {
  const VerbInfo* verb = nullptr;  // nullptr: help or version of the program as a whole
  bool help = false;
  bool version = false;
  Arguments arguments;
};

// Usage errors name what was typed and, where one is near, what was meant. Options not given are taken from the
// environment where their row allows it.
base::Result<Invocation> parse_arguments(int argc, char** argv);

}  // namespace cmb2kueue::cli
