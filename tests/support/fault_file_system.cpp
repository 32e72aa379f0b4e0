#include "support/fault_file_system.h"

namespace cmb2kueue::testing {

using base::ErrorKind;
using base::Status;

Status FaultFileSystem::mutate(const std::string& call, const std::function<Status()>& work) {
  calls_.push_back(call);
  const auto found = faults_.find(calls_.size());
  const Fault fault = found == faults_.end() ? Fault() : found->second;
  if (fault.before) fault.before();
  if (fault.refuse || calls_.size() >= broken_from_) return Status(ErrorKind::io, "injected failure of " + call);
  Status status = work();
  if (fault.after) fault.after();
  return fault.lose_answer ? Status(ErrorKind::io, "injected loss of the answer to " + call) : status;
}

Status FaultFileSystem::replace(const std::string& path, const std::string& bytes, unsigned mode) {
  return mutate("replace " + path, [&] { return inner_.replace(path, bytes, mode); });
}

Status FaultFileSystem::create(const std::string& path, const std::string& bytes, unsigned mode) {
  return mutate("create " + path, [&] { return inner_.create(path, bytes, mode); });
}

Status FaultFileSystem::remove(const std::string& path) {
  return mutate("remove " + path, [&] { return inner_.remove(path); });
}

void FaultFileSystem::reset() {
  faults_.clear();
  calls_.clear();
  broken_from_ = SIZE_MAX;
}

}  // namespace cmb2kueue::testing
