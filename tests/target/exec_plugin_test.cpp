// Credential plugins: what they are told, which may run, what they may answer, and what is said when they do not.
#include "exec_plugin.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "plugin_double.h"
#include "plugin_policy.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

base::Result<ExecAnswer> answer_to(const std::string& out, const Connection& connection = plugin_connection()) {
  PluginDouble plugin;
  plugin.answers = {out};
  return ask_plugin(connection, plugin.runner());
}

base::Status failure_of(const PluginAnswer& answer) {
  return ask_plugin(plugin_connection(), [&](const PluginCall&) { return answer; }).status();
}

TEST(ExecPlugin, ArgumentsAndVariablesReachItUntouched) {
  Connection connection = plugin_connection();
  connection.exec->args = {"get token", "$HOME;`id`"};
  connection.exec->env = {{"ACME", "blue"}};
  PluginDouble plugin;
  plugin.answers = {token_answer("canary", "")};
  ASSERT_OK(ask_plugin(connection, plugin.runner()));
  ASSERT_EQ(plugin.calls.size(), 1U);
  EXPECT_THAT(plugin.calls[0].argv, ElementsAre("acme-login", "get token", "$HOME;`id`"));
  EXPECT_THAT(plugin.calls[0].environment,
              ElementsAre(Pair("ACME", "blue"), Pair("KUBERNETES_EXEC_INFO", exec_info(connection, false))));
}

TEST(ExecPlugin, IsToldOfTheClusterOnlyOnRequest) {
  Connection connection = plugin_connection();
  connection.ca_pem = "canary CA";
  connection.tls_server_name = "inside";
  connection.proxy_url = "http://p.example:80";
  connection.disable_compression = true;
  connection.exec->cluster_config = R"({"audience":"north"})";
  EXPECT_EQ(
      exec_info(connection, false),
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}})");
  connection.exec->provide_cluster_info = true;
  EXPECT_EQ(exec_info(connection, true),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{)"
            R"("server":"https://harbor.example:6443","tls-server-name":"inside",)"
            R"("certificate-authority-data":"Y2FuYXJ5IENB","proxy-url":"http://p.example:80",)"
            R"("disable-compression":true,"config":{"audience":"north"}},"interactive":true}})");
  connection = plugin_connection();
  connection.insecure_skip_tls_verify = true;
  connection.exec->provide_cluster_info = true;
  EXPECT_THAT(exec_info(connection, true), HasSubstr(R"("insecure-skip-tls-verify":true,"config":null})"));
}

TEST(ExecPlugin, TheModeAndTheTerminalDecideWhetherItMayAsk) {
  Connection connection = plugin_connection();
  PluginDouble plugin;
  plugin.answers = {token_answer("canary", "")};
  for (const bool terminal : {false, true}) {
    connection.exec->at_terminal = terminal;
    for (const char* mode : {"Never", "IfAvailable", "Always"}) {
      connection.exec->interactive_mode = mode;
      const base::Status status = ask_plugin(connection, plugin.runner()).status();
      if (mode == std::string("Always") && !terminal) {
        EXPECT_THAT(status, Fails(ErrorKind::cluster, HasSubstr("standard input is no terminal")));
        continue;
      }
      ASSERT_OK(status);
      EXPECT_EQ(plugin.calls.back().interactive, terminal && mode != std::string("Never")) << mode;
    }
  }
}

TEST(ExecPlugin, AnswersWithATokenACertificateOrBoth) {  // scenario 49
  const base::Result<ExecAnswer> token = answer_to(token_answer("canary", "2027-01-15T08:00:00Z"));
  ASSERT_OK(token);
  EXPECT_EQ(token->token, "canary");
  EXPECT_EQ(token->expires_ms, 1'800'000'000'000);
  const base::Result<ExecAnswer> certificate = answer_to(certificate_answer("one"));
  ASSERT_OK(certificate);
  EXPECT_THAT(certificate->certificate_pem, HasSubstr("-----BEGIN CERTIFICATE-----\ncertificate one\n"));
  EXPECT_THAT(certificate->key_pem, HasSubstr("canary-key one"));
  EXPECT_EQ(certificate->expires_ms, ExecAnswer().expires_ms);
  std::string both = certificate_answer("one");
  both.insert(both.rfind("}}"), R"(,"token":"canary","expirationTimestamp":null,"other":{"x":1})");
  const base::Result<ExecAnswer> all = answer_to(both);
  ASSERT_OK(all);
  EXPECT_EQ(all->token, "canary");
  EXPECT_FALSE(all->key_pem.empty());
}

TEST(ExecPlugin, YamlIsFineAndSoIsTheTimeZero) {
  const base::Result<ExecAnswer> answer = answer_to(
      "apiVersion: client.authentication.k8s.io/v1\nkind: ExecCredential\nstatus:\n  token: canary\n"
      "  expirationTimestamp: 0001-01-01T00:00:00Z\n");
  ASSERT_OK(answer);
  EXPECT_EQ(answer->expires_ms, ExecAnswer().expires_ms);
}

TEST(ExecPlugin, WrongAnswersAreToldApartAndNeverShown) {  // scenario 49
  const std::string pem = certificate_answer("one");
  const std::string half =
      R"("clientCertificateData":"-----BEGIN CERTIFICATE-----canary-----END CERTIFICATE-----")";
  const std::string key = R"("clientKeyData":"-----BEGIN PRIVATE KEY-----canary-----END PRIVATE KEY-----")";
  const std::vector<std::pair<std::string, std::string>> table = {
      {"canary {", "neither JSON nor YAML"},
      {"", "no ExecCredential"},
      {R"({"kind":"canary","apiVersion":"client.authentication.k8s.io/v1"})", "no ExecCredential"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"canary"}})",
       "in another apiVersion than client.authentication.k8s.io/v1"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})", "without a status"},
      {answer_with(""), "without a token and without a certificate"},
      {answer_with(half), "with a certificate, but no key for it"},
      {answer_with(key), "with a key, but no certificate for it"},
      {answer_with(half + R"(,"clientKeyData":"Y2FuYXJ5")"), "with a clientKeyData that is no PEM text"},
      {answer_with(key + R"(,"clientCertificateData":"Y2FuYXJ5")"),
       "with a clientCertificateData that is no PEM text"},
      {answer_with(R"("token":["canary"])"), "with a field that is no text"},
      {answer_with(R"("token":12345)"), "with a field that is no text"},
      {answer_with(R"("token":"canary","expirationTimestamp":"canary")"),
       "with an expirationTimestamp that is no time"},
      {answer_with(R"("token":"canary","expirationTimestamp":1800000000)"), "with a field that is no text"}};
  for (const auto& [out, what] : table) {
    const base::Status status = answer_to(out).status();
    EXPECT_THAT(status, Fails(ErrorKind::cluster,
                              AllOf(HasSubstr("the credential plugin \"acme-login\" of the user \"ada\" answered"),
                                    HasSubstr(what), Not(HasSubstr("canary")))));
    EXPECT_THAT(status.advice(), Not(HasSubstr("canary")));
  }
}

TEST(ExecPlugin, AFailureIsItsExitCodeAndNothingItPrinted) {
  EXPECT_THAT(
      failure_of({3, false, "canary"}),
      Fails(ErrorKind::cluster, AllOf(HasSubstr("\"ada\" failed with exit code 3"), Not(HasSubstr("canary")))));
  EXPECT_THAT(failure_of({143, true, "canary"}),
              Fails(ErrorKind::cluster, AllOf(HasSubstr("did not end within a minute"), Not(HasSubstr("canary")))));
}

TEST(ExecPlugin, TheHintIsShownWhenItIsMissing) {
  Connection connection = plugin_connection();
  connection.exec->command = "no-such-plugin-here";
  const base::Status plain = ask_plugin(connection, real_plugin_runner()).status();
  EXPECT_THAT(plain,
              Fails(ErrorKind::cluster, HasSubstr("\"no-such-plugin-here\" of the user \"ada\" is not installed")));
  EXPECT_THAT(plain.advice(), HasSubstr("install it"));
  connection.exec->install_hint = "get it at\n\thttps://acme.example \x1b[1mnow\u202e \u00e9";
  EXPECT_EQ(ask_plugin(connection, real_plugin_runner()).status().advice(),
            "get it at\n\thttps://acme.example U+001B[1mnowU+202E \u00e9");
}

// A program of ours in a folder that goes with the test.
std::string write_plugin(const testing::ScratchFolder& folder, const std::string& name, const std::string& script) {
  testing::write_file(folder / name, "#!/bin/sh\n" + script);
  chmod((folder / name).c_str(), 0755);
  return folder / name;
}

TEST(ExecPlugin, ARealOneGetsItsVariablesAndNoInput) {
  const testing::ScratchFolder folder;
  Connection connection = plugin_connection();
  connection.exec->command =
      write_plugin(folder, "acme-login",
                   "read line && exit 7\n"
                   "case $KUBERNETES_EXEC_INFO in *'\"interactive\":false'*) ;; *) exit 8;; esac\n"
                   "echo '" +
                       answer_with(R"("token":"'$ACME-$1'")") + "'\n");
  connection.exec->env = {{"ACME", "canary"}};
  connection.exec->args = {"x y"};
  const base::Result<ExecAnswer> answer = ask_plugin(connection, real_plugin_runner());
  ASSERT_OK(answer);
  EXPECT_EQ(answer->token, "canary-x y");
  connection.exec->command = write_plugin(folder, "flood", "yes canary");
  EXPECT_THAT(ask_plugin(connection, real_plugin_runner()).status(),
              Fails(ErrorKind::cluster, AllOf(HasSubstr("wrote more than 1 MiB"), Not(HasSubstr("canary")))));
}

PluginPolicy allow(const std::vector<std::string>& list, const std::string& search_path) {
  return {"Allowlist", list, search_path};
}

TEST(ExecPlugin, OnlyWhatThePolicyAllowsIsRun) {
  Connection connection = plugin_connection();
  connection.plugin_policy.type = "DenyAll";
  PluginDouble plugin;
  plugin.answers = {token_answer("canary", "")};
  EXPECT_THAT(ask_plugin(connection, plugin.runner()).status(),
              Fails(ErrorKind::cluster, HasSubstr("all are denied")));
  connection.plugin_policy = allow({"other-login"}, "/nowhere");
  EXPECT_THAT(ask_plugin(connection, plugin.runner()).status(),
              Fails(ErrorKind::cluster, HasSubstr("\"acme-login\" is not on the list")));
  EXPECT_TRUE(plugin.calls.empty());
  connection.plugin_policy = allow({"other-login", "acme-login"}, "/nowhere");
  ASSERT_OK(ask_plugin(connection, plugin.runner()));
  connection.plugin_policy.type = "AllowAll";
  ASSERT_OK(ask_plugin(connection, plugin.runner()));
}

TEST(PluginPolicy, NamesAndPathsMeanOneFile) {
  const testing::ScratchFolder ours, theirs;
  const std::string program = write_plugin(ours, "acme-login", "");
  const std::string other = write_plugin(theirs, "acme-login", "");
  const std::string path = "/nowhere:" + ours.path() + ":" + theirs.path();
  ASSERT_OK(check_allowed(allow({"acme-login"}, path), "acme-login"));
  ASSERT_OK(check_allowed(allow({program}, path), "acme-login"));
  ASSERT_OK(check_allowed(allow({"acme-login"}, path), program));
  ASSERT_OK(check_allowed(allow({program}, path), ours.path() + "/./acme-login"));
  EXPECT_FALSE(check_allowed(allow({"acme-login"}, path), other).ok()) << "another file of that name";
  EXPECT_FALSE(check_allowed(allow({other}, path), "acme-login").ok());
  EXPECT_FALSE(check_allowed(allow({"acme"}, path), "acme-login").ok());
  EXPECT_FALSE(check_allowed(allow({program}, path), "gone-login").ok());
}

TEST(PluginPolicy, LooksUpAsAShellDoesButNotInTheWorkingDirectory) {
  const testing::ScratchFolder folder;
  const std::string program = write_plugin(folder, "acme-login", "");
  testing::write_file(folder / "notes", "text");
  EXPECT_EQ(look_up("acme-login", "/nowhere:" + folder.path() + "/"), program);
  EXPECT_EQ(look_up(program, ""), program);
  EXPECT_EQ(look_up("notes", folder.path()), "") << "no program";
  EXPECT_EQ(look_up("..", folder.path()), "") << "a folder";
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(look_up("acme-login", ":" + folder.path()), "");
  EXPECT_EQ(look_up("acme-login", ".:" + folder.path()), "");
  std::filesystem::current_path(before);
}

base::Result<PluginPolicy> policy_in(const std::string& kuberc, KubeEnvironment environment = {}) {
  base::MemoryFileSystem fs;
  fs.files["/home/ada/.kube/kuberc"] = kuberc;
  environment.home = "/home/ada";
  return load_plugin_policy(environment, fs);
}

const std::string kuberc_head = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n";

TEST(PluginPolicy, IsTheFirstPreferenceOfTheKuberc) {
  const base::Result<PluginPolicy> policy = policy_in(
      "kind: Other\n---\n" + kuberc_head +
      "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n- name: acme-login\n- name: /opt/x\n"
      "aliases: [{name: getx, command: get}]\n---\n" +
      kuberc_head + "credentialPluginPolicy: DenyAll\n");
  ASSERT_OK(policy);
  EXPECT_EQ(policy->type, "Allowlist");
  EXPECT_THAT(policy->allowlist, ElementsAre("acme-login", "/opt/x"));
  EXPECT_EQ(policy_in("apiVersion: kubectl.config.k8s.io/v1alpha1\nkind: Preference\n"
                      "credentialPluginPolicy: DenyAll\n")
                .value()
                .type,
            "DenyAll");
  EXPECT_EQ(policy_in(kuberc_head).value().type, "");
  EXPECT_EQ(policy_in("").value().type, "");
}

TEST(PluginPolicy, TheVariablesSayWhichFileIfAny) {
  const std::string deny = kuberc_head + "credentialPluginPolicy: DenyAll\n";
  KubeEnvironment environment;
  environment.kuberc = "off";
  EXPECT_EQ(policy_in(deny, environment).value().type, "");
  environment.kuberc = "";
  environment.kuberc_gate = "False";
  EXPECT_EQ(policy_in(deny, environment).value().type, "");
  environment = {};
  EXPECT_EQ(policy_in(deny, environment).value().type, "DenyAll");
  environment.kuberc = "/gone";
  EXPECT_THAT(policy_in(deny, environment).status(), Fails(ErrorKind::not_found, HasSubstr("/gone")));
  base::MemoryFileSystem fs;
  EXPECT_EQ(load_plugin_policy({}, fs).value().type, "") << "without a file all may run";
}

TEST(PluginPolicy, WhatContradictsItselfAllowsNothing) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"credentialPluginPolicy: Deny", "is none of AllowAll, DenyAll, Allowlist"},
      {"credentialPluginPolicy: DenyAll\ncredentialPluginAllowlist: []", "but the policy is not Allowlist"},
      {"credentialPluginAllowlist: [{name: acme-login}]", "but the policy is not Allowlist"},
      {"credentialPluginPolicy: Allowlist", "credentialPluginAllowlist is empty"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: []", "credentialPluginAllowlist is empty"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: x}]", "has no name"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{name: /opt//x}]",
       "is no path as it should be"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{name: ./x}]", "is no path as it should be"},
      {"credentialPluginPolicy: [DenyAll]", "credentialPluginPolicy: text is wanted here"}};
  for (const auto& [policy, what] : table)
    EXPECT_THAT(policy_in(kuberc_head + policy + "\n").status(), Fails(ErrorKind::input, HasSubstr(what)))
        << policy;
  EXPECT_THAT(policy_in("kind: [").status(), Fails(ErrorKind::input, HasSubstr("/home/ada/.kube/kuberc:")));
  EXPECT_THAT(policy_in("kind: Other\n").status(), Fails(ErrorKind::input, HasSubstr("there is no Preference")));
}

}  // namespace
}  // namespace cmb2kueue::target
