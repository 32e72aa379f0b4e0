// The table of codes is whole, in order, and every row says what to do.
#include "cmb2kueue/model/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cmb2kueue::model {
namespace {

std::vector<std::string> codes(char letter, int last) {
  std::vector<std::string> all;
  for (int i = 1; i <= last; ++i) {
    const std::string number = std::to_string(i);
    all.push_back(letter + std::string(number.size() == 1 ? "-0" : "-") + number);
  }
  return all;
}

TEST(Catalogue, HasEveryCodeOnceInOrder) {
  std::vector<std::string> wanted = codes('C', 14);
  for (const std::string& code : codes('J', 56)) wanted.push_back(code);
  for (const std::string& code : codes('A', 6)) wanted.push_back(code);
  std::vector<std::string> found;
  for (const CatalogueEntry& row : catalogue()) found.emplace_back(row.code);
  EXPECT_EQ(found, wanted);
}

TEST(Catalogue, EveryRowSaysWhatStandsForItAndWhatToDo) {
  for (const CatalogueEntry& row : catalogue()) {
    EXPECT_FALSE(row.subject.empty()) << row.code;
    EXPECT_FALSE(row.target.empty()) << row.code;
    EXPECT_FALSE(row.remedy.empty()) << row.code;
    EXPECT_EQ(row.lost.empty(), row.loss == LossClass::exact) << row.code;
  }
}

// The classes that decide what a cutover asks people to accept.
TEST(Catalogue, KnowsWhatIsLost) {
  EXPECT_EQ(find_entry("C-09")->loss, LossClass::lossy);
  EXPECT_EQ(find_entry("C-12")->loss, LossClass::emulated);
  EXPECT_EQ(find_entry("C-14")->loss, LossClass::exact);
  EXPECT_EQ(find_entry("J-19")->loss, LossClass::gap);
  EXPECT_EQ(find_entry("J-29")->loss, LossClass::exact);
  EXPECT_EQ(find_entry("A-01")->loss, LossClass::gap);
  EXPECT_EQ(find_entry("C-15"), nullptr);
  EXPECT_EQ(find_entry(""), nullptr);
}

TEST(Catalogue, ClassesHaveWords) {
  EXPECT_STREQ(to_string(LossClass::exact), "exact");
  EXPECT_STREQ(to_string(LossClass::emulated), "emulated");
  EXPECT_STREQ(to_string(LossClass::lossy), "lossy");
  EXPECT_STREQ(to_string(LossClass::gap), "gap");
}

}  // namespace
}  // namespace cmb2kueue::model
