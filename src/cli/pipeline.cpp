// Reading the inputs and choosing tenants.
#include "pipeline.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/source/source.h"

namespace cmb2kueue::cli {

namespace {

base::Result<std::uint32_t> mapping_file(Session& session, const std::string& name) {
  for (const auto& [shipped, text] : mapping::shipped())
    if (name.empty() ? shipped == "parity" : shipped == name)
      return session.files.add("built-in mapping " + shipped, text);
  return session.read(name);
}

base::Status read_job_files(Session& session, const source::Options& options, model::Model& model) {
  for (const std::string& path : session.arguments.list("--jobs")) {
    const base::Result<std::uint32_t> file = session.read(path);
    if (!file.ok()) return file.status();
    const base::Status status = source::read_jobs(session.files, file.value(), options, model, session.findings);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace

base::Result<mapping::Mapping> read_mapping(Session& session) {
  const std::string name = session.arguments.value("--mapping");
  const base::Result<std::uint32_t> file = mapping_file(session, name);
  if (!file.ok()) return file.status();
  base::Result<mapping::Mapping> mapping = mapping::load(session.files, file.value(), session.findings);
  if (!mapping.ok() || !name.empty()) return mapping;
  for (const std::string& key : mapping->defaulted)
    session.findings.add({"N-DEFAULT-MAPPING",
                          base::Severity::note,
                          "no mapping was given; the shipped parity mapping leaves a key at its default",
                          "write a mapping of your own and give it with -m",
                          "",
                          key,
                          {}});
  return mapping;
}

base::Result<Inputs> read_inputs(Session& session) {
  const std::string path = session.arguments.value("--export");
  if (path.empty())
    return base::Status(base::ErrorKind::usage, "no export was given",
                        "name it with -e FILE, or in CMB2KUEUE_EXPORT; - reads standard input");
  const base::Result<std::uint32_t> file = session.read(path);
  if (!file.ok()) return file.status();
  const source::Options options{session.arguments.value("--from"), session.arguments.has("--strict")};
  base::Result<model::Model> model = source::read_export(session.files, file.value(), options, session.findings);
  if (!model.ok()) return model.status();
  const base::Status jobs = read_job_files(session, options, model.value());
  if (!jobs.ok()) return jobs;
  base::Result<mapping::Mapping> mapping = read_mapping(session);
  if (!mapping.ok()) return mapping.status();
  return Inputs{file.value(), std::move(model).value(), std::move(mapping).value()};
}

bool has_errors(const Session& session) {
  return session.findings.count(base::Severity::error) > 0;
}

base::Status inputs_have_errors() {
  return base::Status(base::ErrorKind::input, "the inputs have errors; nothing was done",
                      "mend what is listed above and run the same command again");
}

base::Result<std::vector<model::TenantIndex>> selected_leaves(const model::Model& model,
                                                              const std::vector<std::string>& selectors) {
  std::vector<model::TenantIndex> leaves;
  for (const std::string& selector : selectors) {
    const base::Result<model::TenantIndex> tenant = model::find_tenant(model, selector);
    if (!tenant.ok()) return tenant.status();
    const std::vector<model::TenantIndex> below = model::leaves_below(model, tenant.value());
    if (below.empty())
      return base::Status(base::ErrorKind::usage, "there is no leaf tenant below " + base::quoted(selector));
    leaves.insert(leaves.end(), below.begin(), below.end());
  }
  if (selectors.empty())
    for (model::TenantIndex tenant = 0; tenant < model.tenants.size(); ++tenant)
      if (model.tenants[tenant].type == model::TenantType::leaf) leaves.push_back(tenant);
  std::sort(leaves.begin(), leaves.end());
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  return leaves;
}

}  // namespace cmb2kueue::cli
