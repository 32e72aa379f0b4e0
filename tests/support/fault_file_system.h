// A file system that goes wrong on request: the nth mutating call (replace, create, remove) fails before it did
// anything, or after it did everything, or runs a function of the test's, which may as well end the process.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/base/file.h"

namespace cmb2kueue::testing {

// Calls are counted from 1, from construction or the last reset(). Reading calls pass through and do not count.
class FaultFileSystem : public base::FileSystem {
 public:
  using Action = std::function<void()>;

  explicit FaultFileSystem(base::FileSystem& inner) : inner_(inner) {}

  // Call n is refused with kind io and "injected failure"; nothing happens to the files.
  void fail_before(std::size_t n) { faults_[n].refuse = true; }
  // Call n does its work and is then reported as failed: the write is done, the answer is lost.
  void fail_after(std::size_t n) { faults_[n].lose_answer = true; }
  // Runs a function right before or right after the work of call n. `[] { _exit(137); }` imitates SIGKILL.
  void run_before(std::size_t n, Action action) { faults_[n].before = std::move(action); }
  void run_after(std::size_t n, Action action) { faults_[n].after = std::move(action); }
  // Every call from n on is refused, as on a full disk.
  void fail_from(std::size_t n) { broken_from_ = n; }

  // What was asked for so far, refused calls included: "replace plan.json", "remove lock", ...
  const std::vector<std::string>& calls() const { return calls_; }
  void reset();  // forgets calls and faults

  base::Result<std::string> read(const std::string& path) override { return inner_.read(path); }
  base::Status replace(const std::string& path, const std::string& bytes, unsigned mode) override;
  base::Status create(const std::string& path, const std::string& bytes, unsigned mode) override;
  base::Status remove(const std::string& path) override;
  base::Result<std::vector<std::string>> list(const std::string& folder) override { return inner_.list(folder); }
  std::string kind_of(const std::string& path) override { return inner_.kind_of(path); }

 private:
  struct Fault {
    bool refuse = false;
    bool lose_answer = false;
    Action before;
    Action after;
  };
  base::Status mutate(const std::string& call, const std::function<base::Status()>& work);

  base::FileSystem& inner_;
  std::map<std::size_t, Fault> faults_;
  std::size_t broken_from_ = SIZE_MAX;
  std::vector<std::string> calls_;
};

}  // namespace cmb2kueue::testing
