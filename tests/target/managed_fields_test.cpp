// Who owns which field, as the server says it, and what ownership is turned into.
#include "managed_fields.h"

#include <gtest/gtest.h>

#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Json object_with(const std::string& entries) {
  base::Result<Json> json =
      Json::parse(R"({"kind":"ClusterQueue","metadata":{"managedFields":[)" + entries + "]}}");
  EXPECT_TRUE(json.ok()) << entries;
  return std::move(json).value();
}

std::string entry(const std::string& manager, const std::string& operation, const std::string& fields,
                  const std::string& subresource = "") {
  std::string text = R"({"manager":")" + manager + R"(","operation":")" + operation +
                     R"(","apiVersion":"kueue.x-k8s.io/v1beta2","time":"2026-01-02T03:04:05Z",)" +
                     R"("fieldsType":"FieldsV1","fieldsV1":)" + fields;
  if (!subresource.empty()) text += R"(,"subresource":")" + subresource + "\"";
  return text + "}";
}

TEST(ManagedFieldsTest, NamesTheLeavesOfEachEntry) {
  const Json json = object_with(
      entry("heron", "Apply",
            R"({"f:spec":{".":{},"f:stopPolicy":{},"f:checks":{"k:{\"name\":\"x\"}":{".":{},"f:on":{}}}},)"
            R"("f:metadata":{"f:labels":{"f:app.example.org/part":{}},"f:finalizers":{"v:\"keep\"":{}}}})") +
      "," + entry("egret", "Update", R"({"f:status":{"f:pending":{}}})", "status"));
  const std::vector<FieldsEntry> entries = managed_fields(json.root());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].manager + " " + entries[0].operation + " " + entries[0].time,
            "heron Apply 2026-01-02T03:04:05Z");
  EXPECT_EQ(entries[0].subresource, "");
  EXPECT_THAT(entries[0].paths, ElementsAre("metadata.finalizers[keep]", "metadata.labels.app.example.org/part",
                                            "spec.checks[name=x].on", "spec.stopPolicy"));
  EXPECT_EQ(entries[1].subresource, "status");
}

TEST(ManagedFieldsTest, WithoutManagedFieldsThereAreNone) {
  const base::Result<Json> json = Json::parse(R"({"metadata":{"name":"x"}})");
  ASSERT_OK(json);
  EXPECT_THAT(managed_fields(json->root()), IsEmpty());
  EXPECT_THAT(owners_of(json->root(), "spec", ""), IsEmpty());
  EXPECT_EQ(as_applied(json->root(), "heron"), "");
  EXPECT_EQ(ownership_to_restore(json->root(), json->root()), "[]");
}

TEST(ManagedFieldsTest, OwnersAreThoseOfTheFieldAndOfWhatIsBelowIt) {
  const Json json = object_with(entry("heron", "Apply", R"({"f:spec":{"f:groups":{},"f:stop":{}}})") + "," +
                                entry("egret", "Update", R"({"f:spec":{"f:policy":{"f:within":{}}}})") + "," +
                                entry("ibis", "Update", R"({"f:spec":{"f:policyOther":{}}})") + "," +
                                entry("stork", "Update", R"({"f:spec":{"f:policy":{}}})", "status"));
  EXPECT_THAT(owners_of(json.root(), "spec.policy", ""), ElementsAre("egret"));
  EXPECT_THAT(owners_of(json.root(), "spec.policy.within", ""), ElementsAre("egret"));
  EXPECT_THAT(owners_of(json.root(), "spec", "heron"), ElementsAre("egret", "ibis"));
  EXPECT_THAT(owners_of(json.root(), "spec.groups", "heron"), IsEmpty());
  // An atomic list is one leaf: whoever owns it owns what is inside.
  EXPECT_THAT(owners_of(json.root(), "spec.groups[name=x].flavors", ""), ElementsAre("heron"));
}

TEST(ManagedFieldsTest, OnlyOurOwnUpdateIsTurned) {
  const std::string theirs = entry("egret", "Update", R"({"f:spec":{"f:b":{}}})");
  const std::string status = entry("heron", "Update", R"({"f:status":{"f:c":{}}})", "status");
  const Json json = object_with(entry("heron", "Update", R"({"f:spec":{"f:a":{}}})") + "," + theirs + "," + status);
  EXPECT_EQ(as_applied(json.root(), "heron"),
            "[" + entry("heron", "Apply", R"({"f:spec":{"f:a":{}}})") + "," + theirs + "," + status + "]");
  EXPECT_EQ(as_applied(json.root(), "stork"), "");
}

TEST(ManagedFieldsTest, WhatIsAppliedAlreadyNeedsNoTurning) {
  EXPECT_EQ(as_applied(object_with(entry("heron", "Apply", R"({"f:spec":{"f:a":{}}})")).root(), "heron"), "");
  EXPECT_EQ(as_applied(object_with(entry("heron", "Update", R"({"f:status":{}})", "status")).root(), "heron"), "");
}

TEST(ManagedFieldsTest, RestoredAreTheSnapshotsEntriesAndTheStatusOfNow) {
  const std::string old = entry("heron", "Update", R"({"f:spec":{"f:a":{}}})");
  const std::string now = entry("kueue", "Update", R"({"f:status":{"f:new":{}}})", "status");
  const Json snapshot = object_with(old + "," + entry("kueue", "Update", R"({"f:status":{}})", "status"));
  const Json live = object_with(entry("cmb2kueue", "Apply", R"({"f:spec":{"f:a":{}}})") + "," + now);
  EXPECT_EQ(ownership_to_restore(snapshot.root(), live.root()), "[" + old + "," + now + "]");
}

TEST(ManagedFieldsTest, FindsWhatAConflictNames) {
  EXPECT_EQ(path_of_cause(R"(.spec.checks[name="x",zone="y"].on)"), "spec.checks[name=x,zone=y].on");
  EXPECT_EQ(path_of_cause(R"(.metadata.finalizers[="keep"])"), "metadata.finalizers[keep]");
  const base::Result<Json> json = Json::parse(
      R"({"a":{"b.c/d":"dots","b":{"c/e":"nested"}},"l":[{"name":"w","on":1},{"name":"x","zone":"y","on":2}]})");
  ASSERT_OK(json);
  EXPECT_EQ(field_at(json->root(), "a.b.c/d").text(), "dots");
  EXPECT_EQ(field_at(json->root(), "a.b.c/e").text(), "nested");
  EXPECT_EQ(field_at(json->root(), "l[name=x,zone=y].on").text(), "2");
  EXPECT_FALSE(field_at(json->root(), "l[name=z].on").exists());
  EXPECT_FALSE(field_at(json->root(), "a.x").exists());
}

TEST(ManagedFieldsTest, TheSameOwnershipIsTheSameLeaves) {
  const std::string first = entry("heron", "Update", R"({"f:spec":{"f:a":{}}})");
  const std::string other = entry("heron", "Update", R"({"f:spec":{"f:b":{}}})");
  const std::string second = entry("egret", "Update", R"({"f:spec":{"f:c":{}}})");
  const auto list = [](const Json& json) { return at(json.root(), "metadata.managedFields"); };
  const Json one = object_with(first + "," + second);
  EXPECT_TRUE(same_ownership(list(one), list(object_with(second + "," + first))));
  EXPECT_FALSE(same_ownership(list(one), list(object_with(other + "," + second))));
  EXPECT_FALSE(same_ownership(list(one), list(object_with(first))));
}

// Finalizers were put there by a webhook during our own request: applied without them they would be taken away.
TEST(ManagedFieldsTest, FinalizersAreNobodys) {
  const Json json = object_with(
      entry("heron", "Update", R"({"f:metadata":{"f:finalizers":{"v:\"keep\"":{}}},"f:spec":{"f:a":{}}})"));
  EXPECT_EQ(as_applied(json.root(), "heron"), "[" + entry("heron", "Apply", R"({"f:spec":{"f:a":{}}})") + "]");
  const Json labelled = object_with(
      entry("heron", "Update", R"({"f:metadata":{"f:finalizers":{"v:\"keep\"":{}},"f:labels":{"f:x":{}}}})"));
  EXPECT_THAT(as_applied(labelled.root(), "heron"), HasSubstr("f:labels"));
  EXPECT_THAT(as_applied(labelled.root(), "heron"), Not(HasSubstr("f:finalizers")));
}

TEST(ManagedFieldsTest, NothingButFinalizersIsNothingToTurn) {
  const std::string only = entry("heron", "Update", R"({"f:metadata":{"f:finalizers":{"v:\"keep\"":{}}}})");
  EXPECT_EQ(as_applied(object_with(only).root(), "heron"), "");
}

// Of two entries with one name and operation the server keeps the last, and the fields of the other would be
// nobody's, to stay for ever.
TEST(ManagedFieldsTest, AnUpdateBesideAnApplyBecomesOneEntry) {
  const Json json =
      object_with(entry("heron", "Apply", R"({"f:spec":{"f:a":{},"f:both":{}}})") + "," +
                  entry("heron", "Update", R"({"f:spec":{"f:b":{"f:c":{}},"f:both":{}},"f:other":{}})"));
  const base::Result<Json> made =
      Json::parse(R"({"metadata":{"managedFields":)" + as_applied(json.root(), "heron") + "}}");
  ASSERT_OK(made);
  const std::vector<FieldsEntry> entries = managed_fields(made->root());
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].operation, "Apply");
  EXPECT_THAT(entries[0].paths, ElementsAre("other", "spec.a", "spec.b.c", "spec.both"));
}

}  // namespace
}  // namespace cmb2kueue::target
