// The run from argv to exit code: parse, help or verb, and the last net for failures nobody turned into a Status.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cmb2kueue/cli/cli.h"
#include "help.h"
#include "parse.h"
#include "session.h"
#include "version.h"

namespace cmb2kueue::cli {

namespace {

// kubectl runs plugins as kubectl-<name>; such a user reads and types "kubectl <name>".
std::string program_name(const char* argv0) {
  std::string name = argv0 == nullptr ? "" : argv0;
  name = name.substr(name.rfind('/') + 1);
  return name == "kubectl-cmb2kueue" ? "kubectl cmb2kueue" : "cmb2kueue";
}

int run_invocation(Session& session, Invocation invocation) {
  if (invocation.version) {
    session.console.document("cmb2kueue " + std::string(tool_version) + "\n");
    return 0;
  }
  if (invocation.verb == nullptr) {
    session.console.document(program_help(session.program));
    return 0;
  }
  session.arguments = std::move(invocation.arguments);
  session.writes = invocation.verb->writes;
  session.console.decide_color(session.arguments.value("--color", "auto"));
  if (invocation.help) {
    session.console.document(verb_help(session.program, *invocation.verb));
    return 0;
  }
  return invocation.verb->run(session);
}

int run_guarded(int argc, char** argv) {
  Session session;
  session.program = program_name(argc > 0 ? argv[0] : nullptr);
  base::Result<Invocation> invocation = parse_arguments(argc, argv);
  if (!invocation.ok()) return session.fail(invocation.status());
  const int code = run_invocation(session, std::move(invocation).value());
  if (!session.console.stdout_failed()) return code;
  // Who reads through head has seen enough; everybody else has lost something.
  if (!session.console.reader_gone()) session.console.talk("error: standard output could not be written");
  return exit_code(base::ErrorKind::io);
}

}  // namespace

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write with an exit code, not a silent death
  try {
    return run_guarded(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: this is a defect in cmb2kueue: %s\n", error.what());
  }
  return 7;
}

}  // namespace cmb2kueue::cli
