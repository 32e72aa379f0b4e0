// Names differ, pins are honoured and checked, every leaf has a namespace.
#include "cmb2kueue/mapping/naming.h"
#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TenantBuilder;

TEST(Names, APinnedNameStandsWhateverTheDisplayNameIs) {
  TenantBuilder tree;
  tree.leaf("Old Name").id("t-1");
  mapping::Mapping mapping = plain_mapping();
  mapping.pinned_names = {{"t-1", "billing"}};
  const Translated run(tree.model(), mapping);
  EXPECT_EQ(run.queue("t-1").meta.name, "billing");
  EXPECT_EQ(run.local_queue("t-1").meta.name, "billing");
}

TEST(Names, APinForNobodyIsAWarning) {
  TenantBuilder tree;
  tree.leaf("a");
  mapping::Mapping mapping = plain_mapping();
  mapping.pinned_names = {{"gone", "billing"}};
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-NAME-UNKNOWN"),
              ElementsAre("warning : a name is pinned for \"gone\", which is not in the export"));
}

TEST(Names, ClashesNameBothTenants) {
  TenantBuilder tree;
  tree.leaf("a").leaf("b").leaf("c");
  mapping::Mapping mapping = plain_mapping();
  mapping.pinned_names = {{"b", mapping::object_name("a", "a")}, {"c", mapping::root_name("default")}};
  const std::vector<std::string> said = Translated(tree.model(), mapping).said("T-NAME-CLASH");
  EXPECT_THAT(said, ElementsAre(HasSubstr("error /b: the object name \"a-"),
                                HasSubstr("error /c: the object name \"cell-")));
  EXPECT_THAT(said[0], HasSubstr("is also that of /a"));
  EXPECT_THAT(said[1], HasSubstr("is also that of a cell's root"));
}

TEST(Names, TheSameDisplayNameTwiceIsNoClash) {
  TenantBuilder tree;
  tree.internal("east").leaf("etl", "east").id("t-1").internal("west").leaf("etl", "west").id("t-2");
  const Translated run(tree.model());
  EXPECT_THAT(run.said("T-NAME-CLASH"), IsEmpty());
  EXPECT_NE(run.node("t-1").object, run.node("t-2").object);
}

TEST(Names, CutNamespacesThatMeetAreAClash) {
  TenantBuilder tree;
  tree.leaf("a").leaf("b");
  mapping::Mapping mapping = plain_mapping();
  mapping.namespaces.strategy = mapping::NamespaceStrategy::per_tenant;
  mapping.namespaces.prefix = "some-quite-long-prefix-for-namespaces-";
  const std::string start(25, 'x'), end = "-same-ending-0123";
  mapping.pinned_names = {{"a", start + "aaaa" + end}, {"b", start + "bbbb" + end}};
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-NAME-CLASH"),
              ElementsAre(HasSubstr("error /b: the namespace name \"some-quite-long-prefix")));
}

TEST(Names, ALeafWithoutANamespaceIsAnError) {
  TenantBuilder tree;
  tree.internal("org").leaf("a", "org").leaf("b");
  mapping::Mapping mapping = plain_mapping();
  mapping.namespaces.strategy = mapping::NamespaceStrategy::mapped;
  mapping.namespaces.mapped = {{"/org/**", "org-batch"}};
  const Translated run(tree.model(), mapping);
  EXPECT_THAT(run.said("T-NO-NAMESPACE"), ElementsAre("error /b: no pattern of namespaces.map matches the tenant"));
  EXPECT_EQ(run.local_queue("a").meta.name_space, "org-batch");
}

TEST(Names, TenThousandNamespacesAreAWarning) {
  TenantBuilder tree;
  for (int i = 0; i <= 10'000; ++i) tree.leaf("t" + std::to_string(i));
  mapping::Mapping mapping = plain_mapping();
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-NAMESPACES-MANY"), IsEmpty());
  mapping.namespaces.strategy = mapping::NamespaceStrategy::per_tenant;
  EXPECT_THAT(Translated(tree.model(), mapping).said("T-NAMESPACES-MANY"),
              ElementsAre("warning : there would be 10001 namespaces"));
}

}  // namespace
}  // namespace cmb2kueue::translate
