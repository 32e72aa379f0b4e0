// A stand-in for CMB: the tenant tree with ceilings, queues and running jobs that end in their time, admission by
// CMB's rules, and a switch per tenant for who receives new work. Everything moves are rehearsed against. It knows
// nothing of Kueue; whoever drives it carries work across.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/hooks/other_side.h"
#include "cmb2kueue/quota/entitlements.h"

namespace cmb2kueue::standin {

enum class JobState : std::uint8_t { queued, running, ended, withdrawn };

struct Job {
  std::string id;
  std::uint32_t leaf = 0;                         // node of the tree
  std::map<std::uint32_t, std::int64_t> request;  // by column; a limit column counts 1
  std::int64_t ticks = 1;                         // how long it runs
  std::string body;
  JobState state = JobState::queued;
};

class Model {
 public:
  explicit Model(quota::Entitlements tree);

  const quota::Entitlements& tree() const { return tree_; }

  // Work that arrives at CMB's door. False when the tenant's work goes to Kueue: the caller sends it there.
  bool submit(Job job);
  // Jobs that have run their time end, then what fits starts, first come first served within each leaf.
  void tick();

  std::int64_t ceiling(std::uint32_t node, std::uint32_t column) const;
  std::int64_t used_by(std::uint32_t leaf, std::uint32_t column) const;
  // What CMB holds of a node's own part: its ceiling, or what runs there beyond it. Never more than was ever given.
  hooks::Side route(const std::string& tenant) const;
  const std::map<std::string, Job>& jobs() const { return jobs_; }

  // The published operations; "" is done, anything else why it is refused. A request with a sequence older than one
  // obeyed before about the same thing is refused.
  std::string set_ceilings(std::uint64_t sequence, const std::vector<hooks::Ceiling>& ceilings);
  std::string set_route(std::uint64_t sequence, const std::string& tenant, hooks::Side side);
  std::vector<hooks::Use> usage() const;
  std::vector<std::string> pending(const std::string& tenant) const;
  hooks::JobFate withdraw(const std::string& id);
  hooks::JobFate enqueue(const std::string& tenant, const hooks::Job& job);

  std::int32_t node_of(const std::string& tenant) const;  // by id, -1 when there is none

 private:
  bool fits(const Job& job) const;
  quota::Entitlements tree_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> ceilings_;  // absent: the total
  std::map<std::string, hooks::Side> routes_;                                 // absent: cmb
  std::uint64_t ceilings_sequence_ = 0;
  std::map<std::string, std::uint64_t> route_sequences_;
  std::map<std::string, Job> jobs_;
  std::vector<std::string> arrival_;  // ids in the order they came
};

}  // namespace cmb2kueue::standin
