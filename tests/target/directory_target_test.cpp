// A folder of manifests: what is listed, whose it is, and that nothing is written over what is not as expected.
#include <gtest/gtest.h>

#include <filesystem>

#include "cmb2kueue/kueue/api.h"
#include "cmb2kueue/target/target.h"
#include "support/fault_file_system.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::target {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

std::string flavor_text(const std::string& name) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata:\n  name: " + name + "\n";
}

Bundle flavor_bundle(const std::string& name) {
  kueue::ResourceFlavor flavor;
  flavor.meta.name = name;
  return {"shared/flavor-" + name, {flavor}};
}

class DirectoryTargetTest : public ::testing::Test {
 protected:
  std::unique_ptr<Target> open(const std::string& cell = "") {
    return std::move(target::open({"dir", "live", "dir:live"}, cell, fs_)).value();
  }
  std::vector<Live> list(Target& target) {
    base::SourceFiles files;
    base::Result<std::vector<Live>> live = target.list(files, findings_);
    EXPECT_TRUE(live.ok());
    return live.ok() ? std::move(live).value() : std::vector<Live>();
  }
  // "V-TWICE error, ..." of what a list reported, other rules left out.
  std::string reported() {
    std::string all;
    for (const base::FoldedFinding& finding : findings_.sorted())
      if (finding.rule.starts_with("V-")) all += finding.rule + " " + to_string(finding.severity) + ", ";
    return all;
  }
  base::MemoryFileSystem fs_;
  base::Findings findings_;
};

TEST_F(DirectoryTargetTest, ListsEveryManifestSortedAndSaysWhichBundlesAreOurs) {
  fs_.files["live/shared/flavor-b.yaml"] = flavor_text("b");
  fs_.files["live/team/f.yml"] = flavor_text("c") + "---\n" + flavor_text("a");
  fs_.files["live/x.json"] = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"}}";
  fs_.files["live/notes.txt"] = "kind: Nothing";
  const std::unique_ptr<Target> target = open();
  const std::vector<Live> live = list(*target);
  ASSERT_EQ(live.size(), 4U);
  EXPECT_EQ(to_string(kueue::key_of(live[0].object)), "ResourceFlavor/a");
  EXPECT_EQ(live[0].bundle, "");
  EXPECT_EQ(live[0].where, "live/team/f.yml");
  EXPECT_EQ(live[1].bundle, "shared/flavor-b");
  EXPECT_EQ(live[1].version, version_of(flavor_text("b")));
  EXPECT_EQ(kueue::meta_of(live[3].object).name, "m");
}

TEST_F(DirectoryTargetTest, RecordsAndGitAreNotManifests) {
  fs_.files["live/.cmb2kueue/state.json"] = "{}";
  fs_.files["live/atlantic/.cmb2kueue/x.yaml"] = flavor_text("a");
  fs_.files["live/.git/x.yaml"] = flavor_text("a");
  const std::unique_ptr<Target> target = open();
  EXPECT_TRUE(list(*target).empty());
  EXPECT_EQ(reported(), "");
}

TEST_F(DirectoryTargetTest, OnlyFilesDirectlyInOurFoldersAreOurs) {
  fs_.files["live/shared/deeper/f.yaml"] = flavor_text("a");
  fs_.files["live/tenants/f.yml"] = flavor_text("b");
  const std::unique_ptr<Target> target = open();
  for (const Live& one : list(*target)) EXPECT_EQ(one.bundle, "") << one.where;
}

TEST_F(DirectoryTargetTest, OfSeveralCellsEachHasAFolderOfItsOwn) {
  fs_.files["live/pacific/shared/flavor-a.yaml"] = flavor_text("a");
  const std::unique_ptr<Target> target = open("atlantic");
  EXPECT_TRUE(list(*target).empty());
  ASSERT_OK(target->put(flavor_bundle("a"), ""));
  EXPECT_TRUE(fs_.files.contains("live/atlantic/shared/flavor-a.yaml"));
  ASSERT_OK(target->records().create("lock", "x"));
  EXPECT_TRUE(fs_.files.contains("live/atlantic/.cmb2kueue/lock"));
}

TEST_F(DirectoryTargetTest, WhatOthersCannotSpellIsAWarningWhatWeCannotIsAnError) {
  fs_.files["live/chart/t.yaml"] = "a: {{ .Values.x }}\n";
  const std::unique_ptr<Target> target = open();
  list(*target);
  EXPECT_EQ(reported(), "V-UNREADABLE warning, ");
  fs_.files["live/shared/flavor-a.yaml"] = "a: [";
  findings_ = {};
  list(*target);
  EXPECT_EQ(reported(), "V-UNREADABLE error, V-UNREADABLE warning, ");
}

TEST_F(DirectoryTargetTest, AnObjectInTwoFilesIsAnErrorWhenOneOfThemIsOurs) {
  fs_.files["live/base/f.yaml"] = flavor_text("a");
  fs_.files["live/overlay/f.yaml"] = flavor_text("a");
  const std::unique_ptr<Target> target = open();
  list(*target);
  EXPECT_EQ(reported(), "V-TWICE note, ");
  fs_.files["live/shared/flavor-a.yaml"] = flavor_text("a");
  findings_ = {};
  list(*target);
  EXPECT_THAT(reported(), HasSubstr("V-TWICE error"));
}

TEST_F(DirectoryTargetTest, PutsAndRemovesLeavingNoFolderBehind) {
  const std::unique_ptr<Target> target = open();
  const base::Result<std::string> version = target->put(flavor_bundle("a"), "");
  ASSERT_OK(version);
  EXPECT_EQ(version.value(), target->version_after(flavor_bundle("a")));
  EXPECT_EQ(fs_.files.at("live/shared/flavor-a.yaml"), kueue::to_yaml(flavor_bundle("a").objects));
  const base::Result<std::string> gone = target->put({"shared/flavor-a", {}}, version.value());
  ASSERT_OK(gone);
  EXPECT_EQ(gone.value(), "");
  EXPECT_TRUE(fs_.files.empty());
  ASSERT_OK(target->put({"shared/flavor-a", {}}, ""));  // again is harmless
}

TEST_F(DirectoryTargetTest, WritesNothingOverWhatIsNotAsExpected) {
  const std::unique_ptr<Target> target = open();
  fs_.files["live/shared/flavor-a.yaml"] = "theirs";
  EXPECT_THAT(target->put(flavor_bundle("a"), "").status(),
              Fails(ErrorKind::conflict, HasSubstr("exists already")));
  EXPECT_THAT(target->put(flavor_bundle("a"), version_of("older")).status(),
              Fails(ErrorKind::conflict, HasSubstr("was changed by somebody else")));
  EXPECT_THAT(target->put({"shared/flavor-a", {}}, "").status(), Fails(ErrorKind::conflict, HasSubstr("exists")));
  EXPECT_EQ(fs_.files.at("live/shared/flavor-a.yaml"), "theirs");
  EXPECT_THAT(target->put(flavor_bundle("b"), version_of("was there")).status(),
              Fails(ErrorKind::conflict, HasSubstr("is gone")));
  EXPECT_FALSE(fs_.files.contains("live/shared/flavor-b.yaml"));
}

TEST_F(DirectoryTargetTest, RestoresToTheByteAnEmptyFileToo) {
  const std::unique_ptr<Target> target = open();
  for (const std::string& bytes : {std::string("# mine\n\tkind"), std::string()}) {
    fs_.files["live/tenants/x.yaml"] = bytes;
    const base::Result<Image> image = target->capture("tenants/x");
    ASSERT_OK(image);
    EXPECT_TRUE(image->existed);
    EXPECT_NE(image->version, "");
    const base::Result<std::string> version =
        target->put({"tenants/x", flavor_bundle("a").objects}, image->version);
    ASSERT_OK(version);
    EXPECT_THAT(target->restore(image.value(), image->version), Fails(ErrorKind::conflict, HasSubstr("changed")));
    ASSERT_OK(target->restore(image.value(), version.value()));
    EXPECT_EQ(fs_.files.at("live/tenants/x.yaml"), bytes);
  }
}

TEST_F(DirectoryTargetTest, RestoresWhatDidNotExistByRemovingIt) {
  const std::unique_ptr<Target> target = open();
  const base::Result<Image> nothing = target->capture("tenants/x");
  ASSERT_OK(nothing);
  EXPECT_FALSE(nothing->existed);
  const base::Result<std::string> version = target->put({"tenants/x", flavor_bundle("a").objects}, "");
  ASSERT_OK(version);
  ASSERT_OK(target->restore(nothing.value(), version.value()));
  EXPECT_TRUE(fs_.files.empty());
  ASSERT_OK(target->restore(nothing.value(), ""));  // again is harmless
}

TEST_F(DirectoryTargetTest, AFolderThatWillNotGoDoesNotFailTheRemoval) {
  testing::ScratchFolder scratch;
  const std::unique_ptr<base::FileSystem> real = base::real_file_system();
  const std::unique_ptr<Target> target = std::move(target::open({"dir", scratch.path(), ""}, "", *real)).value();
  const base::Result<std::string> version = target->put(flavor_bundle("a"), "");
  ASSERT_OK(version);
  testing::write_file(scratch / "shared/.x.yaml.tmp-1", "left by a killed write");
  ASSERT_OK(target->put({"shared/flavor-a", {}}, version.value()));
  EXPECT_EQ(real->kind_of(scratch / "shared/flavor-a.yaml"), "");
}

TEST_F(DirectoryTargetTest, AFolderInThePlaceOfABundleIsAConflict) {
  fs_.files["live/tenants/x.yaml/inner"] = "?";
  EXPECT_THAT(open()->capture("tenants/x").status(), Fails(ErrorKind::conflict, HasSubstr("is not a file")));
}

TEST_F(DirectoryTargetTest, AFailedWriteIsReportedAndChangesNothing) {
  testing::FaultFileSystem faulty(fs_);
  const std::unique_ptr<Target> target = std::move(target::open({"dir", "live", ""}, "", faulty)).value();
  faulty.fail_before(1);
  EXPECT_THAT(target->put(flavor_bundle("a"), "").status(), Fails(ErrorKind::io, HasSubstr("injected failure")));
  EXPECT_TRUE(fs_.files.empty());
}

TEST_F(DirectoryTargetTest, RecordsArePrivate) {
  testing::ScratchFolder scratch;
  const std::unique_ptr<base::FileSystem> real = base::real_file_system();
  const std::unique_ptr<Target> target = std::move(target::open({"dir", scratch.path(), ""}, "", *real)).value();
  ASSERT_OK(target->records().replace("before/r/x.bytes", "secret", 0644));
  namespace stdfs = std::filesystem;
  const stdfs::perms mode = stdfs::status(scratch / ".cmb2kueue/before/r/x.bytes").permissions();
  EXPECT_EQ(mode, stdfs::perms::owner_read | stdfs::perms::owner_write);
}

}  // namespace
}  // namespace cmb2kueue::target
