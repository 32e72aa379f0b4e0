// The program: everything it does is behind cli::run.
#include "cmb2kueue/cli/cli.h"

int main(int argc, char** argv) {
  return cmb2kueue::cli::run(argc, argv);
}
