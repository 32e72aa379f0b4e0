// Job, task and accumulator exports: JSON Lines with a header. Rows stream through; what is kept is which fields
// are in use, by which tenant, for the ledger.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "job_fields.h"
#include "proto_json.h"

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

std::int64_t number(Node node) {
  if (node.kind() == doc::NodeKind::integer) return node.integer().value_or(0);
  return node.is_scalar() ? std::strtoll(std::string(node.text()).c_str(), nullptr, 10) : 0;
}

class JobReader {
 public:
  JobReader(ProtoReader& reader, model::Model& model) : reader_(reader), model_(model) {
    for (TenantIndex i = 0; i < model.tenants.size(); ++i) by_id_.emplace(model.tenants[i].id, i);
    seen_.resize(job_fields().size());
  }
  base::Status row(Node root);
  void bad_line(const base::Status& status) {
    report(reader_.findings, "E-JSON-LINE", status.message(), "export the file again", "", "", status.place());
  }

 private:
  base::Status header(Node root);
  void job(Node root);
  void task(Node root);
  void accumulator(Node root);
  void take_fields(std::string_view message, Node node, TenantIndex tenant);
  void note(std::size_t row, Node node, TenantIndex tenant);
  void unknown(std::string_view message, Node node);
  TenantIndex tenant_of(const std::string& id, Node row);
  void check_history(Node list, Node row);
  void check_definition(Node definition);
  void say(std::string_view rule, std::string message, std::string advice, Node node) {
    report(reader_.findings, rule, std::move(message), std::move(advice), subject_, "", node.place());
  }

  ProtoReader& reader_;
  model::Model& model_;
  std::unordered_map<std::string_view, TenantIndex> by_id_;
  std::unordered_map<std::string, TenantIndex> job_tenant_;
  std::vector<std::set<TenantIndex>>
      seen_;  // per field: tenants noted already, so that a million jobs are one fact
  std::string subject_;
  bool started_ = false;
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

void JobReader::note(std::size_t row, Node node, TenantIndex tenant) {
  const JobField& field = job_fields()[row];
  if (!seen_[row].insert(tenant).second) return;
  const std::uint16_t index = reader_.field(field.note, field.code, field.note, field.remedy);
  model_.facts.push_back({index, tenant, value_hash(node), node.place()});
}

// Every field that is set is noted by its row of the table; what no row names is unknown.
void JobReader::take_fields(std::string_view message, Node node, TenantIndex tenant) {
  for (const Node child : doc::children(node)) {
    const std::size_t row = find_job_field(message, child.key());
    if (row == no_job_field) {
      unknown(message, child);
      continue;
    }
    if (is_zero(child)) continue;
    const JobField& field = job_fields()[row];
    if (!field.code.empty()) note(row, child, tenant);
    if (field.message.empty()) continue;
    if (child.is_list())
      for (const Node item : doc::children(child)) take_fields(field.message, item, tenant);
    else if (child.is_map())
      take_fields(field.message, child, tenant);
    else
      say("E-FIELD-TYPE", fmt::format("{} is not {}", field.key, to_string(child.kind())), "", child);
  }
}

void JobReader::unknown(std::string_view message, Node node) {
  std::vector<std::string> known;
  for (const JobField& field : job_fields())
    if (field.owner == message) known.emplace_back(field.key);
  report_unknown(reader_, message, known, node);
}

void JobReader::check_history(Node list, Node row) {
  if (!list.is_list() || list.size() == 0) {
    say("W-STATUS-EMPTY", "the job has no state", "it is taken as Accepted; export again", row);
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

void JobReader::job(Node root) {
  const Node definition = root.find("jobDefinition");
  const TenantIndex tenant = tenant_of(text_at(definition, {"tenantId"}), root);
  job_tenant_[subject_] = tenant;
  check_history(root.find("status"), root);
  check_definition(definition);
  take_fields("Job", root, tenant);
}

void JobReader::task(Node root) {
  const auto job = job_tenant_.find(text_at(root, {"jobId"}));
  take_fields("Task", root, job == job_tenant_.end() ? no_tenant : job->second);
}

void JobReader::accumulator(Node root) {
  const TenantIndex tenant = tenant_of(text_at(root, {"definition", "jobTemplate", "tenantId"}), root);
  if (root.find("waiting").exists() || root.find("completed").exists()) {
    std::int64_t sum = 0;
    for (const char* part : {"waiting", "active", "completed", "aborted"}) sum += number(root.find(part));
    if (sum != number(root.find("target")))
      say("E-ACCUMULATOR-SUM",
          fmt::format("the target is {}, its counts sum to {}", number(root.find("target")), sum),
          "export again; CMB keeps the two equal at all times", root);
  }
  check_definition(at(root, {"definition", "jobTemplate"}));
  take_fields("JobAccumulator", root, tenant);
}

base::Status JobReader::row(Node root) {
  if (!started_) return header(root);
  reader_.subject = subject_ =
      text_at(root, {"jobId"}) + text_at(root, {"id"}) + text_at(root, {"jobAccumulatorId"});
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

}  // namespace

base::Status read_jobs(base::SourceFiles& files, std::uint32_t file, const Options& options, model::Model& model,
                       base::Findings& findings) {
  ProtoReader reader(findings, options, model);
  JobReader jobs(reader, model);
  const base::Status status = doc::for_each_json_line(
      files, file, [&](Node root) { return jobs.row(root); }, [&](const base::Status& bad) { jobs.bad_line(bad); });
  if (!status.ok()) return status;
  order_facts(model);
  model.content = fingerprint(model);
  return {};
}

}  // namespace cmb2kueue::source
