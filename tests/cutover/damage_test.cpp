// Records that are damaged, lost or of another version are told from torn ones: nothing is ever thrown away that
// was acknowledged.
#include <gtest/gtest.h>

#include "journal.h"
#include "migration.h"
#include "support/fault_file_system.h"
#include "support/result.h"

namespace cmb2kueue::cutover::testing_cell {
namespace {

using base::ErrorKind;
using testing::Fails;
using ::testing::HasSubstr;

class DamageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(place_.cut_over("a", true));
    head_ = place_.state().head;
  }
  std::string file_of(std::uint64_t seq) const {
    const std::string number = std::to_string(seq);
    return records_ + "journal/" + std::string(10 - number.size(), '0') + number + ".json";
  }
  std::string& record(std::uint64_t seq) { return fs_.files[file_of(seq)]; }
  void forget_checkpoint() { fs_.files.erase(records_ + "state.json"); }
  base::Status load() { return load_state(place_.context()).status(); }
  base::MemoryFileSystem fs_;
  Place place_{fs_, "cell", How::partition};
  std::string records_ = "cell/.cmb2kueue/";
  Head head_;
};

TEST_F(DamageTest, ACheckpointThatKnowsARecordWhichIsGoneShowsTheLoss) {
  fs_.files.erase(file_of(head_.seq));
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("is missing, though state.json was made after it")));
}

TEST_F(DamageTest, ACheckpointThatKnowsAnotherRecordShowsTheEdit) {
  std::string& last = record(head_.seq);
  last.replace(last.find("\"reason\": \"\""), 12, "\"reason\": \"x\"");
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("is not the one that state.json was made after")));
  last.resize(last.size() / 2);  // torn, but acknowledged: not simply dropped
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("is not the one that state.json was made after")));
}

TEST_F(DamageTest, ARecordOfAnotherVersionIsRefusedNotReplaced) {
  forget_checkpoint();
  std::string& last = record(head_.seq);
  last.replace(last.find("journal/v1alpha1"), 16, "journal/v9      ");
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("which this version cannot read")));
}

TEST_F(DamageTest, ARecordThatMakesNoSenseIsNamedWithItsReason) {
  forget_checkpoint();
  std::string& last = record(head_.seq);
  last.replace(last.find("\"state\": \"Moved\""), 16, "\"state\": \"Moo\"  ");
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("makes no sense: \"state\" has no value \"Moo\"")));
  last = "[]";
  EXPECT_EQ(place_.state().head.seq, head_.seq - 1);  // no map at all: torn
  last = "{}";
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("is not a record")));
}

TEST_F(DamageTest, AMissingTreeIsNamed) {
  forget_checkpoint();
  std::string tree;
  for (const auto& [name, text] : fs_.files)
    if (name.find("/trees/") != std::string::npos) tree = name;
  const std::string kept = fs_.files.at(tree);
  fs_.files.erase(tree);
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("which is missing or damaged")));
  fs_.files[tree] = kept;
  ASSERT_OK(load());
}

TEST_F(DamageTest, WhatElseLiesInTheFolderIsNoRecord) {
  fs_.files[records_ + "journal/9999999999x.json"] = "{";
  fs_.files[records_ + "journal/notes.json"] = "{";
  fs_.files[records_ + "journal/old/0000000001.json"] = "{";
  EXPECT_EQ(place_.state().head.seq, head_.seq);
  ASSERT_OK(place_.roll_back("a"));
  EXPECT_TRUE(fs_.files.contains(records_ + "journal/notes.json"));
}

TEST_F(DamageTest, ATornRecordBehindAGapIsAGap) {
  forget_checkpoint();
  record(head_.seq + 2) = "{\"format\": \"cm";
  EXPECT_THAT(load(), Fails(ErrorKind::mismatch, HasSubstr("is missing")));
}

TEST_F(DamageTest, HistoryShowsTheRestWhereARecordIsUnreadable) {
  record(2) = "{\"format\": \"cm";
  const base::Result<std::vector<HistoryEntry>> entries = history(place_.context());
  ASSERT_OK(entries);
  EXPECT_EQ(entries->size(), head_.seq);
  EXPECT_EQ(entries.value()[1].phase, "unreadable");
  EXPECT_EQ(entries.value()[1].seq, 2U);
  EXPECT_EQ(entries.value()[2].verb, "cutover");
}

TEST_F(DamageTest, ADamagedSnapshotIsNotPutBack) {
  for (auto& [name, text] : fs_.files)
    if (name.find("/before/") != std::string::npos) text = "{\"bundle\": \"\"}";
  EXPECT_THAT(place_.roll_back("a").status(), Fails(ErrorKind::mismatch, HasSubstr("makes no sense")));
  EXPECT_TRUE(fs_.files.contains("cell/tenants/a-object.yaml"));
}

// A checkpoint is not written with every record: it costs as much as the whole state.
TEST(Checkpoint, IsWrittenAtTheBeginningAtTheEndAndSeldomBetween) {
  base::MemoryFileSystem fs;
  testing::FaultFileSystem faulty(fs);
  Place place(faulty, "cell", How::partition);
  ASSERT_OK(place.cut_over("a", true));
  int checkpoints = 0, records = 0;
  for (const std::string& call : faulty.calls()) {
    checkpoints += call == "replace cell/.cmb2kueue/state.json" ? 1 : 0;
    records += call.starts_with("create cell/.cmb2kueue/journal/") ? 1 : 0;
  }
  EXPECT_EQ(checkpoints, 3);  // of two runs: the first, where each ends
  EXPECT_GT(records, 15);
  EXPECT_THAT(fs.files.at("cell/.cmb2kueue/state.json"), HasSubstr("\"state\": \"Moved\""));
}

// A record's size goes with what it changes, not with how many are enrolled.
TEST(Records, DoNotGrowWithTheNumberOfTheEnrolled) {
  base::MemoryFileSystem fs;
  Place place(fs, "cell", How::partition);
  std::map<std::string, std::size_t> bytes;
  for (const char* leaf : {"b", "d", "e"}) {
    const std::uint64_t before = place.state().head.seq;
    ASSERT_OK(place.cut_over(leaf, true));
    for (const auto& [name, text] : fs.files)
      if (name.find("/journal/") != std::string::npos && std::stoull(name.substr(name.size() - 15)) > before)
        bytes[leaf] += text.size();
  }
  EXPECT_LE(bytes["d"], bytes["b"]);
  EXPECT_EQ(bytes["d"], bytes["e"]);
}

}  // namespace
}  // namespace cmb2kueue::cutover::testing_cell
