// Keys of objects: their text, their order, and that kinds of others never collide.
#include "cmb2kueue/kueue/objects.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cmb2kueue::kueue {
namespace {

Object other(const std::string& api_version, const std::string& kind, const std::string& name_space) {
  Other object;
  object.api_version = api_version;
  object.kind = kind;
  object.meta.name = "x";
  object.meta.name_space = name_space;
  return object;
}

TEST(Objects, KeysReadAsPeopleWriteThem) {
  LocalQueue local;
  local.meta.name = "l";
  local.meta.name_space = "n";
  EXPECT_EQ(to_string(key_of(local)), "LocalQueue/n/l");
  EXPECT_EQ(to_string(key_of(other("v1", "Pod", "n"))), "Pod/n/x");
  EXPECT_EQ(to_string(key_of(other("example.com/v1", "Topology", ""))), "Topology.example.com/x");
}

TEST(Objects, OthersOfOneNameStayApartByKindAndGroupButNotByVersion) {
  EXPECT_NE(key_of(other("a.com/v1", "T", "")), key_of(other("b.com/v1", "T", "")));
  EXPECT_NE(key_of(other("a.com/v1", "T", "")), key_of(other("a.com/v1", "U", "")));
  EXPECT_EQ(key_of(other("a.com/v1", "T", "")), key_of(other("a.com/v2", "T", "")));
}

TEST(Objects, SortByKindInOrderOfCreation) {
  std::vector<ObjectKey> keys = {{Kind::local_queue, "a", "a"}, {Kind::cluster_queue, "", "a"},
                                 {Kind::cohort, "", "z"},       {Kind::resource_flavor, "", "f"},
                                 {Kind::name_space, "", "n"},   {Kind::cohort, "", "b"}};
  std::sort(keys.begin(), keys.end());
  std::string order;
  for (const ObjectKey& key : keys) order += to_string(key) + " ";
  EXPECT_EQ(order, "Namespace/n ResourceFlavor/f Cohort/b Cohort/z ClusterQueue/a LocalQueue/a/a ");
}

TEST(Objects, EveryQuotaRowIsVisitedOnce) {
  ClusterQueue queue;
  queue.groups = {{{"cpu"}, {{"f", {{"cpu", {}, {}, {}}}}, {"g", {{"cpu", {}, {}, {}}}}}},
                  {{"pods"}, {{"h", {{"pods", {}, {}, {}}}}}}};
  std::string seen;
  for_each_quota(queue, [&](const std::string& flavor, const ResourceQuota& row) {
    seen += flavor + "/" + row.resource + " ";
  });
  EXPECT_EQ(seen, "f/cpu g/cpu h/pods ");
}

}  // namespace
}  // namespace cmb2kueue::kueue
