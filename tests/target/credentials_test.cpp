// Who we are from request to request: files read anew, plugins run when needed and never more.
#include "credentials.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cmb2kueue/base/clock.h"
#include "fake_transport.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using nlohmann::json;
using testing::Fails;
using ::testing::HasSubstr;

constexpr std::int64_t start = 1'700'000'000'000;

class CredentialsTest : public ::testing::Test {
 protected:
  // A plugin that gives out token-1, token-2, ... each good for an hour.
  PluginRunner plugin() {
    return [this](const PluginCall&) -> base::Result<PluginAnswer> {
      json status = {{"token", "token-" + std::to_string(++runs_)},
                     {"expirationTimestamp", base::rfc3339(clock_.now_ms() + 3'600'000)}};
      if (with_certificate_) {
        status["clientCertificateData"] = "CERT-" + std::to_string(runs_);
        status["clientKeyData"] = "KEY";
      }
      PluginAnswer answer;
      answer.out =
          json{{"apiVersion", "client.authentication.k8s.io/v1"}, {"kind", "ExecCredential"}, {"status", status}}
              .dump();
      return answer;
    };
  }
  static Connection with_plugin() {
    Connection made;
    made.exec = ExecConfig();
    made.exec->api_version = "client.authentication.k8s.io/v1";
    made.exec->command = "heron-login";
    made.exec->interactive_mode = "Never";
    return made;
  }
  Credentials credentials(const Connection& connection) { return {connection, files_, clock_, plugin()}; }
  static Identity now(Credentials& credentials) {
    const base::Result<Identity> identity = credentials.current();
    EXPECT_TRUE(identity.ok());
    return identity.ok() ? identity.value() : Identity();
  }
  int runs_ = 0;
  bool with_certificate_ = false;
  base::FixedClock clock_{start};
  base::MemoryFileSystem files_;
};

TEST_F(CredentialsTest, SaysWhatTheConnectionSays) {
  Connection token;
  token.token = "abc\n";
  Credentials bearer = credentials(token);
  EXPECT_EQ(now(bearer).authorization, "Bearer abc");
  Connection password;
  password.username = "me";
  password.password = "secret";
  Credentials basic = credentials(password);
  EXPECT_EQ(now(basic).authorization, "Basic bWU6c2VjcmV0");
  Connection certificate;
  certificate.client_certificate_pem = "CERT";
  certificate.client_key_pem = "KEY";
  Credentials pem = credentials(certificate);
  EXPECT_EQ(now(pem).authorization + now(pem).client_certificate_pem + now(pem).client_key_pem, "CERTKEY");
  for (Credentials* one : {&bearer, &basic, &pem}) EXPECT_FALSE(one->refresh(now(*one)).value());
}

TEST_F(CredentialsTest, ATokenFileIsReadAnewEveryMinute) {
  Connection connection;
  connection.token = "from the file of before";
  connection.token_file = "/token";
  files_.files["/token"] = " one\n";
  Credentials credentials = this->credentials(connection);
  EXPECT_EQ(now(credentials).authorization, "Bearer one");
  files_.files["/token"] = "two";
  EXPECT_EQ(now(credentials).authorization, "Bearer one");
  clock_.sleep_ms(60'001);
  EXPECT_EQ(now(credentials).authorization, "Bearer two");
  files_.files.clear();
  clock_.sleep_ms(60'001);
  EXPECT_EQ(now(credentials).authorization, "Bearer two") << "a file that is gone for a moment";
}

TEST_F(CredentialsTest, WithoutItsFileTheTokenCounts) {
  Connection connection;
  connection.token = "spare";
  connection.token_file = "/missing";
  Credentials credentials = this->credentials(connection);
  EXPECT_EQ(now(credentials).authorization, "Bearer spare");
}

TEST_F(CredentialsTest, After401ATokenFileThatChangedIsSomethingNewer) {
  Connection connection;
  connection.token_file = "/token";
  files_.files["/token"] = "one";
  Credentials credentials = this->credentials(connection);
  const Identity first = now(credentials);
  EXPECT_FALSE(credentials.refresh(first).value()) << "the same token is no news";
  files_.files["/token"] = "two";
  EXPECT_TRUE(credentials.refresh(first).value());
  EXPECT_EQ(now(credentials).authorization, "Bearer two");
}

TEST_F(CredentialsTest, APluginIsRunOnceUntilItsAnswerExpires) {
  Credentials credentials = this->credentials(with_plugin());
  EXPECT_EQ(runs_, 0) << "not before it is needed";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(now(credentials).authorization, "Bearer token-1");
  clock_.sleep_ms(3'500'000);
  EXPECT_EQ(now(credentials).authorization, "Bearer token-1");
  clock_.sleep_ms(100'000);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(now(credentials).authorization, "Bearer token-2");
  EXPECT_EQ(runs_, 2);
}

TEST_F(CredentialsTest, OneRefusedIdentityIsRenewedOnce) {
  Credentials credentials = this->credentials(with_plugin());
  const Identity first = now(credentials);
  EXPECT_TRUE(credentials.refresh(first).value());
  EXPECT_TRUE(credentials.refresh(first).value());
  EXPECT_EQ(runs_, 2) << "the second that is refused finds the work done";
  EXPECT_TRUE(credentials.refresh(now(credentials)).value());
  EXPECT_EQ(runs_, 3);
}

TEST_F(CredentialsTest, ANewCertificateEndsOldConnections) {
  with_certificate_ = true;
  Credentials credentials = this->credentials(with_plugin());
  const Identity first = now(credentials);
  EXPECT_EQ(first.client_certificate_pem + first.client_key_pem, "CERT-1KEY");
  EXPECT_EQ(now(credentials).generation, first.generation);
  ASSERT_OK(credentials.refresh(first));
  EXPECT_NE(now(credentials).generation, first.generation);
}

TEST_F(CredentialsTest, APluginIsNotAskedWhereSomethingElseSaysWhoWeAre) {
  for (int i = 0; i < 4; ++i) {
    Connection connection = with_plugin();
    if (i == 0) connection.token = "t";
    if (i == 1) connection.username = "u";
    if (i == 2) connection.client_certificate_pem = "c";
    if (i == 3) connection.token_file = "/token";
    files_.files["/token"] = "from a file";
    Credentials credentials = this->credentials(connection);
    now(credentials);
    EXPECT_EQ(runs_, 0) << i;
  }
}

TEST_F(CredentialsTest, AFailedPluginIsTheClustersErrorAndAskedAgain) {
  bool broken = true;
  PluginRunner good = plugin();
  Credentials credentials(with_plugin(), files_, clock_, [&](const PluginCall& call) -> base::Result<PluginAnswer> {
    if (!broken) return good(call);
    PluginAnswer answer;
    answer.exit_code = 3;
    return answer;
  });
  EXPECT_THAT(credentials.current().status(), Fails(ErrorKind::cluster, HasSubstr("exit code 3")));
  broken = false;
  EXPECT_EQ(now(credentials).authorization, "Bearer token-1");
}

// scenario 50: a long run crosses an expiry and meets a 401: each asks for new credentials exactly once, and the
// run goes on.
TEST_F(CredentialsTest, Scenario50AcrossExpiryAnd401OneRefreshEach) {
  FakeTransport transport;
  transport.api.plant("/api/v1/namespaces/marsh", {{"metadata", {{"name", "marsh"}}}});
  Credentials credentials = this->credentials(with_plugin());
  KubeClient client(transport, credentials, clock_, {});
  const auto send = [&] {
    const std::vector<HttpRequest> three(3, HttpRequest{"GET", "/api/v1/namespaces/marsh", "", ""});
    const base::Result<std::vector<ApiAnswer>> answers = client.send(three);
    for (const ApiAnswer& answer : answers.value()) EXPECT_EQ(answer.status, 200);
  };
  send();
  EXPECT_EQ(runs_, 1);
  clock_.sleep_ms(3'600'001);
  send();
  EXPECT_EQ(runs_, 2) << "expired";
  for (int i = 0; i < 3; ++i) transport.inject("GET", status_answer(401, "Unauthorized", "who?"));
  send();
  EXPECT_EQ(runs_, 3) << "three answers of 401, one refresh";
  send();
  EXPECT_EQ(runs_, 3);
  EXPECT_EQ(transport.authorizations.back(), "Bearer token-3");
}

}  // namespace
}  // namespace cmb2kueue::target
