// Times translate with validation against the plain program on the same generated exports, interleaved, and prints
// medians as a table. Only ratios are judged: they mean the same on every machine.
//   cmb_bench TOOL PLAIN [TENANTS [ROUNDS]]     exit 1 when a ratio is beyond its floor
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "generate/company.h"

extern char** environ;

namespace {

using Words = std::vector<std::string>;
namespace fs = std::filesystem;

struct Sample {
  double seconds = 0;
  double megabytes = 0;  // peak resident set
};

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "cmb_bench: {}\n", why);
  std::exit(2);
}

// Runs a program with its output in a file; its wall time and peak memory.
Sample measure(const Words& words, const std::string& out) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) give_up("cannot start " + words[0]);
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    give_up(words[0] + " failed");
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {wall.count(), static_cast<double>(usage.ru_maxrss) / 1024};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double median_seconds(const std::vector<Sample>& samples) {
  std::vector<double> seconds;
  for (const Sample& one : samples) seconds.push_back(one.seconds);
  return median(seconds);
}

double most_memory(const std::vector<Sample>& samples) {
  double most = 0;
  for (const Sample& one : samples) most = std::max(most, one.megabytes);
  return most;
}

double write_export(const std::string& path, std::uint32_t tenants) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) give_up("cannot write " + path);
  cmb2kueue::generate::Options options;
  options.tenants = tenants;
  options.seed = 7;
  cmb2kueue::generate::write(options,
                             [&](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); });
  if (std::fclose(file) != 0) give_up("cannot write " + path);
  return static_cast<double>(fs::file_size(path)) / (1024 * 1024);
}

// One line of the table; at least or at most says which side of the floor is good.
bool judge(const char* what, double value, double goal, double floor, bool at_least) {
  const bool held = at_least ? value >= floor : value <= floor;
  fmt::print("{:<58} {:>7.2f} {:>7.1f} {:>7.1f}  {}\n", what, value, goal, floor, held ? "held" : "NOT HELD");
  return held;
}

std::uint32_t number(const char* text) {
  const long value = std::strtol(text, nullptr, 10);
  if (value < 1 || value > 10'000'000) give_up(std::string(text) + " is not a number from 1 to 10000000");
  return static_cast<std::uint32_t>(value);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3 || count > 5) give_up("usage: cmb_bench TOOL PLAIN [TENANTS [ROUNDS]]");
  const std::uint32_t tenants = count > 3 ? number(words[3]) : 100'000;
  const std::uint32_t rounds = count > 4 ? number(words[4]) : 5;
  std::string folder = fs::temp_directory_path() / "cmb2kueue-bench-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) give_up("cannot make " + folder);
  const std::string large = folder + "/large.json", small = folder + "/small.json", out = folder + "/out.yaml";
  const double input = write_export(large, tenants);
  write_export(small, std::max<std::uint32_t>(1, tenants / 10));
  std::vector<Sample> ours, plain, tenth;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    ours.push_back(measure({words[1], "translate", "--all", "-e", large, "-m", "parity"}, out));
    plain.push_back(measure({words[2], large}, out));
    tenth.push_back(measure({words[1], "translate", "--all", "-e", small, "-m", "parity"}, out));
  }
  fs::remove_all(folder);
  fmt::print(
      "{} tenants, {:.0f} MiB of JSON, medians of {} rounds: translate with validation {:.2f} s, {:.0f} MiB; "
      "plain {:.2f} s, {:.0f} MiB; a tenth of it {:.3f} s\n\n",
      tenants, input, rounds, median_seconds(ours), most_memory(ours), median_seconds(plain), most_memory(plain),
      median_seconds(tenth));
  fmt::print("{:<58} {:>7} {:>7} {:>7}\n", "", "ratio", "goal", "floor");
  bool held =
      judge("times as fast as the plain program", median_seconds(plain) / median_seconds(ours), 10, 5, true);
  held &= judge("time for ten times the tenants", median_seconds(ours) / median_seconds(tenth), 11, 13, false);
  held &= judge("peak memory over input", most_memory(ours) / input, 3, 5, false);
  return held ? 0 : 1;
}
