// Finding tenants by what people call them, and subtrees as ranges.
#include "cmb2kueue/model/tenant_model.h"

#include "support/result.h"
#include "support/tenant_builder.h"

namespace cmb2kueue::model {
namespace {

using base::ErrorKind;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Fails;
using ::testing::HasSubstr;
using testing::TenantBuilder;

Model tree() {
  TenantBuilder builder;
  builder.internal("org");
  builder.internal("east", "org");
  builder.leaf("etl", "east").id("t-1");
  builder.internal("west", "org");
  builder.leaf("etl", "west").id("t-2");
  builder.leaf("alone");
  return builder.model();
}

TEST(FindTenant, ByIdPathOrAName) {
  const Model model = tree();
  EXPECT_EQ(find_tenant(model, "t-2").value(), 4U);
  EXPECT_EQ(find_tenant(model, "/org/east/etl").value(), 2U);
  EXPECT_EQ(find_tenant(model, "alone").value(), 5U);
}

TEST(FindTenant, AnAmbiguousNameListsThePaths) {
  EXPECT_THAT(find_tenant(tree(), "etl").status(),
              Fails(ErrorKind::usage,
                    AllOf(HasSubstr("2 tenants have the name"), HasSubstr("/org/east/etl, /org/west/etl"))));
}

TEST(FindTenant, ASlipIsRecognised) {
  EXPECT_THAT(find_tenant(tree(), "alnoe").status(),
              Fails(ErrorKind::not_found, HasSubstr("did you mean \"alone\"")));
  EXPECT_THAT(find_tenant(tree(), "/org/east/elt").status(),
              Fails(ErrorKind::not_found, HasSubstr("did you mean \"/org/east/etl\"")));
}

TEST(Subtrees, AreRanges) {
  const Model model = tree();
  EXPECT_EQ(subtree_end(model, 0), 5U);
  EXPECT_EQ(subtree_end(model, 1), 3U);
  EXPECT_EQ(subtree_end(model, 5), 6U);
  EXPECT_THAT(leaves_below(model, 0), ElementsAre(2U, 4U));
  EXPECT_THAT(leaves_below(model, 4), ElementsAre(4U));
}

}  // namespace
}  // namespace cmb2kueue::model
