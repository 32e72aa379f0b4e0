// Running a program, in a process group of its own where it can have one, so that a time limit reaches its
// children.
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
#include <ctime>
#include <utility>

#include "cmb2kueue/base/text.h"

extern char** environ;

namespace cmb2kueue::base {

namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::chrono::milliseconds grace{2000};  // between SIGTERM and SIGKILL
constexpr int nap_ms = 50;                        // longest wait for output before the clock is looked at
constexpr int last_nap_ms = 1;                    // the same once the outputs are closed: its end is near

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

// Writing to a program that no longer reads must be an error code, not the end of this process: SIGPIPE is held
// back in this thread, and one that came of our writing is dropped.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

// Our environment with what the caller adds. A name of the caller's takes the place of ours.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  for (const std::pair<std::string, std::string>& pair : added) {
    const std::string start = pair.first + "=";
    std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(start); });
    all.push_back(start + pair.second);
  }
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> found;
  for (const std::string& text : texts) found.push_back(const_cast<char*>(text.c_str()));
  found.push_back(nullptr);
  return found;
}

// How the program is started: with the signals of a fresh process, its outputs on our pipes, in a group of its own
// unless it shares our terminal.
class Launch {
 public:
  Launch(int in, int out, int err, const ProcessOptions& options) {
    posix_spawn_file_actions_init(&actions_);
    if (!options.share_terminal) posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    if (!options.share_errors) posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    const int group = options.share_terminal ? 0 : POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(&attributes_,
                             static_cast<short>(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
  }
  ~Launch() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  int spawn(pid_t& pid, const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
    return posix_spawnp(&pid, argv[0].c_str(), &actions_, &attributes_, pointers(argv).data(),
                        pointers(environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// A running program with our ends of its three pipes.
class Child {
 public:
  explicit Child(const ProcessOptions& options) : options_(options) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    send(SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  Status start(const std::vector<std::string>& argv);
  Status run(ProcessResult& result);

 private:
  Status exchange(ProcessResult& result);
  Status take(End& end, std::string& out);
  void give(const std::string& input);
  void send(int signal) const { kill(options_.share_terminal ? pid_ : -pid_, signal); }
  bool collect(ProcessResult& result);
  void press(Time deadline, ProcessResult& result);

  const ProcessOptions& options_;
  pid_t pid_ = 0;
  std::string name_;
  End in_, out_, err_;
  std::size_t given_ = 0;
};

Status Child::start(const std::vector<std::string>& argv) {
  std::array<Pipe, 3> pipes;
  for (Pipe& pipe : pipes) {
    Result<Pipe> made = make_pipe();
    if (!made.ok()) return made.status();
    pipe = std::move(made).value();
  }
  Launch launch(pipes[0].read.get(), pipes[1].write.get(), pipes[2].write.get(), options_);
  const int code = launch.spawn(pid_, argv, environment_with(options_.environment));
  if (code != 0) pid_ = 0;
  if (code == ENOENT)
    return Status(ErrorKind::not_found, "cannot run " + quoted(argv[0], 400) + ": there is no such program",
                  "install it, or put its folder on PATH");
  if (code != 0) return system_failure("run " + quoted(argv[0], 400), code);
  if (!options_.share_terminal) in_ = std::move(pipes[0].write);
  out_ = std::move(pipes[1].read);
  if (!options_.share_errors) err_ = std::move(pipes[2].read);
  for (const End* end : {&in_, &out_, &err_})
    if (end->open()) fcntl(end->get(), F_SETFL, O_NONBLOCK);
  name_ = argv[0];
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
    if (out.size() + static_cast<std::size_t>(count) > options_.largest_output)
      return Status(ErrorKind::io,
                    fmt::format("{} wrote more than {} MiB", quoted(name_, 400), options_.largest_output >> 20U));
    out.append(block.data(), static_cast<std::size_t>(count));
  }
  return {};
}

Status Child::exchange(ProcessResult& result) {
  std::array<pollfd, 3> waits = {{{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}}};
  const bool talking = out_.open() || err_.open();
  poll(waits.data(), waits.size(), talking ? nap_ms : last_nap_ms);  // closed ends are -1, which poll passes over
  give(options_.input);
  Status status = take(out_, result.out);
  return status.ok() ? take(err_, result.err) : status;
}

// True once the program has ended; what it left in the pipes is still to be read. After a time-out its group goes
// with it, before the number of the group is given back.
bool Child::collect(ProcessResult& result) {
  siginfo_t seen{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &seen, WEXITED | WNOHANG | WNOWAIT) != 0 || seen.si_pid != pid_)
    return false;
  if (result.timed_out && !options_.share_terminal) kill(-pid_, SIGKILL);
  int state = 0;
  while (waitpid(pid_, &state, 0) < 0 && errno == EINTR) continue;
  pid_ = 0;
  result.exit_code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
  return true;
}

// Past the deadline the group is asked to end, and past the grace it is ended.
void Child::press(Time deadline, ProcessResult& result) {
  const Time at = now();
  if (at < deadline) return;
  if (!result.timed_out) send(SIGTERM);
  result.timed_out = true;
  if (at >= deadline + grace) send(SIGKILL);
}

Status Child::run(ProcessResult& result) {
  const Time deadline = now() + std::chrono::milliseconds(options_.timeout_ms);
  for (;;) {
    const bool ended = collect(result);
    Status status = exchange(result);
    if (!status.ok() || ended) return status;
    press(deadline, result);
  }
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  if (argv.empty() || argv[0].empty()) return Status(ErrorKind::usage, "no program was named");
  const WithoutPipeSignal quiet;
  Child child(options);
  Status status = child.start(argv);
  ProcessResult result;
  if (status.ok()) status = child.run(result);
  if (!status.ok()) return status;
  return result;
}

Result<ProcessResult> run_process(const std::vector<std::string>& argv, const std::string& input, int timeout_ms) {
  ProcessOptions options;
  options.input = input;
  options.timeout_ms = timeout_ms;
  return run_process(argv, options);
}

}  // namespace cmb2kueue::base
