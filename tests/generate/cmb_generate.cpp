// cmb_generate --tenants N --seed S [--depth D] [--cells C] [--jobs J] [--format json|yaml|jsonl] [--shuffle SEED]:
// writes an export to standard output.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <string>

#include "generate/company.h"

namespace {

using cmb2kueue::generate::Format;
using cmb2kueue::generate::Options;

int usage(const std::string& trouble) {
  fmt::print(stderr,
             "cmb_generate: {}\nusage: cmb_generate --tenants N --seed S [--depth D] [--cells C] [--jobs J] "
             "[--format json|yaml|jsonl] [--shuffle SEED]\n",
             trouble);
  return 2;
}

bool take_number(const std::string& flag, const std::string& text, Options& options) {
  std::uint64_t value = 0;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
  const auto within = [&](std::uint32_t& into, std::uint64_t low, std::uint64_t high) {
    into = static_cast<std::uint32_t>(value);
    return value >= low && value <= high;
  };
  if (flag == "--tenants") return within(options.tenants, 1, 10'000'000);
  if (flag == "--depth") return within(options.depth, 1, 99);
  if (flag == "--cells") return within(options.cells, 1, 100);
  if (flag == "--jobs") return within(options.jobs, 0, 100'000'000);
  if (flag == "--seed") options.seed = value;
  if (flag == "--shuffle") options.shuffle = value;
  return flag == "--seed" || flag == "--shuffle";
}

}  // namespace

int main(int count, char** words) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string flag = words[i];
    if (i + 1 == count) return usage(flag + " wants a value");
    const std::string value = words[i + 1];
    if (flag == "--format" && (value == "json" || value == "yaml" || value == "jsonl"))
      options.format = value == "json" ? Format::json : value == "yaml" ? Format::yaml : Format::jsonl;
    else if (!take_number(flag, value, options))
      return usage(fmt::format("{} {} is not understood", flag, value));
  }
  cmb2kueue::generate::write(options,
                             [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
  return std::ferror(stdout) == 0 && std::fflush(stdout) == 0 ? 0 : 1;
}
