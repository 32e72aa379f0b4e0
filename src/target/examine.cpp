// The examination of a cluster before anything is written: Kueue there and of a sound release, its webhooks and
// settings, our rights.
#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/target/doctor.h"
#include "kube_cluster.h"
#include "rights.h"

namespace cmb2kueue::target {

const std::vector<DoctorRule>& doctor_rules() {
  static const std::vector<DoctorRule> table = {
      {"K-CRD", base::Severity::error, "A kind of Kueue is not served in the version this tool writes."},
      {"K-DEFECT", base::Severity::error, "The release of Kueue has a known defect that shows in a move."},
      {"K-FAIR-SHARING", base::Severity::error,
       "Kueue runs without fair sharing, so the weights of tenants mean nothing."},
      {"K-NOT-CHECKED", base::Severity::note, "Something could not be read, so nothing is said about it."},
      {"K-OWNER", base::Severity::warning, "A GitOps controller owns objects of Kueue and may put them back."},
      {"K-PODS-READY", base::Severity::note,
       "Kueue puts work back that is not running some time after it was admitted."},
      {"K-RIGHT", base::Severity::error, "A right is missing that a cutover or its rollback needs."},
      {"K-STORED", base::Severity::warning, "Objects of Kueue are still stored in an older version."},
      {"K-VERSION", base::Severity::note, "Which releases of Kubernetes and Kueue were found."},
      {"K-WEBHOOK", base::Severity::error, "A webhook of Kueue does not answer, so nothing can be written."},
  };
  return table;
}

namespace {

constexpr const char* kueue_namespace = "kueue-system";

void say(base::Findings& findings, const char* rule, base::Severity severity, std::string message,
         std::string advice, std::string subject = "") {
  findings.add({rule, severity, std::move(message), std::move(advice), std::move(subject), "", {}});
}

void not_checked(base::Findings& findings, const std::string& what, const ApiAnswer& answer) {
  say(findings, "K-NOT-CHECKED", base::Severity::note, fmt::format("not checked: {} ({})", what, answer.message),
      "let this user read it, or look yourself", what);
}

// An answer's JSON, or a finding that it could not be read; not found is nothing.
base::Result<std::optional<Json>> look(KubeClient& client, const std::string& path, const std::string& what,
                                       base::Findings& findings) {
  const base::Result<ApiAnswer> answer = client.send(HttpRequest{"GET", path, "", ""});
  if (!answer.ok()) return answer.status();
  if (answer->status == 401 || answer->status == 0) return status_of(answer.value(), "reading " + what);
  if (!answer->ok()) {
    not_checked(findings, what, answer.value());
    return std::optional<Json>();
  }
  base::Result<Json> json = Json::parse(answer->body);
  if (!json.ok()) return json.status();
  return std::optional<Json>(std::move(json).value());
}

base::Status check_server(KubeClient& client, base::Findings& findings) {
  const base::Result<std::optional<Json>> version = look(client, "/version", "the server's version", findings);
  if (!version.ok()) return version.status();
  if (version.value())
    say(findings, "K-VERSION", base::Severity::note, "Kubernetes " + text_at(version.value()->root(), "gitVersion"),
        "", "server");
  return {};
}

// Which kinds the server serves in v1beta2; discovery is open to everybody who is logged in.
base::Status check_kinds(KubeClient& client, base::Findings& findings) {
  const base::Result<ApiAnswer> answer = client.send(HttpRequest{"GET", "/apis/kueue.x-k8s.io/v1beta2", "", ""});
  if (!answer.ok()) return answer.status();
  if (!answer->ok() && !answer->not_found()) return status_of(answer.value(), "asking for Kueue's kinds");
  std::vector<std::string> served;
  if (answer->ok()) {
    const base::Result<Json> json = Json::parse(answer->body);
    if (!json.ok()) return json.status();
    for (const doc::Node one : doc::children(at(json->root(), "resources"))) served.push_back(text_at(one, "name"));
  }
  for (const KindPath& kind : kind_paths())
    if (!kind.group.empty() && std::find(served.begin(), served.end(), kind.plural) == served.end())
      say(findings, "K-CRD", base::Severity::error,
          fmt::format("{} are not served as {}", kind.plural, kind.api_version),
          "install Kueue, or upgrade it to a release that serves v1beta2 (0.15 and newer)",
          std::string(kind.plural));
  return {};
}

base::Status check_stored(KubeClient& client, base::Findings& findings) {
  for (const KindPath& kind : kind_paths()) {
    if (kind.group.empty()) continue;
    const std::string name = fmt::format("{}.{}", kind.plural, kind.group);
    const base::Result<std::optional<Json>> crd =
        look(client, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name,
             "stored versions of " + name, findings);
    if (!crd.ok()) return crd.status();
    if (!crd.value()) continue;
    for (const doc::Node version : doc::children(at(crd.value()->root(), "status.storedVersions")))
      if (version.text() != "v1beta2")
        say(findings, "K-STORED", base::Severity::warning,
            fmt::format("some {} may be stored as {}", kind.plural, version.text()),
            "write every object once more, then take the version out of the CRD's status.storedVersions", name);
  }
  return {};
}

std::string manager_image(doc::Node deployment) {
  for (const doc::Node one : doc::children(at(deployment, "spec.template.spec.containers"))) {
    const std::string image = text_at(one, "image");
    if (parse_release(image).known()) return image;
  }
  return "";
}

void judge_release(const Release& release, bool accepted, base::Findings& findings) {
  say(findings, "K-VERSION", base::Severity::note, "Kueue " + to_string(release), "", "kueue");
  for (const Defect& defect : known_defects()) {
    if (!has_defect(release, defect)) continue;
    const bool stops = defect.stops && !accepted;
    say(findings, "K-DEFECT", stops ? base::Severity::error : base::Severity::warning,
        fmt::format("Kueue {}: {}", to_string(release), defect.what),
        std::string(defect.advice) + (stops ? "; --accept-defects moves tenants all the same" : ""), "kueue");
  }
}

base::Status check_release(KubeClient& client, bool accepted, base::Findings& findings) {
  const std::string path =
      fmt::format("/apis/apps/v1/namespaces/{}/deployments/kueue-controller-manager", kueue_namespace);
  const base::Result<std::optional<Json>> deployment = look(client, path, "the release of Kueue", findings);
  if (!deployment.ok() || !deployment.value()) return deployment.status();
  const Release release = parse_release(manager_image(deployment.value()->root()));
  if (release.known())
    judge_release(release, accepted, findings);
  else
    say(findings, "K-NOT-CHECKED", base::Severity::note,
        "not checked: the release of Kueue (its image has no version)",
        "compare it with the table in cmb2kueue explain K-DEFECT", "kueue");
  return {};
}

// The manager's own configuration file, as installations keep it.
base::Status check_settings(KubeClient& client, base::Findings& findings) {
  const std::string path = fmt::format("/api/v1/namespaces/{}/configmaps/kueue-manager-config", kueue_namespace);
  const base::Result<std::optional<Json>> map = look(client, path, "the settings of Kueue's manager", findings);
  if (!map.ok() || !map.value()) return map.status();
  const doc::Node data = map.value()->root().find("data");
  const doc::Node text = data.exists() ? data.find("controller_manager_config.yaml") : doc::Node();
  if (!text.exists()) return {};
  base::SourceFiles files;
  const std::uint32_t file = files.add("kueue-manager-config", std::string(text.text()));
  const base::Result<doc::Document> document = doc::parse_one(files, file);
  if (!document.ok()) return document.status();
  const doc::Node root = document->root();
  const doc::Node fair = root.find("fairSharing");
  const bool off = !fair.exists() || text_at(fair, "enable") == "false";
  if (off)
    say(findings, "K-FAIR-SHARING", base::Severity::error, "fair sharing is off in Kueue's configuration",
        "set fairSharing.preemptionStrategies in kueue-manager-config and restart the manager", "kueue");
  const doc::Node ready = root.find("waitForPodsReady");
  if (ready.exists())
    say(findings, "K-PODS-READY", base::Severity::note,
        "work whose pods are not ready within " + text_at(ready, "timeout") + " is put back into its queue", "",
        "kueue");
  return {};
}

// Whether the webhooks answer: objects nobody keeps, put before them.
base::Status check_webhooks(KubeClient& client, base::Findings& findings) {
  const kueue::ObjectKey flavor{kueue::Kind::resource_flavor, "", "cmb2kueue-doctor"};
  const kueue::ObjectKey cohort{kueue::Kind::cohort, "", "cmb2kueue-doctor"};
  for (const kueue::ObjectKey& key : {flavor, cohort}) {
    const std::string body = fmt::format(R"({{"apiVersion":"{}","kind":"{}","metadata":{{"name":"{}"}}}})",
                                         path_of_kind(key.kind).api_version, to_string(key.kind), key.name);
    const base::Result<ApiAnswer> answer =
        client.send(HttpRequest{"POST", collection_path(key) + "?dryRun=All", body, "application/json"});
    if (!answer.ok()) return answer.status();
    if (answer->status == 500 || answer->status == 503)
      say(findings, "K-WEBHOOK", base::Severity::error, answer->message,
          "see that Kueue's manager runs and its certificates are valid", to_string(key.kind));
  }
  return {};
}

}  // namespace

base::Status KubeCluster::examine(base::Findings& findings) {
  base::Status status = check_server(client_, findings);
  if (status.ok()) status = check_kinds(client_, findings);
  if (!status.ok()) return status;
  if (findings.count(base::Severity::error) > 0) return {};  // without Kueue the rest says nothing
  status = check_release(client_, accept_defects_, findings);
  if (status.ok()) status = check_rights(client_, findings);
  if (status.ok()) status = check_settings(client_, findings);
  if (status.ok()) status = check_webhooks(client_, findings);
  if (status.ok()) status = check_stored(client_, findings);
  if (status.ok()) status = find_gitops_owners(client_, findings);
  return status;
}

}  // namespace cmb2kueue::target
