// Running a program in a process group of its own, so that a time limit reaches its children too.
#include "cmb2kueue/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "cmb2kueue/base/text.h"

extern char** environ;

namespace cmb2kueue::base {

namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::size_t largest_output = std::size_t{64} << 20U;
constexpr std::chrono::milliseconds grace{2000};  // between SIGTERM and SIGKILL
constexpr int longest_nap_ms = 50;  // how late the end of a program that closed its outputs may be seen

Time now() {
  return std::chrono::steady_clock::now();
}

// One end of a pipe, closed at the latest with the object.
class End {
 public:
  End() = default;
  explicit End(int fd) : fd_(fd) {}
  End(End&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  End& operator=(End&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~End() { shut(); }
  void shut() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Pipe {
  End read;
  End write;
};

Status system_failure(const std::string& doing, int code) {
  return Status(ErrorKind::io, fmt::format("cannot {}: {}", doing, std::strerror(code)));
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_failure("make a pipe", errno);
  return Pipe{End(ends[0]), End(ends[1])};
}

// Writing to a program that no longer reads must be an error code, not the end of this process.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before_);
  }
  ~WithoutPipeSignal() { sigaction(SIGPIPE, &before_, nullptr); }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  struct sigaction before_ {};
};

// A running program with our ends of its three pipes.
class Child {
 public:
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  Status start(const std::vector<std::string>& argv);
  Status run(const std::string& input, int timeout_ms, ProcessResult& result);

 private:
  Status exchange(const std::string& input, ProcessResult& result);
  Status take(End& end, std::string& out);
  void give(const std::string& input);
  bool collect(ProcessResult& result);
  void press(Time deadline, ProcessResult& result);

  pid_t pid_ = 0;
  End in_, out_, err_;
  std::size_t given_ = 0;
  bool killed_ = false;
};

Status Child::start(const std::vector<std::string>& argv) {
  std::array<Pipe, 3> pipes;
  for (Pipe& pipe : pipes) {
    Result<Pipe> made = make_pipe();
    if (!made.ok()) return made.status();
    pipe = std::move(made).value();
  }
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[0].read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipes[1].write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipes[2].write.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults, none;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const int code = posix_spawnp(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    pid_ = 0;
    const std::string doing = "run " + quoted(argv[0], 400);
    return code == ENOENT ? Status(ErrorKind::not_found, "cannot " + doing + ": there is no such program",
                                   "install it, or put its folder on PATH")
                          : system_failure(doing, code);
  }
  in_ = std::move(pipes[0].write);
  out_ = std::move(pipes[1].read);
  err_ = std::move(pipes[2].read);
  fcntl(in_.get(), F_SETFL, O_NONBLOCK);
  fcntl(out_.get(), F_SETFL, O_NONBLOCK);
  fcntl(err_.get(), F_SETFL, O_NONBLOCK);
  return {};
}

void Child::give(const std::string& input) {
  while (in_.open() && given_ < input.size()) {
    const ssize_t count = write(in_.get(), input.data() + given_, input.size() - given_);
    if (count > 0)
      given_ += static_cast<std::size_t>(count);
    else if (errno == EAGAIN)
      return;
    else if (errno != EINTR)
      in_.shut();  // it stopped reading; what it says about that is in its output
  }
  in_.shut();
}

Status Child::take(End& end, std::string& out) {
  std::array<char, 65536> block;
  while (end.open()) {
    const ssize_t count = read(end.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return {};
    if (count <= 0) {
      end.shut();
      return {};
    }
    if (out.size() + static_cast<std::size_t>(count) > largest_output)
      return Status(ErrorKind::io, "the program wrote more than 64 MiB");
    out.append(block.data(), static_cast<std::size_t>(count));
  }
  return {};
}

Status Child::exchange(const std::string& input, ProcessResult& result) {
  std::array<pollfd, 3> waits = {{{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}}};
  poll(waits.data(), waits.size(), longest_nap_ms);  // closed ends are negative, which poll passes over
  give(input);
  Status status = take(out_, result.out);
  return status.ok() ? take(err_, result.err) : status;
}

// True once the program has ended; what it left in the pipes is still to be read.
bool Child::collect(ProcessResult& result) {
  int state = 0;
  if (waitpid(pid_, &state, WNOHANG) != pid_) return false;
  pid_ = 0;
  result.exit_code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
  return true;
}

// Past the deadline the group is asked to end, and past the grace it is ended.
void Child::press(Time deadline, ProcessResult& result) {
  const Time at = now();
  if (at < deadline) return;
  if (!result.timed_out) kill(-pid_, SIGTERM);
  result.timed_out = true;
  if (at < deadline + grace || killed_) return;
  kill(-pid_, SIGKILL);
  killed_ = true;
}

Status Child::run(const std::string& input, int timeout_ms, ProcessResult& result) {
  const Time deadline = now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    const pid_t group = pid_;
    const bool ended = collect(result);
    Status status = exchange(input, result);
    if (!status.ok()) return status;
    if (ended) {
      kill(-group, SIGKILL);  // whatever it left running would hold the pipes open
      return {};
    }
    press(deadline, result);
  }
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& argv, const std::string& input, int timeout_ms) {
  if (argv.empty() || argv[0].empty()) return Status(ErrorKind::usage, "no program was named");
  const WithoutPipeSignal quiet;
  Child child;
  Status status = child.start(argv);
  ProcessResult result;
  if (status.ok()) status = child.run(input, timeout_ms, result);
  if (!status.ok()) return status;
  return result;
}

}  // namespace cmb2kueue::base
