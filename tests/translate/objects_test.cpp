// What the objects say: groups and rows, presets, labels, namespaces, order of creation.
#include "cmb2kueue/kueue/objects.h"

#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using testing::TenantBuilder;

TenantBuilder small_tree() {
  TenantBuilder tree;
  tree.internal("org").reserve({{"cpu", 50}, {"memoryMB", 2048}});
  tree.leaf("Nightly Load", "org").id("t-7").reserve({{"cpu", 4}}, 5);
  tree.leaf("free", "org");
  tree.shared("pool", {{"cpu", 100}});
  return tree;
}

mapping::Mapping lend_mapping() {
  mapping::Mapping mapping = plain_mapping();
  mapping.preset = mapping::Preset::lend;
  return mapping;
}

TEST(Objects, UnderParityNothingIsLentAndNothingPreempted) {
  const Translated run(small_tree().model());
  EXPECT_EQ(row(run.queue("t-7"), "default", "cpu"), "20/-/0");
  EXPECT_EQ(row(run.cohort("org"), "default", "cpu"), "30/-/0");
  EXPECT_EQ(row(run.cohort(""), "default", "cpu"), "100/-/-");
  const kueue::ClusterQueue queue = run.queue("t-7");
  EXPECT_EQ(queue.reclaim_within_cohort, "Never");
  EXPECT_EQ(queue.within_cluster_queue, "Never");
  EXPECT_EQ(queue.borrow_within_cohort, "Never");
}

TEST(Objects, UnderLendReservationsAreLentAndComeBack) {
  const Translated run(small_tree().model(), lend_mapping());
  EXPECT_EQ(row(run.queue("t-7"), "default", "cpu"), "20/-/-");
  EXPECT_EQ(row(run.cohort("org"), "default", "memory"), "2Gi/-/-");
  EXPECT_EQ(run.queue("free").reclaim_within_cohort, "Any");
  EXPECT_EQ(run.queue("free").within_cluster_queue, "LowerPriority");
}

TEST(Objects, ALeafListsEveryResourceOfItsFlavorsAtZeroToo) {
  TenantBuilder tree = small_tree();
  mapping::Mapping mapping = plain_mapping();
  mapping.flavors.emplace_back().name = "spare";
  mapping.rules[0].flavors = {"spare", "default"};
  const Translated run(tree.model(), mapping);
  const kueue::ClusterQueue queue = run.queue("free");
  ASSERT_THAT(queue.groups, SizeIs(1));
  EXPECT_THAT(queue.groups[0].covered,
              ElementsAre("cpu", "memory", "ephemeral-storage", "titus/network", "nvidia.com/gpu"));
  ASSERT_THAT(queue.groups[0].flavors, SizeIs(2));
  EXPECT_EQ(queue.groups[0].flavors[0].flavor, "spare");  // the order of the rule
  for (const kueue::FlavorQuotas& flavor : queue.groups[0].flavors)
    for (std::size_t i = 0; i < queue.groups[0].covered.size(); ++i) {
      EXPECT_EQ(flavor.resources.at(i).resource, queue.groups[0].covered[i]);
      EXPECT_TRUE(flavor.resources[i].nominal.is_zero());
    }
  EXPECT_EQ(row(run.queue("t-7"), "spare", "cpu"), "20/-/0");  // the first carries the reservation
  EXPECT_EQ(row(run.queue("t-7"), "default", "cpu"), "0/-/0");
}

TEST(Objects, UnitsAreThoseOfTheSource) {
  TenantBuilder tree;
  tree.leaf("a").reserve({{"cpu", 3}, {"memoryMB", 1536}, {"diskMB", 10}, {"networkMbps", 128}, {"gpu", 2}});
  const kueue::ClusterQueue queue = Translated(tree.model()).queue("a");
  EXPECT_EQ(row(queue, "default", "memory"), "1536Mi/-/0");
  EXPECT_EQ(row(queue, "default", "ephemeral-storage"), "10Mi/-/0");
  EXPECT_EQ(row(queue, "default", "titus/network"), "128M/-/0");
  EXPECT_EQ(row(queue, "default", "nvidia.com/gpu"), "2/-/0");
}

TEST(Objects, QueuesTryOwnQuotaInALaterFlavorBeforeBorrowing) {
  const kueue::ClusterQueue queue = Translated(small_tree().model()).queue("t-7");
  EXPECT_EQ(queue.when_can_borrow, "TryNextFlavor");
  EXPECT_EQ(queue.when_can_preempt, "TryNextFlavor");
  EXPECT_EQ(queue.queueing_strategy, "BestEffortFIFO");
  EXPECT_EQ(queue.stop_policy, "None");
}

TEST(Objects, LinkToEachOther) {
  const Translated run(small_tree().model());
  EXPECT_EQ(run.queue("t-7").cohort, run.cohort("org").meta.name);
  EXPECT_EQ(run.cohort("org").parent, run.cohort("").meta.name);
  EXPECT_EQ(run.cohort("").parent, "");
  EXPECT_TRUE(run.cohort("").meta.name.starts_with("cell-default-"));
  EXPECT_EQ(run.local_queue("t-7").cluster_queue, run.queue("t-7").meta.name);
  EXPECT_TRUE(run.queue("t-7").meta.name.starts_with("nightly-load-"));
}

TEST(Objects, SayWhoseTheyAre) {
  const Translated run(small_tree().model());
  const kueue::ClusterQueue queue = run.queue("t-7");
  EXPECT_THAT(queue.meta.labels, ElementsAre(Pair("app.kubernetes.io/managed-by", "cmb2kueue"),
                                             Pair("cmb2kueue.io/tenant", run.node("t-7").hash)));
  EXPECT_EQ(annotation(queue.meta, "tenant-id"), "t-7");
  EXPECT_EQ(annotation(queue.meta, "tenant-name"), "Nightly Load");
  EXPECT_EQ(annotation(queue.meta, "tenant-path"), "/org/Nightly Load");
  EXPECT_EQ(annotation(queue.meta, "shape"), "cpu=4,instances=5");
  EXPECT_EQ(annotation(run.local_queue("t-7").meta, "tenant-id"), "t-7");
  EXPECT_THAT(run.cohort("").meta.labels, SizeIs(1));  // the root is nobody's
}

TEST(Objects, SelectExactlyTheirNamespace) {
  const Translated run(small_tree().model());
  const kueue::ClusterQueue queue = run.queue("t-7");
  ASSERT_TRUE(queue.namespace_selector.has_value());
  EXPECT_THAT(queue.namespace_selector->match_labels, IsEmpty());
  EXPECT_THAT(queue.namespace_selector->match_expressions,
              ElementsAre(kueue::SelectorTerm{"kubernetes.io/metadata.name", "In", {"batch"}}));
  EXPECT_EQ(run.local_queue("t-7").meta.name_space, "batch");
}

std::vector<std::string> keys_of(const std::vector<kueue::Object>& objects) {
  std::vector<std::string> keys;
  for (const kueue::Object& object : objects) keys.push_back(kueue::to_string(kueue::key_of(object)));
  return keys;
}

TEST(Objects, ComeInOrderOfCreation) {
  TenantBuilder tree;
  tree.internal("org");
  tree.leaf("a", "org");
  mapping::Mapping mapping = plain_mapping();
  mapping.priorities = {{"Normal", 5, {0}}};
  mapping.namespaces.create = true;
  const Translated run(tree.model(), mapping);
  const std::string org = run.node("org").object, leaf = run.node("a").object, root = run.node("").object;
  EXPECT_THAT(keys_of(run.objects()),
              ElementsAre("Namespace/batch", "ResourceFlavor/default", "WorkloadPriorityClass/cmb-normal-0",
                          "Cohort/" + root, "Cohort/" + org, "ClusterQueue/" + leaf, "LocalQueue/batch/" + leaf));
}

TEST(Objects, ANamespaceOfItsOwnComesWithTheLeafAndSaysWhoseItIs) {
  TenantBuilder tree;
  tree.leaf("a");
  mapping::Mapping mapping = plain_mapping();
  mapping.namespaces.strategy = mapping::NamespaceStrategy::per_tenant;
  mapping.namespaces.prefix = "cmb-";
  mapping.namespaces.create = true;
  const Translated run(tree.model(), mapping);
  const std::string name = "cmb-" + run.node("a").object;
  EXPECT_THAT(keys_of(run.objects()), Contains("Namespace/" + name));
  EXPECT_EQ(run.local_queue("a").meta.name_space, name);
  for (const kueue::Object& object : run.objects())
    if (std::holds_alternative<kueue::Namespace>(object)) {
      EXPECT_THAT(kueue::meta_of(object).labels, Contains(Pair("cmb2kueue.io/tenant", run.node("a").hash)));
    }
}

TEST(Objects, OnlyTheEndStateIsMarkedAsSuch) {
  const Translated run(small_tree().model());
  for (const kueue::Object& object : run.objects(0, true))
    EXPECT_EQ(annotation(kueue::meta_of(object), "end-state"), "true");
  for (const kueue::Object& object : run.objects(0, false))
    EXPECT_EQ(annotation(kueue::meta_of(object), "end-state"), "");
}

TEST(Objects, FlavorsCarryTheMappingsLabelsTaintsAndTolerations) {
  TenantBuilder tree;
  tree.leaf("a");
  mapping::Mapping mapping = plain_mapping();
  mapping.flavors[0].node_labels = {{"pool", "reserved"}};
  mapping.flavors[0].taints = {{"gpu", "yes", "NoSchedule"}};
  mapping.flavors[0].tolerations = {{"gpu", "Equal", "yes", "NoSchedule"}};
  const Translated run(tree.model(), mapping);
  const kueue::ResourceFlavor flavor = std::get<kueue::ResourceFlavor>(run.objects()[0]);
  EXPECT_THAT(flavor.node_labels, ElementsAre(Pair("pool", "reserved")));
  EXPECT_THAT(flavor.taints, ElementsAre(kueue::Taint{"gpu", "yes", "NoSchedule"}));
  ASSERT_THAT(flavor.tolerations, SizeIs(1));
  EXPECT_EQ(flavor.tolerations[0].op, "Equal");
}

// The sum over the objects themselves, not over what they were made from.
TEST(Objects, HoldWhatWasPromised) {
  const Translated run(small_tree().model());
  std::int64_t cpu = 0;
  const auto add = [&](const std::string&, const kueue::ResourceQuota& one) {
    if (one.resource == "cpu") cpu += one.nominal.kueue_units("cpu").value();
  };
  for (const kueue::Object& object : run.objects()) {
    if (const kueue::Cohort* cohort = std::get_if<kueue::Cohort>(&object)) kueue::for_each_quota(*cohort, add);
    if (const kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object))
      kueue::for_each_quota(*queue, add);
  }
  EXPECT_EQ(cpu, 150'000);
  EXPECT_EQ(run.out().conservation[0].nominal, 150);
}

}  // namespace
}  // namespace cmb2kueue::translate
