// Objects of Kueue that a GitOps controller keeps: it would put back what a cutover writes. Known by what Argo CD
// (v3, tracking annotation) and Flux (v2, labels of its kustomize and helm controllers) leave on what they apply,
// and by the field managers they apply as.
#include <fmt/format.h>

#include <algorithm>

#include "kube_cluster.h"
#include "managed_fields.h"

namespace cmb2kueue::target {

namespace {

struct Sign {
  std::string_view key, controller;
};
constexpr Sign signs[] = {
    {"argocd.argoproj.io/tracking-id", "Argo CD"},
    {"argocd.argoproj.io/instance", "Argo CD"},
    {"kustomize.toolkit.fluxcd.io/name", "Flux"},
    {"helm.toolkit.fluxcd.io/name", "Flux"},
};
constexpr Sign managers[] = {
    {"argocd-controller", "Argo CD"},
    {"argocd-application-controller", "Argo CD"},
    {"kustomize-controller", "Flux"},
    {"helm-controller", "Flux"},
};

std::string_view controller_of(doc::Node object) {
  for (const char* pairs : {"metadata.annotations", "metadata.labels"})
    for (const doc::Node pair : doc::children(at(object, pairs)))
      for (const Sign& sign : signs)
        if (pair.key() == sign.key) return sign.controller;
  for (const doc::Node entry : doc::children(at(object, "metadata.managedFields")))
    for (const Sign& sign : managers)
      if (text_at(entry, "manager") == sign.key && text_at(entry, "subresource").empty()) return sign.controller;
  return "";
}

}  // namespace

base::Status find_gitops_owners(KubeClient& client, base::Findings& findings) {
  for (const KindPath& kind : kind_paths()) {
    if (kind.group.empty()) continue;
    const base::Status listed = client.list(
        fmt::format("{}/{}", kind.prefix, kind.plural),
        [&](const Json& page) {
          for (const doc::Node item : doc::children(at(page.root(), "items"))) {
            const std::string_view controller = controller_of(item);
            if (controller.empty()) continue;
            const kueue::ObjectKey key{kind.kind, text_at(item, "metadata.namespace"),
                                       text_at(item, "metadata.name")};
            findings.add({"K-OWNER",
                          base::Severity::warning,
                          fmt::format("{} keeps the object", controller),
                          "give the names of tenants to objects it does not keep, or take the object out of its "
                          "sources before a cutover takes it over",
                          to_string(key),
                          "",
                          {}});
          }
          return base::Status();
        },
        [] {});
    // Who may not list has been told so by the check of rights.
    if (!listed.ok() && listed.kind() != base::ErrorKind::cluster) return listed;
  }
  return {};
}

}  // namespace cmb2kueue::target
