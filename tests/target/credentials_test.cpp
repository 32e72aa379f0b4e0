// Who we are from request to request: what is cached, what expires, and what one 401 changes.
#include "credentials.h"

#include <gtest/gtest.h>

#include <thread>

#include "plugin_double.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using ::testing::AllOf;
using testing::Fails;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t noon = 1'800'000'000'000;  // 2027-01-15T08:00:00Z

class CredentialsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Credentials> open() {
    return std::make_unique<Credentials>(connection_, fs_, clock_, plugin_.runner());
  }
  void use_plugin() { connection_ = plugin_connection(); }

  Connection connection_;
  base::MemoryFileSystem fs_;
  base::FixedClock clock_{noon};
  PluginDouble plugin_;
};

TEST_F(CredentialsTest, WhatTheKubeconfigHoldsIsSentAsItStands) {
  EXPECT_EQ(open()->current()->authorization, "");
  connection_.username = "ada";
  connection_.password = "canary:password";
  EXPECT_EQ(open()->current()->authorization, "Basic YWRhOmNhbmFyeTpwYXNzd29yZA==");
  connection_.username.clear();
  connection_.token = "canary-token";
  connection_.client_certificate_pem = "certificate";
  connection_.client_key_pem = "key";
  const std::unique_ptr<Credentials> credentials = open();
  const base::Result<Identity> identity = credentials->current();
  ASSERT_OK(identity);
  EXPECT_EQ(identity->authorization, "Bearer canary-token");
  EXPECT_EQ(identity->client_certificate_pem, "certificate");
  EXPECT_EQ(identity->client_key_pem, "key");
  EXPECT_FALSE(credentials->refresh(identity.value()).value()) << "there is nothing newer";
}

TEST_F(CredentialsTest, ATokenThatWouldEndItsHeaderIsRefused) {
  connection_.token = "canary-token\r\nX-Other: 1";
  EXPECT_THAT(open()->current().status(),
              Fails(ErrorKind::cluster, AllOf(HasSubstr("holds a line end"), Not(HasSubstr("canary")))));
}

TEST_F(CredentialsTest, ATokenFileIsReadAgainWithinAMinute) {
  connection_.token_file = "/t";
  fs_.files["/t"] = " canary-one\n";
  const std::unique_ptr<Credentials> credentials = open();
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-one");
  fs_.files["/t"] = "canary-two";
  clock_.set(noon + 49'999);
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-one");
  clock_.set(noon + 50'000);
  const base::Result<Identity> second = credentials->current();
  EXPECT_EQ(second->authorization, "Bearer canary-two");
  EXPECT_EQ(second->generation, credentials->current()->generation) << "connections stay when a token changes";
}

TEST_F(CredentialsTest, AFormerTokenCountsWhileTheFileIsGone) {
  connection_.token_file = "/t";
  fs_.files["/t"] = "canary-one";
  const std::unique_ptr<Credentials> credentials = open();
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-one");
  fs_.files.clear();
  clock_.set(noon + 60'000);
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-one");
  fs_.files["/t"] = "canary-two";
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-two") << "it is looked for at each request";
}

TEST_F(CredentialsTest, AFileBeatsATokenWhichStandsInForIt) {
  connection_.token_file = "/t";
  connection_.token = "canary-spare";
  const std::unique_ptr<Credentials> credentials = open();
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-spare");
  fs_.files["/t"] = "canary-file";
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-file");
}

TEST_F(CredentialsTest, ATokenFileThatWasNeverThereIsAnError) {
  connection_.token_file = "/t";
  EXPECT_THAT(open()->current().status(), Fails(ErrorKind::cluster, HasSubstr("/t")));
  fs_.files["/t"] = " \n";
  EXPECT_THAT(open()->current().status(), Fails(ErrorKind::cluster, HasSubstr("\"/t\" is empty")));
}

TEST_F(CredentialsTest, ARefusedTokenIsTriedAgainOnlyIfTheFileChanged) {
  connection_.token_file = "/t";
  fs_.files["/t"] = "canary-one";
  const std::unique_ptr<Credentials> credentials = open();
  const Identity refused = credentials->current().value();
  EXPECT_FALSE(credentials->refresh(refused).value());
  fs_.files["/t"] = "canary-two";
  EXPECT_TRUE(credentials->refresh(credentials->current().value()).value());
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-two");
}

TEST_F(CredentialsTest, APluginIsAskedOnceUntilItsAnswerExpires) {  // scenario 50
  use_plugin();
  plugin_.answers = {token_answer("canary-one", "2027-01-15T08:10:00Z"), token_answer("canary-two", "")};
  const std::unique_ptr<Credentials> credentials = open();
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-one");
  clock_.set(noon + 600'000);
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-one") << "the last moment is still good";
  EXPECT_EQ(plugin_.calls.size(), 1U);
  clock_.set(noon + 600'001);
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-two");
  clock_.set(noon * 2);
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-two") << "no time is for ever";
  EXPECT_EQ(plugin_.calls.size(), 2U);
}

TEST_F(CredentialsTest, ARefusedAnswerIsReplacedOnce) {  // scenario 50
  use_plugin();
  plugin_.answers = {token_answer("canary-one", ""), token_answer("canary-two", "")};
  const std::unique_ptr<Credentials> credentials = open();
  const Identity refused = credentials->current().value();
  EXPECT_TRUE(credentials->refresh(refused).value());
  EXPECT_TRUE(credentials->refresh(refused).value()) << "another request got the same answer";
  EXPECT_EQ(plugin_.calls.size(), 2U);
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-two");
  EXPECT_EQ(plugin_.calls.size(), 2U);
}

TEST_F(CredentialsTest, TheSameAnswerAgainIsTheLastWord) {  // scenario 50
  use_plugin();
  plugin_.answers = {token_answer("canary-one", "")};
  const std::unique_ptr<Credentials> credentials = open();
  const Identity refused = credentials->current().value();
  EXPECT_FALSE(credentials->refresh(refused).value());
  EXPECT_FALSE(credentials->refresh(refused).value());
  EXPECT_EQ(plugin_.calls.size(), 2U);
}

TEST_F(CredentialsTest, ThreadsWaitForOneRunOfThePlugin) {  // scenario 50
  use_plugin();
  plugin_.answers = {token_answer("canary-one", ""), token_answer("canary-two", "")};
  const std::unique_ptr<Credentials> credentials = open();
  const Identity refused = credentials->current().value();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_TRUE(credentials->refresh(refused).value()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(plugin_.calls.size(), 2U);
}

TEST_F(CredentialsTest, AFailedRefreshKeepsWhatThereIs) {
  use_plugin();
  plugin_.answers = {token_answer("canary-one", ""), "canary: [nonsense"};
  const std::unique_ptr<Credentials> credentials = open();
  const Identity refused = credentials->current().value();
  EXPECT_THAT(credentials->refresh(refused).status(), Fails(ErrorKind::cluster, Not(HasSubstr("canary"))));
  EXPECT_EQ(credentials->current()->authorization, "Bearer canary-one");
}

TEST_F(CredentialsTest, ACertificateOfAPluginEndsOlderConnectionsWhenItChanges) {  // scenario 49
  use_plugin();
  plugin_.answers = {certificate_answer("one"), certificate_answer("one"), certificate_answer("two")};
  const std::unique_ptr<Credentials> credentials = open();
  const Identity first = credentials->current().value();
  EXPECT_EQ(first.authorization, "");
  EXPECT_THAT(first.client_certificate_pem, HasSubstr("\ncertificate one\n"));
  EXPECT_THAT(first.client_key_pem, HasSubstr("\ncanary-key one\n"));
  EXPECT_FALSE(credentials->refresh(first).value());
  const Identity second = credentials->current().value();
  EXPECT_EQ(second.generation, first.generation);
  EXPECT_TRUE(credentials->refresh(second).value());
  EXPECT_NE(credentials->current()->generation, first.generation);
}

}  // namespace
}  // namespace cmb2kueue::target
