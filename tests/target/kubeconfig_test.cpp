// kubeconfig files read as kubectl reads them: which files, what wins, whose paths, what is refused.
#include "kubeconfig.h"

#include <gtest/gtest.h>

#include "base64.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::Not;

class KubeconfigTest : public ::testing::Test {
 protected:
  void SetUp() override { environment_.home = "/home/heron"; }
  // A whole file with one of each, the cluster and the user with `more` lines.
  static std::string file(const std::string& name, const std::string& cluster_more = "",
                          const std::string& user_more = "") {
    return "current-context: " + name + "\nclusters:\n- name: " + name + "\n  cluster:\n    server: https://" +
           name + ".example.org\n" + cluster_more + "users:\n- name: " + name + "\n  user:\n    as: " + name +
           "\n" + user_more + "contexts:\n- name: " + name + "\n  context: {cluster: " + name + ", user: " + name +
           "}\n";
  }
  base::Result<Connection> load() { return load_connection(flags_, environment_, fs_); }
  Connection loaded() {
    const base::Result<Connection> made = load();
    EXPECT_TRUE(made.ok()) << testing::describe(made.status());
    return made.ok() ? made.value() : Connection();
  }
  base::Status of_cluster(const std::string& more) {
    fs_.files["/home/heron/.kube/config"] = file("a", more);
    return load().status();
  }
  base::Status of_user(const std::string& more) {
    fs_.files["/home/heron/.kube/config"] = file("a", "", more);
    return load().status();
  }
  base::MemoryFileSystem fs_;
  KubeEnvironment environment_;
  KubeFlags flags_;
};

TEST_F(KubeconfigTest, TakesTheFlagsFileElseTheListElseTheOneAtHome) {
  fs_.files["/home/heron/.kube/config"] = file("home");
  EXPECT_EQ(loaded().server, "https://home.example.org");
  fs_.files["/list"] = file("list");
  environment_.kubeconfig = "/list";
  EXPECT_EQ(loaded().server, "https://list.example.org");
  fs_.files["/flag"] = file("flag");
  flags_.kubeconfig = "/flag";
  EXPECT_EQ(loaded().server, "https://flag.example.org");
  flags_.context = "list";
  EXPECT_THAT(load().status(), Fails(ErrorKind::not_found, HasSubstr("\"list\""))) << "nothing is merged";
}

// scenario 47: several files. The first wins whole entries, empty names and missing files are skipped, each path
// starts at its own file.
TEST_F(KubeconfigTest, Scenario47TheFirstFileWinsWholeEntries) {
  fs_.files["/1"] = "clusters:\n- name: a\n  cluster: {server: 'https://first.example.org'}\n";
  fs_.files["/2"] = file("a", "    tls-server-name: second.example.org\n");
  environment_.kubeconfig = ":/missing::/1:/2:";
  const Connection made = loaded();
  EXPECT_EQ(made.context, "a") << "the first that sets it";
  EXPECT_EQ(made.server, "https://first.example.org");
  EXPECT_EQ(made.tls_server_name, "") << "no field comes from the second";
  EXPECT_EQ(made.as, "a");
}

TEST_F(KubeconfigTest, Scenario47TheFirstCurrentContextAndUserWin) {
  fs_.files["/1"] = file("a", "", "    token: first\n");
  fs_.files["/2"] = file("b") + "current-context-of-old: b\n";
  fs_.files["/3"] = file("a", "", "    token: second\n");
  environment_.kubeconfig = "/1:/2:/3";
  EXPECT_EQ(loaded().context, "a");
  EXPECT_EQ(loaded().token, "first");
  environment_.kubeconfig = "/2:/3:/1";
  EXPECT_EQ(loaded().context, "b");
  flags_.context = "a";
  EXPECT_EQ(loaded().token, "second");
}

TEST_F(KubeconfigTest, Scenario47PathsStartAtTheirOwnFile) {
  fs_.files["/one/config"] =
      "clusters:\n- name: a\n  cluster:\n    server: https://a.example.org\n"
      "    certificate-authority: pki/ca.pem\n";
  fs_.files["/two/config"] =
      file("a", "", "    tokenFile: token\n    client-certificate: c.pem\n    client-key: /k\n");
  fs_.files["/one/pki/ca.pem"] = "CA";
  fs_.files["/two/c.pem"] = "CERT";
  fs_.files["/k"] = "KEY";
  environment_.kubeconfig = "/one/config:/two/config";
  const Connection made = loaded();
  EXPECT_EQ(made.ca_pem, "CA");
  EXPECT_EQ(made.client_certificate_pem + made.client_key_pem, "CERTKEY");
  EXPECT_EQ(made.token_file, "/two/token");
}

TEST_F(KubeconfigTest, Scenario47AnUnparsableFileIsAnErrorWithItsPlace) {
  fs_.files["/1"] = file("a");
  fs_.files["/2"] = "clusters: [\n";
  environment_.kubeconfig = "/1:/2";
  EXPECT_THAT(load().status(), Fails(ErrorKind::input, AllOf(HasSubstr("/2:"), HasSubstr("cannot be parsed"))));
}

TEST_F(KubeconfigTest, AMissingFileIsAnErrorOnlyWhenItWasNamed) {
  flags_.kubeconfig = "/missing";
  EXPECT_THAT(load().status(), Fails(ErrorKind::not_found, HasSubstr("/missing")));
  flags_.kubeconfig = "";
  EXPECT_THAT(load().status(), Fails(ErrorKind::not_found, HasSubstr("no kubeconfig")));
}

TEST_F(KubeconfigTest, NamesTheNearestOfWhatNobodyHas) {
  fs_.files["/home/heron/.kube/config"] = file("marsh");
  flags_.context = "mars";
  EXPECT_THAT(load().status(),
              Fails(ErrorKind::not_found, AllOf(HasSubstr("context \"mars\""), HasSubstr("marsh"))));
  flags_.context = "";
  flags_.cluster = "x";
  EXPECT_THAT(load().status(), Fails(ErrorKind::not_found, HasSubstr("cluster \"x\"")));
  flags_.cluster = "";
  flags_.user = "x";
  EXPECT_THAT(load().status(), Fails(ErrorKind::not_found, HasSubstr("user \"x\"")));
}

// scenario 46: every spelling of a boolean that the YAML reader of kubectl takes.
TEST_F(KubeconfigTest, Scenario46EverySpellingOfABoolean) {
  for (const char* text : {"true", "True", "TRUE", "yes", "Yes", "on", "ON"}) {
    ASSERT_OK(of_cluster(std::string("    insecure-skip-tls-verify: ") + text + "\n"));
    EXPECT_TRUE(loaded().insecure_skip_tls_verify) << text;
  }
  for (const char* text : {"false", "False", "no", "off", "OFF", "null", "~", ""}) {
    ASSERT_OK(of_cluster(std::string("    insecure-skip-tls-verify: ") + text + "\n"));
    EXPECT_FALSE(loaded().insecure_skip_tls_verify) << text;
  }
  fs_.files["/home/heron/.kube/config"] =
      R"({"current-context":"a","contexts":[{"name":"a","context":{"cluster":"a"}}],)"
      R"("clusters":[{"name":"a",)"
      R"("cluster":{"server":"https://a.example.org","insecure-skip-tls-verify":true,)"
      R"("disable-compression":true}}]})";
  EXPECT_TRUE(loaded().insecure_skip_tls_verify && loaded().disable_compression) << "JSON is a kubeconfig too";
}

TEST_F(KubeconfigTest, RefusesClustersThatMakeNoSense) {
  const std::string ca = encoded_base64("CA-CANARY");
  fs_.files["/home/heron/.kube/ca.pem"] = "CA";
  EXPECT_THAT(of_cluster("    certificate-authority-data: " + ca + "\n    insecure-skip-tls-verify: true\n"),
              Fails(ErrorKind::input, HasSubstr("insecure-skip-tls-verify")));
  EXPECT_THAT(of_cluster("    certificate-authority-data: " + ca + "\n    certificate-authority: ca.pem\n"),
              Fails(ErrorKind::input, HasSubstr("has both certificate-authority and")));
  EXPECT_THAT(of_cluster("    certificate-authority-data: CANARY!\n"),
              Fails(ErrorKind::input, AllOf(HasSubstr("no base64"), Not(HasSubstr("CANARY!")))));
  EXPECT_THAT(of_cluster("    certificate-authority: missing.pem\n"),
              Fails(ErrorKind::input, HasSubstr("/home/heron/.kube/missing.pem")));
  fs_.files["/home/heron/.kube/config"] =
      "current-context: a\ncontexts: [{name: a, context: {cluster: a}}]\n"
      "clusters: [{name: a, cluster: {}}]\n";
  EXPECT_THAT(load().status(), Fails(ErrorKind::input, HasSubstr("has no server")));
}

TEST_F(KubeconfigTest, RefusesUsersThatMakeNoSenseAndTellsNoSecret) {
  const std::string exec = "    exec:\n      command: login\n      apiVersion: client.authentication.k8s.io/";
  const std::string cases[][2] = {
      {"    token: CANARY\n    username: me\n    password: CANARY\n", "only one is allowed"},
      {"    client-certificate-data: " + encoded_base64("CANARY") + "\n", "without its key"},
      {"    client-key-data: CANARY!\n", "no base64"},
      {"    auth-provider: {name: gcp, config: {access-token: CANARY}}\n", "gke-gcloud-auth-plugin"},
      {"    auth-provider: {name: azure}\n", "kubelogin"},
      {exec + "v1alpha1\n      env: [{name: S, value: CANARY}]\n", "removed in Kubernetes 1.24"},
      {exec + "v2\n", "\"client.authentication.k8s.io/v2\""},
      {exec + "v1\n", "no interactiveMode"},
      {exec + "v1\n      interactiveMode: Perhaps\n", "\"Perhaps\""},
      {"    exec: {apiVersion: client.authentication.k8s.io/v1beta1}\n", "has no command"},
      {exec + "v1beta1\n      env: [{value: CANARY}]\n", "has no name"}};
  for (const std::string(&one)[2] : cases)
    EXPECT_THAT(of_user(one[0]), Fails(ErrorKind::input, AllOf(HasSubstr(one[1]), Not(HasSubstr("CANARY")))))
        << one[0];
  fs_.files["/home/heron/.kube/config"] =
      "current-context: a\nclusters: [{name: a, cluster: {server: 'https://a'}}]\n"
      "users: [{name: a, user: {as-groups: [g]}}]\n"
      "contexts: [{name: a, context: {cluster: a, user: a}}]\n";
  EXPECT_THAT(load().status(), Fails(ErrorKind::input, HasSubstr("without a user")));
}

TEST_F(KubeconfigTest, EveryProblemIsToldInOneRun) {
  EXPECT_THAT(of_user("    token: x\n    username: y\n    auth-provider: {name: oidc}\n"),
              Fails(ErrorKind::input, AllOf(HasSubstr("only one is allowed"), HasSubstr("oidc-login"))));
}

TEST_F(KubeconfigTest, ReadsEveryFieldOfAUser) {
  ASSERT_OK(
      of_user("    as-uid: u\n    as-groups: [g, h]\n    as-user-extra: {k: [v, w]}\n    username: me\n"
              "    password: secret\n    unknown-field: {}\n"));
  const Connection made = loaded();
  EXPECT_EQ(made.as + made.as_uid + made.username + made.password, "aumesecret");
  EXPECT_THAT(made.as_groups, ElementsAre("g", "h"));
  EXPECT_THAT(made.as_user_extra.at("k"), ElementsAre("v", "w"));
}

TEST_F(KubeconfigTest, ReadsAPluginWithItsClustersExtension) {
  fs_.files["/home/heron/.kube/config"] =
      file("a", "    extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: marsh}}]\n",
           "    exec:\n      apiVersion: client.authentication.k8s.io/v1beta1\n      command: bin/login\n"
           "      args: [-x, 'a b']\n      env: [{name: K, value: v}]\n      provideClusterInfo: yes\n"
           "      installHint: get it\n");
  const Connection made = loaded();
  ASSERT_TRUE(made.exec.has_value());
  EXPECT_EQ(made.exec->command, "/home/heron/.kube/bin/login") << "a path starts at its file";
  EXPECT_THAT(made.exec->args, ElementsAre("-x", "a b"));
  EXPECT_EQ(made.exec->interactive_mode, "IfAvailable") << "the default of v1beta1";
  EXPECT_TRUE(made.exec->provide_cluster_info && made.exec->allowed);
  EXPECT_EQ(made.exec->cluster_config, R"({"audience":"marsh"})");
  EXPECT_EQ(made.exec->install_hint + made.exec->env.at(0).first + made.exec->env.at(0).second, "get itKv");
}

TEST_F(KubeconfigTest, KubercSaysWhichPluginsMayRun) {
  const std::string exec = "    exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: login}\n";
  fs_.files["/home/heron/.kube/config"] = file("a", "", exec);
  const auto allowed = [&](const std::string& kuberc) {
    fs_.files["/home/heron/.kube/kuberc"] = kuberc;
    return loaded().exec->allowed;
  };
  EXPECT_TRUE(allowed("credentialPluginPolicy: AllowAll\n"));
  EXPECT_FALSE(allowed("credentialPluginPolicy: DenyAll\n"));
  EXPECT_FALSE(allowed("credentialPluginPolicy: Allowlist\n"));
  EXPECT_FALSE(allowed("credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{name: other}]\n"));
  EXPECT_TRUE(
      allowed("credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{name: x}, {name: login}]\n"));
  fs_.files["/home/heron/.kube/kuberc"] = "credentialPluginPolicy: Sometimes\n";
  EXPECT_THAT(load().status(), Fails(ErrorKind::input, HasSubstr("\"Sometimes\"")));
  environment_.kuberc = "off";
  EXPECT_TRUE(loaded().exec->allowed);
}

TEST_F(KubeconfigTest, FlagsWin) {
  fs_.files["/home/heron/.kube/config"] =
      file("a", "    insecure-skip-tls-verify: true\n    tls-server-name: old\n", "    token: old\n");
  fs_.files["/ca"] = "CA";
  flags_.server = "https://other.example.org/";
  flags_.token = "new";
  flags_.as = "ibis";
  flags_.name_space = "marsh";
  flags_.certificate_authority = "/ca";
  flags_.request_timeout = "2m";
  const Connection made = loaded();
  EXPECT_EQ(made.server, "https://other.example.org");
  EXPECT_EQ(made.tls_server_name, "") << "another server has another name";
  EXPECT_EQ(made.token + made.as + made.name_space + made.ca_pem, "newibismarshCA");
  EXPECT_FALSE(made.insecure_skip_tls_verify) << "a CA says that it is to be looked at";
  EXPECT_EQ(made.request_timeout_ms, 120'000);
  flags_.request_timeout = "soon";
  EXPECT_THAT(load().status(), Fails(ErrorKind::usage, HasSubstr("\"soon\"")));
}

TEST_F(KubeconfigTest, ATokenFromTheCommandLineIsTheOnlyWayToLogIn) {
  flags_.token = "new";
  for (const char* user : {"    username: me\n    password: secret\n", "    tokenFile: t\n",
                           "    exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: login}\n"}) {
    ASSERT_OK(of_user(user));
    const Connection made = loaded();
    EXPECT_EQ(made.token, "new");
    EXPECT_EQ(made.username + made.password + made.token_file, "") << user;
    EXPECT_FALSE(made.exec.has_value()) << user;
  }
}

TEST_F(KubeconfigTest, APodHasAnAccountOfItsOwn) {
  environment_.service_host = "fd00::1";
  environment_.service_port = "443";
  environment_.service_account = "/sa";
  EXPECT_FALSE(load().ok()) << "no token";
  fs_.files["/sa/token"] = "t";
  fs_.files["/sa/ca.crt"] = "CA";
  fs_.files["/sa/namespace"] = "marsh";
  const Connection made = loaded();
  EXPECT_EQ(made.server, "https://[fd00::1]:443");
  EXPECT_EQ(made.token_file + made.ca_pem + made.name_space, "/sa/tokenCAmarsh");
  EXPECT_EQ(made.context, "in-cluster");
  fs_.files["/home/heron/.kube/config"] = file("a");
  EXPECT_EQ(loaded().context, "a") << "a file comes first";
}

TEST(DurationTest, AsKubectlWritesThem) {
  const std::pair<const char*, std::int64_t> rows[] = {{"30", 30'000},  {"0", 0},       {"1h2m3.5s", 3'723'500},
                                                       {"90s", 90'000}, {"250ms", 250}, {"1.5h", 5'400'000},
                                                       {"", -1},        {"x", -1},      {"1d", -1},
                                                       {"-1s", -1},     {"1m30", -1},   {"s", -1}};
  for (const auto& [text, ms] : rows) EXPECT_EQ(parse_duration_ms(text), ms) << text;
}

}  // namespace
}  // namespace cmb2kueue::target
