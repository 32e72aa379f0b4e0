// The tool's manifests against those of the plain program, which shares no code of the translation with it: a
// second opinion on every quota, weight, limit, name and annotation of generated companies.
#include <gtest/gtest.h>

#include "cmb2kueue/base/process.h"
#include "generate/company.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue {
namespace {

std::string output_of(const std::vector<std::string>& words) {
  const base::Result<base::ProcessResult> result = base::run_process(words, "", 120'000);
  EXPECT_TRUE(result.ok()) << testing::describe(result.status());
  if (!result.ok()) return "";
  EXPECT_EQ(result->exit_code, 0) << words[0] << ": " << result->err;
  return result->out;
}

class Plain : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(Plain, ProgramWritesTheSameObjects) {
  const testing::ScratchFolder scratch;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    generate::Options options;
    options.tenants = 400;
    options.depth = GetParam();
    options.seed = seed;
    testing::write_file(scratch / "export.json", generate::to_text(options));
    testing::write_file(scratch / "tool.yaml", output_of({CMB2KUEUE_BINARY, "translate", "--all", "-e",
                                                          scratch / "export.json", "-m", "parity"}));
    testing::write_file(scratch / "plain.yaml", output_of({PLAIN_TRANSLATE, scratch / "export.json"}));
    const base::Result<base::ProcessResult> compared =
        base::run_process({SAME_DOCUMENTS, scratch / "tool.yaml", scratch / "plain.yaml"}, "", 120'000);
    ASSERT_OK(compared);
    EXPECT_EQ(compared->exit_code, 0) << "seed " << seed << "\n" << compared->out.substr(0, 4000);
  }
}

INSTANTIATE_TEST_SUITE_P(Depths, Plain, ::testing::Values(1U, 2U, 5U, 9U));

}  // namespace
}  // namespace cmb2kueue
