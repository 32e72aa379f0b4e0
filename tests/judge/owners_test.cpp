// Fields of others (scenario 26): shown with manager, time and values, never taken without a name, taken whole when
// named, and given back as they were, to the owners (scenario 34).
#include <gmock/gmock.h>

#include "lab.h"
#include "managed_fields.h"

namespace cmb2kueue::judge {
namespace {

using base::ErrorKind;
using ::testing::AllOf;
using testing::Fails;
using ::testing::HasSubstr;

class Owners : public Lab {
 protected:
  void SetUp() override {
    Lab::SetUp();
    // A queue of the tenant's name, made by hand: with a flavor and an annotation the tenant will not have.
    const std::string body =
        R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"a-object",)"
        R"("annotations":{"team.example.com/contact":"desk 4"}},"spec":{"namespaceSelector":{},"queueingStrategy":)"
        R"("StrictFIFO","resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"handmade","resources":)"
        R"([{"name":"cpu","nominalQuota":"7"}]}]}]}})";
    const target::ApiAnswer made =
        send("POST", std::string(kueue_path) + "/clusterqueues?fieldManager=kubectl-edit", body);
    ASSERT_TRUE(made.ok()) << made.message;
  }
  // Who owns what outside the status, with the times: "manager operation time path path".
  std::string ownership() {
    const target::Json live = get(cluster_queue("a"));
    std::string all;
    for (const target::FieldsEntry& entry : target::managed_fields(live.root())) {
      if (!entry.subresource.empty()) continue;
      all += entry.manager + " " + entry.operation + " " + entry.time;
      for (const std::string& path : entry.paths) all += " " + path;
      all += "\n";
    }
    return all;
  }
  static target::OpenOptions taking(const std::string& manager) {
    target::OpenOptions options;
    options.take_over = {manager};
    return options;
  }
};

TEST_F(Owners, AreNamedAndNothingIsTakenFromThem) {
  Bench there = bench();
  const std::string before = everything();
  EXPECT_THAT(there.place->cut_over("a", true).status(),
              Fails(ErrorKind::conflict, AllOf(HasSubstr("kubectl-edit since 20"), HasSubstr("spec.resourceGroups"),
                                               HasSubstr("ClusterQueue/a-object"))));
  EXPECT_EQ(everything(), before);
  EXPECT_THAT(bench(taking("somebody-else")).place->cut_over("a", true).status(),
              Fails(ErrorKind::conflict, HasSubstr("kubectl-edit")));
}

TEST_F(Owners, GiveUpEverythingWhenTakenOverAndGetItBackExactly) {
  const std::string before = everything();
  const std::string owned = ownership();
  for (int round = 0; round < 2; ++round) {
    Bench there = bench(taking("kubectl-edit"));
    ASSERT_OK(there.place->cut_over("a", true));
    const std::string live = get(cluster_queue("a")).root().exists() ? everything() : "";
    EXPECT_EQ(live.find("handmade"), std::string::npos) << "fields that are not wanted vanish";
    EXPECT_EQ(live.find("desk 4"), std::string::npos);
    EXPECT_EQ(ownership().find("kubectl-edit"), std::string::npos);
    ASSERT_OK(there.place->roll_back("a"));
    EXPECT_EQ(everything(), before);
    EXPECT_EQ(ownership(), owned) << "the owners, too, are who they were";
  }
}

// A conflict of the server's own: with one field in somebody else's hands since we wrote it.
TEST_F(Owners, AFieldTakenFromUsIsNamedWithBothValues) {
  Wire* wire = nullptr;
  const std::unique_ptr<target::KubeTarget> target = open(wire, {});
  kueue::Cohort cohort;
  cohort.meta.name = "contested";
  cohort.weight = base::Quantity::of(2, base::Unit::one);
  const base::Result<std::string> first = target->put({"shared/contested", {cohort}}, "");
  ASSERT_OK(first);
  edit(std::string(kueue_path) + "/cohorts/contested", R"({"spec":{"fairSharing":{"weight":"5"}}})");
  const base::Result<target::Image> now = target->capture({"shared/contested", target::keys_of({cohort})});
  ASSERT_OK(now);
  cohort.weight = base::Quantity::of(3, base::Unit::one);
  EXPECT_THAT(target->put({"shared/contested", {cohort}}, now->version).status(),
              Fails(ErrorKind::conflict, AllOf(HasSubstr("spec.fairSharing.weight belongs to kubectl-edit"),
                                               HasSubstr("there \"5\", wanted \"3\""))));
  EXPECT_EQ(field(std::string(kueue_path) + "/cohorts/contested", "spec.fairSharing.weight"), "5");
}

}  // namespace
}  // namespace cmb2kueue::judge
