// Job, task and accumulator exports: JSON Lines with a header. Rows stream through; what is kept is which fields
// are in use, by which tenant, for the ledger.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb_export.h"
#include "job_walk.h"

namespace cmb2kueue::source {

namespace {

using doc::Node;
using model::no_tenant;
using model::TenantIndex;

Node at(Node node, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) node = node.find(key);
  return node;
}

std::string text_at(Node node, std::initializer_list<std::string_view> path) {
  const Node found = at(node, path);
  return found.is_scalar() ? std::string(found.text()) : std::string();
}

// For comparing; whether it is a number at all is checked where the row is walked.
std::int64_t number(Node node) {
  if (!node.is_scalar()) return 0;
  if (node.kind() == doc::NodeKind::integer) return node.integer().value_or(0);
  return node.kind() == doc::NodeKind::text ? std::strtoll(std::string(node.text()).c_str(), nullptr, 10) : 0;
}

// Jobs and accumulators have ids of their own.
std::string accumulator_key(const std::string& id) {
  return "accumulator " + id;
}

class JobReader {
 public:
  JobReader(ProtoReader& reader, model::Model& model) : reader_(reader), model_(model), walk_(reader, model) {
    for (TenantIndex i = 0; i < model.tenants.size(); ++i) by_id_.emplace(model.tenants[i].id, i);
  }
  base::Status row(Node root);
  base::Status finish();
  void bad_line(const base::Status& status) {
    report(reader_.findings, "E-JSON-LINE", status.message(), "export the file again", "", "", status.place());
  }

 private:
  base::Status header(Node root);
  void job(Node root);
  void task(Node root);
  void accumulator(Node root);
  bool again(const std::string& id, Node row);
  TenantIndex tenant_of(const std::string& id, Node row);
  void check_history(Node list, Node row);
  void check_definition(Node definition);
  void check_sum(Node row);
  void say(std::string_view rule, std::string message, std::string advice, Node node) {
    report(reader_.findings, rule, std::move(message), std::move(advice), reader_.subject, std::string(node.key()),
           node.place());
  }

  ProtoReader& reader_;
  model::Model& model_;
  JobWalk walk_;
  std::unordered_map<std::string_view, TenantIndex> by_id_;
  std::unordered_map<std::string, TenantIndex> tenant_of_job_;
  bool started_ = false;
  bool atomic_ = false;
};

base::Status JobReader::header(Node root) {
  started_ = true;
  const std::string kind = text_at(root, {"kind"});
  if (text_at(root, {"apiVersion"}) != "cmb-export/v1alpha1" ||
      (kind != "JobExport" && kind != "AccumulatorExport"))
    return base::Status(base::ErrorKind::input,
                        "the first line is not the header of a JobExport or AccumulatorExport",
                        "the header has apiVersion, kind and exportId", root.place());
  if (text_at(root, {"exportId"}) != model_.export_id)
    return base::Status(base::ErrorKind::input,
                        fmt::format("the file belongs to the export {}, the tenants to {}",
                                    base::quoted(text_at(root, {"exportId"})), base::quoted(model_.export_id)),
                        "export tenants and jobs together", root.place());
  atomic_ = text_at(root, {"snapshotConsistency"}) == "atomic";
  reader_.timestamps_in_seconds = text_at(root, {"source", "timestampUnit"}) == "seconds";
  return {};
}

TenantIndex JobReader::tenant_of(const std::string& id, Node row) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) {
    say("E-JOB-TENANT-MISSING", "the job's tenant is not in the export", "export tenants and jobs together", row);
    return no_tenant;
  }
  const model::Tenant& tenant = model_.tenants[found->second];
  if (tenant.type == model::TenantType::internal)
    say("E-JOB-TENANT-INTERNAL", "the job belongs to an internal tenant, which accepts no work", "export again",
        row);
  if (tenant.state == model::TenantState::removed)
    say("E-JOB-TENANT-REMOVED", "the job belongs to a removed tenant", "export again", row);
  return found->second;
}

void JobReader::check_history(Node list, Node row) {
  if (!list.is_list() || list.size() == 0) {
    say("W-STATUS-EMPTY", "there is no state", "it is taken as Accepted; export again", row);
    return;
  }
  std::int64_t newest = 0;
  for (const Node item : doc::children(list)) {
    const std::int64_t timestamp = number(item.find("timestamp"));
    if (timestamp < newest)
      say("W-STATUS-ORDER", "the job history is not in order of time",
          "the last entry counts as the present one; check that it is", item);
    newest = std::max(newest, timestamp);
  }
}

void JobReader::check_definition(Node definition) {
  const Node size = at(definition, {"batch", "size"});
  if (size.exists() && number(size) != 1)
    say("W-JOB-SIZE", fmt::format("a batch job of size {}", size.text()),
        "the published interface allows 1 only; such a job becomes one Job of that many pods", size);
  const Node limit = at(definition, {"attributes", "runtimeLimitSec"});
  if (limit.exists() && number(limit) == 0)
    say("W-JOB-RUNTIME-ZERO", "the job's runtime limit is 0", "the default limit of the profile applies", limit);
  const Node image = at(definition, {"container", "image"});
  if (!text_at(image, {"tag"}).empty() && !text_at(image, {"digest"}).empty())
    say("E-JOB-TAG-AND-DIGEST", "the image has both a tag and a digest", "one of them decides; keep the digest",
        image);
}

// Paging may give a job twice; the first one counts, since a ledger only asks what is in use.
bool JobReader::again(const std::string& id, Node row) {
  if (!tenant_of_job_.contains(id)) return false;
  if (atomic_)
    say("E-DUPLICATE-ID", "the job id stands in the file more than once", "export again", row);
  else
    say("N-DUPLICATE-PAGED", "the job stands in the file more than once; the first one counts", "", row);
  return true;
}

void JobReader::job(Node root) {
  const std::string id = text_at(root, {"jobId"});
  if (id.empty()) say("E-FIELD-MISSING", "the job has no jobId", "export the file again", root);
  if (again(id, root)) return;
  const Node definition = root.find("jobDefinition");
  const TenantIndex tenant = tenant_of(text_at(definition, {"tenantId"}), root);
  tenant_of_job_[id] = tenant;
  check_history(root.find("status"), root);
  check_definition(definition);
  walk_.take("Job", root, tenant);
}

void JobReader::task(Node root) {
  check_history(root.find("status"), root);
  const std::string job = text_at(root, {"jobId"});
  const auto known = tenant_of_job_.find(job);
  if (known == tenant_of_job_.end())
    walk_.take("Task", root, no_tenant, job);
  else
    walk_.take("Task", root, known->second);
}

void JobReader::check_sum(Node row) {
  std::int64_t sum = 0;
  bool counted = false;
  for (const char* part : {"waiting", "active", "completed", "aborted"}) {
    counted |= row.find(part).exists();
    sum = base::checked_add(sum, std::max<std::int64_t>(number(row.find(part)), 0)).value_or(INT64_MAX);
  }
  if (counted && sum != number(row.find("target")))
    say("E-ACCUMULATOR-SUM", fmt::format("the target is {}, its counts sum to {}", number(row.find("target")), sum),
        "export again; CMB keeps the two equal at all times", row);
}

void JobReader::accumulator(Node root) {
  const Node definition = at(root, {"definition", "jobTemplate"});
  check_sum(root);
  check_definition(definition);
  if (definition.exists()) {
    const TenantIndex tenant = tenant_of(text_at(definition, {"tenantId"}), root);
    tenant_of_job_.emplace(accumulator_key(text_at(root, {"id"})), tenant);
    walk_.take("JobAccumulator", root, tenant);
    return;
  }
  // The execution view repeats the counts without the definition.
  const std::string key = accumulator_key(text_at(root, {"jobAccumulatorId"}));
  walk_.take("JobAccumulator", root, no_tenant, key);
}

base::Status JobReader::row(Node root) {
  if (!started_) return header(root);
  reader_.subject = text_at(root, {"jobId"});
  for (const char* id : {"id", "jobAccumulatorId"})
    if (root.find(id).exists()) reader_.subject = text_at(root, {id});
  if (root.find("jobDefinition").exists())
    job(root);
  else if (root.find("definition").exists() || root.find("jobAccumulatorId").exists())
    accumulator(root);
  else if (root.find("jobId").exists())
    task(root);
  else
    say("E-FIELD-TYPE", "the line is no job, task or accumulator", "export the file again", root);
  return {};
}

base::Status JobReader::finish() {
  if (!started_)
    return base::Status(base::ErrorKind::input, "the file is empty, not even a header stands in it",
                        "export the file again");
  for (const base::Place place : walk_.finish(tenant_of_job_))
    report(reader_.findings, "W-TASK-JOB-MISSING", "the task's job is not in the file",
           "export jobs and tasks together; what the task uses counts for no tenant", "", "jobId", place);
  return {};
}

}  // namespace

base::Status read_jobs(base::SourceFiles& files, std::uint32_t file, const Options& options, model::Model& model,
                       base::Findings& findings) {
  ProtoReader reader(findings, options, model);
  JobReader jobs(reader, model);
  const base::Status status = doc::for_each_json_line(
      files, file, [&](Node root) { return jobs.row(root); }, [&](const base::Status& bad) { jobs.bad_line(bad); });
  if (!status.ok()) return status;
  const base::Status whole = jobs.finish();
  if (!whole.ok()) return whole;
  order_facts(model);
  model.content = fingerprint(model);
  return {};
}

}  // namespace cmb2kueue::source
