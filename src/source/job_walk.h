// One row of a job file, field by field: types are checked, and what is set is noted for the ledger, once per field
// and tenant however many jobs use it. The fingerprint of a fact is a sum over its rows, the same in every order.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "job_fields.h"

namespace cmb2kueue::source {

class JobWalk {
 public:
  JobWalk(ProtoReader& reader, model::Model& model);

  // Reads a Job, Task or JobAccumulator. A task whose job has not been seen yet gives the job's id instead of the
  // tenant; its facts wait for finish().
  void take(std::string_view message, doc::Node node, model::TenantIndex tenant, const std::string& waits_for = "");

  // Hands waiting facts to the tenants of their jobs. Returns the places of tasks whose job never came.
  std::vector<base::Place> finish(const std::unordered_map<std::string, model::TenantIndex>& tenant_of_job);

 private:
  struct Waiting {
    std::string job;
    std::size_t field;
    std::uint64_t hash;
    base::Place place;
  };
  Canonical walk(const JobMessage& message, std::string_view name, doc::Node node);
  Canonical value(const JobMessage::Row& row, doc::Node node);
  Canonical messages(const JobMessage::Row& row, doc::Node node);
  Canonical texts(doc::Node node);
  void note(std::size_t field, std::uint64_t hash, base::Place place);
  void add(std::size_t field, model::TenantIndex tenant, std::uint64_t hash, base::Place place);

  ProtoReader& reader_;
  model::Model& model_;
  std::vector<std::vector<std::uint32_t>> slots_;  // tenant (the last: none) x field: 1 + index into model.facts
  model::TenantIndex tenant_ = model::no_tenant;
  std::string waits_for_;
  std::vector<Waiting> waiting_;
};

}  // namespace cmb2kueue::source
