// Priority classes: order inside a tenant is never reversed, whatever bases and buckets say.
#include "priorities.h"

#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using testing::TenantBuilder;

std::vector<std::pair<std::string, std::int64_t>> values(const mapping::Mapping& mapping) {
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const kueue::WorkloadPriorityClass& one : priority_classes(mapping))
    found.emplace_back(one.meta.name, one.value);
  return found;
}

mapping::Mapping with(std::vector<mapping::PriorityClass> classes) {
  mapping::Mapping mapping = plain_mapping();
  mapping.priorities = std::move(classes);
  return mapping;
}

model::Model one_leaf() {
  TenantBuilder tree;
  tree.leaf("a");
  return tree.model();
}

TEST(Priorities, OneClassABucketAtBasePlusItsNumber) {
  const mapping::Mapping mapping = with({{"BestEffort", 10, {0, 100, UINT32_MAX}}, {"Critical", 20, {0}}});
  EXPECT_THAT(values(mapping), ElementsAre(Pair("cmb-besteffort-0", 10), Pair("cmb-besteffort-100", 11),
                                           Pair("cmb-besteffort-4294967295", 12), Pair("cmb-critical-0", 20)));
  EXPECT_THAT(priority_shifts(mapping), IsEmpty());
}

TEST(Priorities, AClassThatOthersReachIsMovedUpAndSaidSo) {
  const mapping::Mapping mapping =
      with({{"BestEffort", 1, {0, 1, 2}}, {"Normal", 2, {0, 1}}, {"Preferred", 9, {0}}, {"Critical", 10, {0}}});
  EXPECT_THAT(values(mapping),
              ElementsAre(Pair("cmb-besteffort-0", 1), Pair("cmb-besteffort-1", 2), Pair("cmb-besteffort-2", 3),
                          Pair("cmb-normal-0", 4), Pair("cmb-normal-1", 5), Pair("cmb-preferred-0", 9),
                          Pair("cmb-critical-0", 10)));
  const Translated run(one_leaf(), mapping);
  EXPECT_THAT(run.said("T-PRIORITY-SHIFTED"),
              ElementsAre("warning : the classes before \"Normal\" reach its base; it starts at 4, not at 2"));
  EXPECT_THAT(run.ledger(), Contains(HasSubstr("J-18 priorities * ")));
}

TEST(Priorities, ValuesEndAt32BitsAndTieThere) {
  const mapping::Mapping mapping = with({{"Critical", INT32_MAX - 1, {0, 1, 2, 3}}});
  EXPECT_THAT(values(mapping), ElementsAre(Pair("cmb-critical-0", INT32_MAX - 1), Pair("cmb-critical-1", INT32_MAX),
                                           Pair("cmb-critical-2", INT32_MAX), Pair("cmb-critical-3", INT32_MAX)));
  EXPECT_THAT(Translated(one_leaf(), mapping).said("T-PRIORITY-SHIFTED"),
              ElementsAre(HasSubstr("its upper buckets all have 2147483647")));
}

TEST(Priorities, TheOrderIsCmbs) {
  const Translated run(
      one_leaf(), with({{"Critical", 1, {0}}, {"Preferred", 2, {0}}, {"Normal", 3, {0}}, {"BestEffort", 4, {0}}}));
  EXPECT_THAT(run.said("T-PRIORITY-REVERSED"), SizeIs(3));
  EXPECT_THAT(run.said("T-PRIORITY-REVERSED")[0], HasSubstr("CMB below it"));
  model::Model model = one_leaf();
  model.priorities.class_base = {{"Critical", 1}, {"Preferred", 2}, {"Normal", 3}, {"BestEffort", 4}};
  EXPECT_THAT(Translated(model, with({{"Critical", 1, {0}}, {"BestEffort", 4, {0}}})).said("T-PRIORITY-REVERSED"),
              IsEmpty());
}

TEST(Priorities, AClassTheMappingLacksIsSaidToBeMissing) {
  const Translated run(one_leaf(), with({{"Normal", 1, {0}}, {"Preferred", 2, {0}}, {"Critical", 3, {0}}}));
  EXPECT_THAT(run.said("T-PRIORITY-MISSING"),
              ElementsAre("warning : the mapping has no priority class for \"BestEffort\""));
  EXPECT_THAT(Translated(one_leaf()).said("T-PRIORITY-MISSING"), IsEmpty());
}

TEST(Priorities, NamesDoNotClash) {
  EXPECT_THAT(Translated(one_leaf(), with({{"a b", 1, {0}}, {"A-b", 2, {0}}})).said("T-NAME-CLASH"),
              ElementsAre("error : two priority classes would have the name \"cmb-a-b-0\""));
}

}  // namespace
}  // namespace cmb2kueue::translate
