// Asking a credential plugin: what it is told, what it may answer, and that nobody else hears it.
#include "exec_plugin.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base64.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* v1 = "client.authentication.k8s.io/v1";
constexpr const char* v1beta1 = "client.authentication.k8s.io/v1beta1";

std::string credential(const json& status, const char* version = v1) {
  return json{{"apiVersion", version}, {"kind", "ExecCredential"}, {"status", status}}.dump();
}

class ExecPluginTest : public ::testing::Test {
 protected:
  void SetUp() override {
    connection_.server = "https://marsh.example.org";
    connection_.exec = ExecConfig();
    connection_.exec->api_version = v1;
    connection_.exec->command = "heron-login";
    connection_.exec->interactive_mode = "IfAvailable";
    answer_.out = credential({{"token", "CANARY"}});
  }
  base::Result<PluginCredentials> run(bool terminal = false) {
    return run_plugin(
        connection_,
        [this](const PluginCall& call) -> base::Result<PluginAnswer> {
          calls_.push_back(call);
          if (!start_.ok()) return start_;
          return answer_;
        },
        terminal);
  }
  json told() const { return json::parse(calls_.back().environment.back().second); }
  Connection connection_;
  PluginAnswer answer_;
  base::Status start_;
  std::vector<PluginCall> calls_;
};

TEST_F(ExecPluginTest, IsRunAsItIsWrittenWithoutAShell) {
  connection_.exec->args = {"--for", "$(a) 'b'"};
  connection_.exec->env = {{"K", "v"}};
  const base::Result<PluginCredentials> found = run();
  ASSERT_OK(found);
  EXPECT_EQ(found->token, "CANARY");
  EXPECT_EQ(found->expires_ms, 0);
  EXPECT_THAT(calls_.back().argv, ElementsAre("heron-login", "--for", "$(a) 'b'"));
  EXPECT_EQ(calls_.back().environment.front(), (std::pair<std::string, std::string>("K", "v")));
  EXPECT_EQ(calls_.back().environment.back().first, "KUBERNETES_EXEC_INFO");
  EXPECT_EQ(told(), json({{"apiVersion", v1}, {"kind", "ExecCredential"}, {"spec", {{"interactive", false}}}}));
}

TEST_F(ExecPluginTest, HearsOfTheClusterOnlyWhenItAsks) {
  connection_.ca_pem = "CA";
  connection_.tls_server_name = "name";
  connection_.proxy_url = "http://proxy";
  connection_.exec->cluster_config = R"({"audience":"marsh"})";
  ASSERT_OK(run());
  EXPECT_FALSE(told()["spec"].contains("cluster"));
  connection_.exec->provide_cluster_info = true;
  ASSERT_OK(run());
  EXPECT_EQ(told()["spec"]["cluster"], json({{"server", "https://marsh.example.org"},
                                             {"certificate-authority-data", encoded_base64("CA")},
                                             {"tls-server-name", "name"},
                                             {"proxy-url", "http://proxy"},
                                             {"config", {{"audience", "marsh"}}}}));
}

TEST_F(ExecPluginTest, TalksToPeopleOnlyWhereThereAreSome) {
  const auto interactive = [&](const char* mode, bool terminal) {
    connection_.exec->interactive_mode = mode;
    EXPECT_TRUE(run(terminal).ok());
    EXPECT_EQ(told()["spec"]["interactive"], calls_.back().interactive);
    return calls_.back().interactive;
  };
  EXPECT_FALSE(interactive("Never", true));
  EXPECT_FALSE(interactive("IfAvailable", false));
  EXPECT_TRUE(interactive("IfAvailable", true));
  EXPECT_TRUE(interactive("Always", true));
  calls_.clear();
  EXPECT_THAT(run(false).status(), Fails(ErrorKind::cluster, HasSubstr("no terminal")));
  EXPECT_TRUE(calls_.empty());
}

// scenario 49: certificate and key come as PEM, not as base64 as in kubeconfig files.
TEST_F(ExecPluginTest, Scenario49CertificateAndKeyArePem) {
  const std::string certificate = "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n";
  const std::string key = "-----BEGIN PRIVATE KEY-----\nQ0FOQVJZ\n-----END PRIVATE KEY-----\n";
  answer_.out = credential({{"clientCertificateData", certificate}, {"clientKeyData", key}});
  const base::Result<PluginCredentials> found = run();
  ASSERT_OK(found);
  EXPECT_EQ(found->certificate_pem, certificate);
  EXPECT_EQ(found->key_pem, key);
  EXPECT_EQ(found->token, "");
}

TEST_F(ExecPluginTest, BothVersionsAreSpokenAndNotMixed) {
  for (const char* configured : {v1, v1beta1})
    for (const char* answered : {v1, v1beta1, "client.authentication.k8s.io/v1alpha1"}) {
      connection_.exec->api_version = configured;
      answer_.out = credential({{"token", "CANARY"}}, answered);
      const base::Result<PluginCredentials> found = run();
      EXPECT_EQ(told()["apiVersion"], configured);
      EXPECT_EQ(found.ok(), std::string(configured) == answered) << configured << " " << answered;
      if (!found.ok()) {
        EXPECT_THAT(found.status(), Fails(ErrorKind::cluster, HasSubstr("another version")));
      }
    }
}

TEST_F(ExecPluginTest, ReadsWhenItExpires) {
  answer_.out = credential({{"token", "t"}, {"expirationTimestamp", "2026-03-04T05:06:07Z"}});
  EXPECT_EQ(run().value().expires_ms, base::parse_rfc3339("2026-03-04T05:06:07Z"));
  answer_.out = credential({{"token", "CANARY"}, {"expirationTimestamp", "CANARY"}});
  EXPECT_THAT(run().status(), Fails(ErrorKind::cluster, AllOf(HasSubstr("is no time"), Not(HasSubstr("CANARY")))));
}

TEST_F(ExecPluginTest, NoMessageHoldsWhatItSaid) {
  const std::string outputs[] = {"",
                                 "CANARY",
                                 "{\"CANARY\": ",
                                 "[\"CANARY\"]",
                                 json({{"kind", "CANARY"}}).dump(),
                                 json({{"kind", "ExecCredential"}, {"apiVersion", "CANARY"}}).dump(),
                                 json({{"kind", "ExecCredential"}, {"apiVersion", v1}}).dump(),
                                 credential({{"other", "CANARY"}}),
                                 credential({{"clientCertificateData", "CANARY"}}),
                                 credential({{"clientKeyData", "CANARY"}})};
  for (const std::string& out : outputs) {
    answer_.out = out;
    const base::Status status = run().status();
    EXPECT_THAT(status, Fails(ErrorKind::cluster, AllOf(HasSubstr("\"heron-login\""), Not(HasSubstr("CANARY")))));
    EXPECT_THAT(status.advice(), Not(HasSubstr("CANARY")));
    EXPECT_NE(status.advice(), "") << out;
  }
  answer_.out = "CANARY";
  answer_.exit_code = 2;
  EXPECT_THAT(run().status(), Fails(ErrorKind::cluster, AllOf(HasSubstr("exit code 2"), Not(HasSubstr("CANARY")))));
  answer_.timed_out = true;
  EXPECT_THAT(run().status(), Fails(ErrorKind::cluster, AllOf(HasSubstr("in time"), Not(HasSubstr("CANARY")))));
}

TEST_F(ExecPluginTest, SaysHowToGetWhatIsNotInstalled) {
  start_ = base::Status(ErrorKind::not_found, "there is no such program");
  connection_.exec->install_hint = "brew install heron-login";
  const base::Status status = run().status();
  EXPECT_THAT(status, Fails(ErrorKind::cluster, HasSubstr("\"heron-login\" is not installed")));
  EXPECT_EQ(status.advice(), "brew install heron-login");
  start_ = base::Status(ErrorKind::io, "permission denied");
  EXPECT_THAT(run().status(), Fails(ErrorKind::cluster, HasSubstr("could not be run: permission denied")));
}

TEST_F(ExecPluginTest, IsNotRunWhereThePolicyForbidsIt) {
  connection_.exec->allowed = false;
  EXPECT_THAT(run().status(), Fails(ErrorKind::cluster, HasSubstr("may not be run")));
  EXPECT_TRUE(calls_.empty());
}

}  // namespace
}  // namespace cmb2kueue::target
