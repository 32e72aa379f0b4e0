#include "judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace cmb2kueue::judge {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

target::PluginRunner no_plugin() {
  return [](const target::PluginCall&) -> base::Result<target::PluginAnswer> {
    return base::Status(base::ErrorKind::internal, "no plugin here");
  };
}

}  // namespace

std::vector<target::HttpResponse> Wire::perform(const std::vector<target::HttpRequest>& requests,
                                                const target::Identity& identity) {
  std::vector<target::HttpResponse> responses(requests.size());
  std::vector<target::HttpRequest> passed;
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ++(requests[i].method == "GET" ? reads : writes);
    std::optional<target::HttpResponse> instead = before ? before(requests[i]) : std::nullopt;
    if (instead) {
      responses[i] = std::move(*instead);
      continue;
    }
    passed.push_back(requests[i]);
    at.push_back(i);
  }
  std::vector<target::HttpResponse> answers = inner_->perform(passed, identity);
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (after) after(passed[k], answers[k]);
    responses[at[k]] = std::move(answers[k]);
  }
  return responses;
}

target::Connection connection() {
  const std::unique_ptr<base::FileSystem> disk = base::real_file_system();
  const base::Result<target::Connection> loaded = target::load_connection({}, target::process_environment(), *disk);
  EXPECT_TRUE(loaded.ok()) << testing::describe(loaded.status());
  return loaded.ok() ? loaded.value() : target::Connection();
}

std::string release() {
  return variable("CMB2KUEUE_CLUSTER_KUEUE");
}

bool has_controllers() {
  return variable("CMB2KUEUE_CLUSTER_PROFILE") != "api";
}

void control(const std::string& verb, const std::string& program) {
  target::Connection door;
  door.server = variable("CMB2KUEUE_CLUSTER_CONTROL");
  const std::unique_ptr<target::Transport> transport = target::http_transport(door, "judge");
  const std::vector<target::HttpResponse> answers =
      transport->perform({{"POST", "/" + verb + "/" + program, "", ""}}, target::Identity());
  ASSERT_EQ(answers[0].status, 200) << verb << " " << program << ": " << answers[0].body << answers[0].problem;
}

bool eventually(const std::function<bool()>& so, int seconds, int pause_ms) {
  base::SystemClock clock;
  const std::int64_t end = clock.now_ms() + seconds * 1000L;
  while (clock.now_ms() < end) {
    if (so()) return true;
    clock.sleep_ms(pause_ms);
  }
  return so();
}

Judge::Judge()
    : transport_(target::http_transport(connection(), "judge")),
      credentials_(std::make_unique<target::Credentials>(connection(), *disk_, clock_, no_plugin())),
      client_(std::make_unique<target::KubeClient>(*transport_, *credentials_, clock_, nullptr)) {}

void Judge::SetUp() {
  wipe();
}
void Judge::TearDown() {
  wipe();
}

target::ApiAnswer Judge::send(const std::string& method, const std::string& path, const std::string& body,
                              const std::string& type) {
  base::Result<target::ApiAnswer> answer =
      client_->send(target::HttpRequest{method, path, body, body.empty() ? "" : type});
  EXPECT_TRUE(answer.ok()) << testing::describe(answer.status());
  return answer.ok() ? std::move(answer).value() : target::ApiAnswer();
}

std::vector<target::ApiAnswer> Judge::get_all(const std::vector<std::string>& paths) {
  std::vector<target::HttpRequest> requests;
  for (const std::string& path : paths) requests.push_back({"GET", path, "", ""});
  base::Result<std::vector<target::ApiAnswer>> answers = client_->send(std::move(requests));
  EXPECT_TRUE(answers.ok()) << testing::describe(answers.status());
  return answers.ok() ? std::move(answers).value() : std::vector<target::ApiAnswer>(paths.size());
}

target::Json Judge::get(const std::string& path) {
  const target::ApiAnswer answer = send("GET", path);
  EXPECT_EQ(answer.status, 200) << path << ": " << answer.message;
  base::Result<target::Json> json = target::Json::parse(answer.ok() ? answer.body : "{}");
  EXPECT_TRUE(json.ok());
  return std::move(json).value();
}

bool Judge::exists(const std::string& path) {
  return send("GET", path).status == 200;
}

std::string Judge::field(const std::string& path, const std::string& at) {
  const target::ApiAnswer answer = send("GET", path);
  if (!answer.ok()) return "";
  const base::Result<target::Json> json = target::Json::parse(answer.body);
  const doc::Node node = json.ok() ? target::at(json->root(), at) : doc::Node();
  if (!node.exists()) return "";
  return node.is_scalar() ? std::string(node.text()) : target::canonical(node);
}

void Judge::make_namespace(const std::string& name) {
  const target::ApiAnswer made =
      send("POST", "/api/v1/namespaces",
           fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})", name));
  EXPECT_TRUE(made.ok() || made.reason == "AlreadyExists") << made.message;
}

void Judge::edit(const std::string& path, const std::string& merge, const std::string& manager) {
  const target::ApiAnswer done =
      send("PATCH", path + "?fieldManager=" + manager, merge, "application/merge-patch+json");
  ASSERT_TRUE(done.ok()) << done.message;
}

std::string Judge::submit(const std::string& name_space, const std::string& name, const std::string& queue,
                          const std::string& cpu) {
  const std::string jobs = fmt::format("/apis/batch/v1/namespaces/{}/jobs", name_space);
  const std::string body = fmt::format(
      R"({{"apiVersion":"batch/v1","kind":"Job","metadata":{{"name":"{}","labels":{{"kueue.x-k8s.io/queue-name":"{}"}}}},)"
      R"("spec":{{"suspend":true,"template":{{"spec":{{"restartPolicy":"Never","containers":[{{"name":"main","image":"x",)"
      R"("resources":{{"requests":{{"cpu":"{}"}}}}}}]}}}}}}}})",
      name, queue, cpu);
  const target::ApiAnswer made = send("POST", jobs, body);
  EXPECT_TRUE(made.ok()) << made.message;
  return jobs + "/" + name;
}

bool Judge::runs(const std::string& job) {
  return field(job, "spec.suspend") == "false";
}

std::unique_ptr<target::KubeTarget> Judge::open(Wire*& wire, target::OpenOptions options) {
  const target::Connection to = connection();
  std::unique_ptr<Wire> made = std::make_unique<Wire>(target::http_transport(to, "judge"));
  wire = made.get();
  options.clock = &clock_;
  return std::make_unique<target::KubeTarget>(
      std::move(made), std::make_unique<target::Credentials>(to, *disk_, clock_, no_plugin()),
      std::string("kube:") + context_name, options);
}

// Every object of a collection; finalizers that nobody is there to honour are taken off.
void Judge::remove_all(const std::string& collection, bool strip) {
  const std::string bare = collection.substr(0, collection.find('?'));
  const std::size_t names_at = bare.rfind('/');
  const std::string plural = bare.substr(names_at + 1);
  std::vector<std::string> doomed;
  const base::Status listed = client_->list(
      collection,
      [&](const target::Json& page) {
        for (const doc::Node item : doc::children(target::at(page.root(), "items"))) {
          const std::string name_space = target::text_at(item, "metadata.namespace");
          // The namespace of records stays: it would be terminating while the next test writes into it.
          if (plural == "namespaces" && target::text_at(item, "metadata.name") == target::records_namespace)
            continue;
          if (name_space == "kube-system" || name_space == "kueue-system" || name_space == "default") continue;
          const std::string path = bare.substr(0, names_at) +
                                   (name_space.empty() ? "" : "/namespaces/" + name_space) + "/" + plural + "/" +
                                   target::text_at(item, "metadata.name");
          doomed.push_back(path);
        }
        return base::Status();
      },
      [] {});
  EXPECT_TRUE(listed.ok()) << testing::describe(listed);
  std::vector<target::HttpRequest> requests;
  for (const std::string& path : doomed)
    requests.push_back({"DELETE", path + "?propagationPolicy=Background", "", ""});
  static_cast<void>(client_->send(std::move(requests)));
  requests.clear();
  for (const std::string& path : doomed)
    if (strip)
      requests.push_back({"PATCH", path, R"({"metadata":{"finalizers":null}})", "application/merge-patch+json"});
  static_cast<void>(client_->send(std::move(requests)));
}

void Judge::wipe() {
  remove_all("/apis/batch/v1/jobs", true);
  const std::string kueue = kueue_path;
  remove_all(kueue + "/workloads", true);
  remove_all(kueue + "/localqueues", false);
  remove_all(kueue + "/clusterqueues", true);
  remove_all(kueue + "/cohorts", false);
  remove_all(kueue + "/resourceflavors", true);
  remove_all(kueue + "/workloadpriorityclasses", false);
  remove_all("/api/v1/configmaps", false);
  remove_all("/api/v1/namespaces?labelSelector=app.kubernetes.io/managed-by%3Dcmb2kueue", false);
  remove_all("/apis/coordination.k8s.io/v1/leases", false);
}

base::ProcessResult run_tool(std::vector<std::string> words,
                             const std::vector<std::pair<std::string, std::string>>& environment) {
  words.insert(words.begin(), CMB2KUEUE_BINARY);
  base::ProcessOptions options;
  options.timeout_ms = 240'000;
  options.environment = environment;
  base::Result<base::ProcessResult> result = base::run_process(words, options);
  EXPECT_TRUE(result.ok()) << testing::describe(result.status());
  return result.ok() ? std::move(result).value() : base::ProcessResult();
}

std::string told(const base::ProcessResult& result) {
  return fmt::format("exit {}\n{}\n{}", result.exit_code, result.out, result.err);
}

}  // namespace cmb2kueue::judge
