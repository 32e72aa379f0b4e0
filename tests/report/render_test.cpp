// One report with every kind of block, in every format, against goldens; and what JSON promises to scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/report/documents.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Render : public ::testing::Test {
 protected:
  Render() : file_(files_.add("export.json", "{\n  \"a\": 1\n}\n")) {}

  Report everything() {
    Report report{"SampleReport", "Sample", {}};
    report.blocks.emplace_back(
        Facts{"facts", "Facts", {{"name", "the name", "an \"orchard\""}, {"count", "how many", "12", true}}});
    Table table{"rows", "Rows", {{"tenant", "tenant"}, {"cpu", "cpu", true}}, {}, 2, "a note"};
    table.rows = {{"Bäume", "3"}, {"a|b\tc", "1200"}, {"c", "5"}, {"d", ""}, {"hidden from people", ""}};
    report.blocks.emplace_back(std::move(table));
    report.blocks.emplace_back(
        Tree{"tree", "Tree", {"reserved"}, {{0, "root", {"4"}}, {1, "leaf", {""}}, {1, "second leaf", {"2"}}}, 2});
    report.blocks.emplace_back(Text{"text", "Text", "two\nlines", true});
    report.blocks.emplace_back(FindingList{"findings", findings().sorted()});
    report.blocks.emplace_back(Next{"next", {"do this", "or that"}});
    return report;
  }
  base::Findings findings() {
    base::Findings all;
    all.add({"N-ONE", base::Severity::note, "worth knowing", "", "z", "", {}});
    for (const char* tenant : {"a", "b", "c", "d"})
      all.add({"E-TWO", base::Severity::error, "wrong", "mend it", tenant, "field", {file_, 4}});
    return all;
  }
  std::string rendered(const Report& report, std::string_view format, Style style = {}) {
    const base::Result<std::string> text = render(report, files_, format, style);
    EXPECT_TRUE(text.ok());
    return text.ok() ? text.value() : "";
  }

  base::SourceFiles files_;
  std::uint32_t file_;
};

TEST_F(Render, EveryFormatIsAsInItsGolden) {
  for (const Format& format : formats())
    testing::expect_golden("tests/report/goldens/everything." + std::string(format.name) + ".txt",
                           rendered(everything(), format.name));
}

TEST_F(Render, JsonAndYamlAreTheSameDocument) {
  base::SourceFiles files;
  const auto tree = [&](std::string_view format) {
    base::Result<doc::Document> document =
        doc::parse_one(files, files.add(std::string(format), rendered(everything(), format)));
    EXPECT_TRUE(document.ok()) << testing::describe(document.status());
    std::string out;
    doc::JsonSink sink(out);
    doc::copy(document.value().root(), sink);
    return out;
  };
  EXPECT_EQ(tree("json"), tree("yaml"));
}

TEST_F(Render, PeopleSeeTheFirstRowsAndScriptsAll) {
  EXPECT_THAT(rendered(everything(), "text"), AllOf(Not(HasSubstr("hidden from people")), HasSubstr("and 3 more")));
  EXPECT_THAT(rendered(everything(), "json"), HasSubstr("hidden from people"));
}

TEST_F(Render, ControlCharactersReachNoTerminal) {
  Report report{"X", "", {}};
  report.blocks.emplace_back(Facts{"f", "", {{"v", "v", "a\033[31mb\rc"}}});
  EXPECT_THAT(rendered(report, "text"), AllOf(Not(HasSubstr("\033")), Not(HasSubstr("\r"))));
  EXPECT_THAT(rendered(report, "json"), HasSubstr("\\u001b"));
}

TEST_F(Render, ColourIsTheStylesDecision) {
  EXPECT_THAT(rendered(everything(), "text", {true, 100, 3}), HasSubstr("\033[31m"));
  EXPECT_THAT(rendered(everything(), "text"), Not(HasSubstr("\033")));
}

TEST_F(Render, AnUnknownFormatIsRefusedWithTheNearest) {
  EXPECT_THAT(render(everything(), files_, "jsno", {}).status(),
              testing::Fails(base::ErrorKind::usage, HasSubstr("did you mean \"json\"?")));
}

TEST_F(Render, AFailureSaysWhereWhatAndWhatToDo) {
  const base::Status status(base::ErrorKind::input, "the value is wrong", "write another", {file_, 4});
  EXPECT_EQ(describe(status, files_), "error: export.json:2:3: the value is wrong\n  write another\n");
  EXPECT_EQ(describe(base::Status(base::ErrorKind::io, "no room"), files_), "error: no room\n");
}

Table numbers(const std::string& row, const std::string& note) {
  return {"t", "T", {{"what", "what"}, {"n", "n", true}}, {{row, "1"}}, 0, note};
}

TEST(OverCells, OneTableStaysAsItIs) {
  const Table one = over_cells({{"", numbers("a", "x")}});
  EXPECT_EQ(one.columns.size(), 2U);
  EXPECT_EQ(one.note, "x");
}

TEST(OverCells, SeveralSayTheirCell) {
  const Table both = over_cells({{"east", numbers("a", "same")}, {"west", numbers("b", "same")}});
  EXPECT_EQ(both.columns.front().id, "cell");
  EXPECT_EQ(both.rows, (std::vector<std::vector<std::string>>{{"east", "a", "1"}, {"west", "b", "1"}}));
  EXPECT_EQ(both.note, "same");
}

TEST(OverCells, RowsThatSayTheirCellAreLeftAlone) {
  Table table{"t", "T", {{"cell", "cell"}}, {{"east"}}, 0, ""};
  const Table both = over_cells({{"east", table}, {"west", table}});
  EXPECT_EQ(both.columns.size(), 1U);
  EXPECT_EQ(both.rows.size(), 2U);
}

TEST(OverCells, NotesThatDifferAreToldForEach) {
  EXPECT_EQ(over_cells({{"east", numbers("a", "full")}, {"west", numbers("b", "")}}).note, "east: full");
}

}  // namespace
}  // namespace cmb2kueue::report
