// Whether a namespace is empty but for what every namespace has. Kueue's finalizers and people's own objects both
// count: a namespace that something lies in is nobody's to remove.
#include <fmt/format.h>

#include <algorithm>

#include "kube_cluster.h"

namespace cmb2kueue::target {

namespace {

struct Resource {
  std::string path, kind;
};

// What the API server itself, or a controller in every namespace, puts there.
bool comes_with_namespace(const std::string& kind, const std::string& name) {
  return (kind == "ConfigMap" && name == "kube-root-ca.crt") || (kind == "ServiceAccount" && name == "default") ||
         kind == "Event" || kind == "PodMetrics";
}

base::Status add_resources(KubeClient& client, const std::string& group, const std::string& name_space,
                           std::vector<Resource>& all) {
  const base::Result<ApiAnswer> answer = client.send(HttpRequest{"GET", group, "", ""});
  if (!answer.ok()) return answer.status();
  if (!answer->ok()) return {};  // an aggregated API that is down keeps nothing we could see
  const base::Result<Json> json = Json::parse(answer->body);
  if (!json.ok()) return json.status();
  for (const doc::Node one : doc::children(at(json->root(), "resources"))) {
    const std::string name = text_at(one, "name");
    bool lists = false;
    for (const doc::Node verb : doc::children(one.find("verbs"))) lists |= verb.text() == "list";
    if (lists && text_at(one, "namespaced") == "true" && name.find('/') == std::string::npos)
      all.push_back({fmt::format("{}/namespaces/{}/{}", group, name_space, name), text_at(one, "kind")});
  }
  return {};
}

base::Result<std::vector<Resource>> namespaced_resources(KubeClient& client, const std::string& name_space) {
  std::vector<Resource> all;
  base::Status added = add_resources(client, "/api/v1", name_space, all);
  if (!added.ok()) return added;
  const base::Result<ApiAnswer> groups = client.send(HttpRequest{"GET", "/apis", "", ""});
  if (!groups.ok()) return groups.status();
  if (!groups->ok()) return status_of(groups.value(), "listing the API's groups");
  const base::Result<Json> json = Json::parse(groups->body);
  if (!json.ok()) return json.status();
  for (const doc::Node group : doc::children(at(json->root(), "groups"))) {
    added = add_resources(client, "/apis/" + text_at(group, "preferredVersion.groupVersion"), name_space, all);
    if (!added.ok()) return added;
  }
  return all;
}

bool is_leaving(const std::string& kind, const std::string& name, const std::string& name_space,
                const std::vector<kueue::ObjectKey>& leaving) {
  return std::any_of(leaving.begin(), leaving.end(), [&](const kueue::ObjectKey& key) {
    return to_string(key.kind) == kind && key.name == name && key.name_space == name_space;
  });
}

}  // namespace

base::Result<std::string> find_inhabitant(KubeClient& client, const std::string& name_space,
                                          const std::vector<kueue::ObjectKey>& leaving) {
  const base::Result<std::vector<Resource>> resources = namespaced_resources(client, name_space);
  if (!resources.ok()) return resources.status();
  std::vector<HttpRequest> requests;
  for (const Resource& one : resources.value()) requests.push_back({"GET", one.path + "?limit=8", "", ""});
  const base::Result<std::vector<ApiAnswer>> answers = client.send(std::move(requests));
  if (!answers.ok()) return answers.status();
  for (std::size_t i = 0; i < answers->size(); ++i) {
    const ApiAnswer& answer = answers.value()[i];
    const Resource& resource = resources.value()[i];
    if (answer.not_found()) continue;
    if (!answer.ok()) return fmt::format("something that may not be seen ({}: {})", resource.kind, answer.message);
    const base::Result<Json> json = Json::parse(answer.body);
    if (!json.ok()) return json.status();
    for (const doc::Node item : doc::children(at(json->root(), "items"))) {
      const std::string name = text_at(item, "metadata.name");
      if (!comes_with_namespace(resource.kind, name) && !is_leaving(resource.kind, name, name_space, leaving))
        return fmt::format("{}/{}", resource.kind, name);
    }
  }
  return std::string();
}

}  // namespace cmb2kueue::target
