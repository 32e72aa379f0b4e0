// Names are for ever: literal names are pinned here, computed independently with sha256sum and base32.
#include "cmb2kueue/mapping/naming.h"

#include <gtest/gtest.h>

#include <set>

#include "support/result.h"

namespace cmb2kueue::mapping {
namespace {

// printf '%s' ID | sha256sum | xxd -r -p | base32 | tr A-Z a-z | cut -c1-12
TEST(Naming, PinnedNames) {
  EXPECT_EQ(tenant_hash("tenant-0001"), "jqpkuw3otwut");
  EXPECT_EQ(object_name("Search Ranking", "tenant-0001"), "search-ranking-jqpkuw3otwut");
  EXPECT_EQ(root_name("west"), "cell-west-fki5g7tha27z");
  EXPECT_EQ(priority_class_name("BestEffort", 100), "cmb-besteffort-100");
}

TEST(Naming, NamesAreLegalAndDifferForEveryId) {
  std::set<std::string> names;
  const std::vector<std::string> displays = {"A_b", "a-b", "", "日本語", "on", "1e3", std::string(300, 'x'),
                                             "--",  "Ünï"};
  for (int i = 0; i < 20000; ++i) {
    const std::string& display = displays[static_cast<std::size_t>(i) % displays.size()];
    const std::string name = object_name(display, "id-" + std::to_string(i));
    ASSERT_OK(check_label(name));
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 20000U);
  EXPECT_TRUE(object_name("", "x").starts_with("t-"));
}

TEST(Naming, IllegalNamesSayWhatIsWrong) {
  using base::ErrorKind;
  using ::testing::HasSubstr;
  EXPECT_THAT(check_label("a_b"), testing::Fails(ErrorKind::input, HasSubstr("the character \"_\"")));
  EXPECT_THAT(check_label(std::string(64, 'a')), testing::Fails(ErrorKind::input, HasSubstr("63")));
  EXPECT_THAT(check_label("-a"), testing::Fails(ErrorKind::input, HasSubstr("dash")));
  EXPECT_THAT(check_label(""), testing::Fails(ErrorKind::input, HasSubstr("empty")));
  EXPECT_THAT(check_subdomain("a..b"), testing::Fails(ErrorKind::input, HasSubstr("empty")));
  EXPECT_TRUE(check_subdomain("a.b-c.d").ok());
}

}  // namespace
}  // namespace cmb2kueue::mapping
