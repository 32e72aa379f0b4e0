// The manual names every verb, option, exit code and rule id there is.
#include <gtest/gtest.h>

#include <algorithm>

#include "cmb2kueue/cli/cli.h"
#include "support/files.h"

namespace cmb2kueue::cli {
namespace {

// A page without the backslashes in front of dashes.
std::string page(const std::string& name) {
  std::string text = testing::read_file(testing::project_path("man/" + name));
  std::erase(text, '\\');
  return text;
}

TEST(Manual, HasAPageForEveryVerbWithItsOptions) {
  const std::string overview = page("cmb2kueue.1");
  for (const VerbInfo& verb : verbs()) {
    const std::string text = page("cmb2kueue-" + std::string(verb.name) + ".1");
    EXPECT_NE(overview.find(".It Ic " + std::string(verb.name)), std::string::npos) << verb.name;
    for (const std::string_view option : verb.options)
      EXPECT_NE(text.find("Fl " + std::string(option.substr(1))), std::string::npos) << verb.name << " " << option;
  }
}

TEST(Manual, NamesEveryOptionExitCodeAndRule) {
  const std::string overview = page("cmb2kueue.1");
  for (const OptionInfo& option : options())
    EXPECT_NE(overview.find("Fl " + std::string(option.name.substr(1))), std::string::npos) << option.name;
  for (const ExitCode& code : exit_codes())
    EXPECT_NE(overview.find(".It " + std::to_string(code.code) + "\n"), std::string::npos) << code.code;
  for (const RuleInfo& rule : all_rules())
    EXPECT_NE(overview.find(".It " + std::string(rule.id) + " "), std::string::npos) << rule.id;
}

}  // namespace
}  // namespace cmb2kueue::cli
