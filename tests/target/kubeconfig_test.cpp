// kubeconfig files as kubectl reads them. The rules are a table of cases in tests/target/kubeconfig, whose form is
// in kubeconfig_case.h; here is what runs them, and what needs a loop.
#include "kubeconfig.h"

#include <gtest/gtest.h>

#include "kubeconfig_case.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::Not;

// Every secret of the cases has this word in it.
void expect_no_secret(const base::Status& status) {
  EXPECT_THAT(status.message(), Not(HasSubstr("canary")));
  EXPECT_THAT(status.advice(), Not(HasSubstr("canary")));
  EXPECT_THAT(status.message(), Not(HasSubstr("12345")));
}

class KubeconfigCases : public ::testing::TestWithParam<std::string> {};

TEST_P(KubeconfigCases, Holds) {  // scenario 47 in the cases that begin with its number
  KubeconfigCase given = read_case(GetParam());
  const base::Result<Connection> connection = load_connection(given.flags, given.environment, given.fs);
  expect_no_secret(connection.status());
  if (!given.fails_with.empty()) {
    ASSERT_FALSE(connection.ok());
    EXPECT_EQ(to_string(connection.status().kind()), given.fails_with);
    EXPECT_THAT(connection.status().message(), HasSubstr(given.message));
    EXPECT_THAT(connection.status().advice(), HasSubstr(given.advice));
    return;
  }
  ASSERT_OK(connection);
  EXPECT_FALSE(given.fields.empty());
  const std::map<std::string, std::string> fields = shown(connection.value());
  for (const auto& [name, value] : given.fields) EXPECT_EQ(fields.at(name), value) << name;
}

INSTANTIATE_TEST_SUITE_P(Kubeconfig, KubeconfigCases, ::testing::ValuesIn(case_names()),
                         [](const ::testing::TestParamInfo<std::string>& one) { return one.param; });

// A kubeconfig with this scalar as a boolean of the cluster.
base::Result<Connection> with_boolean(const std::string& scalar) {
  base::MemoryFileSystem fs;
  fs.files["/k"] =
      "current-context: a\ncontexts: [{name: a, context: {cluster: a}}]\nclusters:\n- name: a\n  cluster:\n"
      "    server: https://harbor.example\n    insecure-skip-tls-verify: " +
      scalar + "\n";
  KubeFlags flags;
  flags.kubeconfig = "/k";
  return load_connection(flags, {}, fs);
}

TEST(Kubeconfig, EveryPlainFormOfABooleanIsOne) {  // scenario 46
  for (const char* form : {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}) {
    const base::Result<Connection> connection = with_boolean(form);
    ASSERT_OK(connection);
    EXPECT_TRUE(connection->insecure_skip_tls_verify) << form;
  }
  for (const char* form : {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF", "~", ""}) {
    const base::Result<Connection> connection = with_boolean(form);
    ASSERT_OK(connection);
    EXPECT_FALSE(connection->insecure_skip_tls_verify) << form;
  }
}

TEST(Kubeconfig, WhatOnlyLooksLikeABooleanIsRefused) {  // scenario 46
  for (const char* form : {"\"true\"", "'yes'", "1", "0", "tRUE", "yEs", "oN", "!!str true", "[yes]", "{}"})
    EXPECT_THAT(with_boolean(form).status(),
                Fails(ErrorKind::input, HasSubstr("/k:7:31: clusters[0].cluster.insecure-skip-tls-verify: true or "
                                                  "false is wanted here")))
        << form;
}

TEST(Kubeconfig, FilesBeyondAMebibyteAreRefused) {
  base::MemoryFileSystem fs;
  KubeEnvironment environment;
  environment.kubeconfig = "/k";
  fs.files["/k"] = "#" + std::string(std::size_t{1} << 20U, 'x');
  EXPECT_THAT(load_connection({}, environment, fs).status(),
              Fails(ErrorKind::input, HasSubstr("/k: the file is larger than 1 MiB")));
  fs.files["/k"].pop_back();
  EXPECT_THAT(load_connection({}, environment, fs).status(), Fails(ErrorKind::not_found, HasSubstr("no config")));
}

TEST(Kubeconfig, ContextsAreListedFromAllFiles) {  // scenario 47
  base::MemoryFileSystem fs;
  KubeEnvironment environment;
  environment.kubeconfig = "/a:/gone:/b";
  fs.files["/a"] = "contexts: [{name: west, context: {cluster: a}}]\n";
  fs.files["/b"] = "current-context: east\ncontexts: [{name: west}, {name: east}]\n";
  const base::Result<Contexts> contexts = list_contexts({}, environment, fs);
  ASSERT_OK(contexts);
  EXPECT_THAT(contexts->names, ElementsAre("east", "west"));
  EXPECT_EQ(contexts->current, "east");
  fs.files["/b"] = "[";
  EXPECT_THAT(list_contexts({}, environment, fs).status(), Fails(ErrorKind::input, HasSubstr("/b:")));
}

TEST(Kubeconfig, TheEnvironmentIsThatOfTheProcess) {
  setenv("KUBECONFIG", "/a:/b", 1);
  setenv("KUBECTL_KUBERC", "false", 1);
  const KubeEnvironment environment = process_environment();
  unsetenv("KUBECONFIG");
  unsetenv("KUBECTL_KUBERC");
  EXPECT_EQ(environment.kubeconfig, "/a:/b");
  EXPECT_EQ(environment.kuberc_gate, "false");
  EXPECT_EQ(environment.service_account, "/var/run/secrets/kubernetes.io/serviceaccount");
  EXPECT_FALSE(environment.search_path.empty());
}

}  // namespace
}  // namespace cmb2kueue::target
