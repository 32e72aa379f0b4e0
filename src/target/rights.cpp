// The list of rights, and asking for them.
#include "rights.h"

#include <fmt/format.h>

#include "kube_kinds.h"
#include "kube_records.h"

namespace cmb2kueue::target {

std::vector<Right> needed_rights() {
  std::vector<Right> rights;
  const auto add = [&](std::string_view group, std::string_view resource, const char* name_space,
                       std::initializer_list<const char*> verbs) {
    for (const char* verb : verbs) rights.push_back({std::string(group), std::string(resource), name_space, verb});
  };
  for (const KindPath& kind : kind_paths())
    add(kind.group, kind.plural, "", {"get", "list", "create", "patch", "update", "delete"});
  add("", "configmaps", records_namespace, {"get", "list", "create", "update", "delete"});
  add("coordination.k8s.io", "leases", records_namespace, {"get", "create", "update", "delete"});
  return rights;
}

namespace {

std::string review(const Right& right) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("apiVersion", "authorization.k8s.io/v1");
  sink.text_field("kind", "SelfSubjectAccessReview");
  sink.field("spec");
  sink.open_map();
  sink.field("resourceAttributes");
  sink.open_map();
  sink.text_field("group", right.group);
  sink.text_field("resource", right.resource);
  sink.text_field("verb", right.verb);
  if (!right.name_space.empty()) sink.text_field("namespace", right.name_space);
  sink.close();
  sink.close();
  sink.close();
  return out;
}

}  // namespace

base::Status check_rights(KubeClient& client, base::Findings& findings) {
  const std::vector<Right> rights = needed_rights();
  std::vector<HttpRequest> requests;
  for (const Right& right : rights)
    requests.push_back(
        {"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review(right), "application/json"});
  const base::Result<std::vector<ApiAnswer>> answers = client.send(std::move(requests));
  if (!answers.ok()) return answers.status();
  for (std::size_t i = 0; i < rights.size(); ++i) {
    const ApiAnswer& answer = answers.value()[i];
    if (!answer.ok()) return status_of(answer, "asking what is allowed");
    const base::Result<Json> json = Json::parse(answer.body);
    if (!json.ok()) return json.status();
    if (text_at(json->root(), "status.allowed") == "true") continue;
    const std::string resource = rights[i].resource + (rights[i].group.empty() ? "" : "." + rights[i].group) +
                                 (rights[i].name_space.empty() ? "" : " in " + rights[i].name_space);
    findings.add({"K-RIGHT",
                  base::Severity::error,
                  fmt::format("the right to {} {} is missing", rights[i].verb, resource),
                  "have deploy/rbac.yaml applied and be bound to its role",
                  resource,
                  rights[i].verb,
                  {}});
  }
  return {};
}

}  // namespace cmb2kueue::target
