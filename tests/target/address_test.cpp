// Addresses of targets: what is understood, and what a slip is told.
#include <gtest/gtest.h>

#include "cmb2kueue/target/target.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

TEST(Address, NamesAKindAndAPlace) {
  const base::Result<Address> dir = parse_address("dir:clusters/atlantic//");
  ASSERT_OK(dir);
  EXPECT_EQ(dir->kind, "dir");
  EXPECT_EQ(dir->rest, "clusters/atlantic");
  EXPECT_EQ(dir->text, "dir:clusters/atlantic//");
  EXPECT_EQ(parse_address("dir:/").value().rest, "/");
  EXPECT_EQ(parse_address("dir:a:b=c").value().rest, "a:b=c");
  EXPECT_EQ(parse_address("mem:").value().kind, "mem");
  EXPECT_EQ(parse_address("kube:arn:aws:eks/prod/").value().rest, "arn:aws:eks/prod/");
  EXPECT_EQ(parse_address("kube:").value().rest, "");  // the current context, for verbs that read
}

TEST(Address, SlipsAreToldWhatToWrite) {
  EXPECT_THAT(parse_address("live").status(), Fails(ErrorKind::usage, HasSubstr("is not the address of a target")));
  EXPECT_EQ(parse_address("live").status().advice(), "write dir:PATH or kube:CONTEXT, for example dir:live");
  EXPECT_THAT(parse_address("dir:").status(), Fails(ErrorKind::usage, HasSubstr("names no place")));
  EXPECT_THAT(parse_address("dri:live").status(), Fails(ErrorKind::usage, HasSubstr("did you mean \"dir\"?")));
}

TEST(Address, EveryKindInTheTableIsUnderstoodAndSaysWhatItCannotSee) {
  for (const TargetKind& row : target_kinds()) {
    const base::Result<Address> address = parse_address(std::string(row.kind) + ":x");
    ASSERT_OK(address);
    EXPECT_TRUE(row.form.starts_with(row.kind));
    // A cluster is looked at; everything else says what it cannot see.
    EXPECT_EQ(not_observed(address.value()).size(), row.kind == "kube" ? 0U : 3U) << row.kind;
  }
}

TEST(Open, RefusesAFileAndTakesAFolderThatIsNotThereYet) {
  base::MemoryFileSystem fs;
  fs.files["plain"] = "x";
  EXPECT_THAT(open({"dir", "plain", "dir:plain"}, "", fs).status(),
              Fails(ErrorKind::io, HasSubstr("\"plain\" is not a folder")));
  const base::Result<std::unique_ptr<Target>> fresh = open({"dir", "new", "dir:new"}, "", fs);
  ASSERT_OK(fresh);
  base::SourceFiles files;
  base::Findings findings;
  const base::Result<std::vector<Live>> live = fresh.value()->list(files, findings);
  ASSERT_OK(live);
  EXPECT_TRUE(live->empty());
}

}  // namespace
}  // namespace cmb2kueue::target
