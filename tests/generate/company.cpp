// The tree and its numbers, in two passes: parents are drawn top-down, reservations and limits grow bottom-up so
// that they always fit.
#include "generate/company.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cmb2kueue::generate {

namespace {

using Sums = std::array<std::uint64_t, dimensions>;

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

// Internal members come first, so that a parent always stands before its children.
void draw_parents(const Options& options, Random& random, std::vector<Member>& all) {
  const std::uint32_t count = static_cast<std::uint32_t>(all.size());
  const std::uint32_t inner = options.depth < 2 || count < 2 ? 0 : std::max<std::uint32_t>(1, count / 9);
  const std::uint32_t roots = std::max<std::uint32_t>(1, inner / 400);
  std::vector<std::uint32_t> depth(inner, 0), children(count, 0), may_hold_inner;
  std::uint32_t top = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    all[i].internal = i < inner;
    if (i < inner) {
      const bool root = i < roots || may_hold_inner.empty();
      if (!root) {
        all[i].parent = may_hold_inner[random.below(may_hold_inner.size())];
        depth[i] = depth[all[i].parent] + 1;
      }
      if (depth[i] + 2 < options.depth) may_hold_inner.push_back(i);
    } else if (inner > 0 && !random.percent(1)) {
      all[i].parent = static_cast<std::uint32_t>(random.below(inner));
    }
    all[i].ordinal = all[i].parent == nobody ? top++ : children[all[i].parent]++;
  }
}

void draw_leaf(Random& random, Member& leaf) {
  if (random.percent(80)) leaf.weight = static_cast<std::uint32_t>(1 + random.below(1000));
  if (random.percent(20)) leaf.limit = static_cast<std::uint32_t>(1 + random.below(500));
  if (!random.percent(70)) return;
  const std::uint32_t cpu = static_cast<std::uint32_t>(1 + random.below(16));
  leaf.instances = static_cast<std::uint32_t>(1 + random.below(50));
  leaf.shape[0] = cpu;
  leaf.shape[1] = cpu * static_cast<std::uint32_t>(1024 + 512 * random.below(12));
  leaf.shape[2] = 10000 + cpu * 1000;
  leaf.shape[3] = 128 * static_cast<std::uint32_t>(1 + random.below(8));
  if (random.percent(5)) leaf.shape[4] = static_cast<std::uint32_t>(1 + random.below(8));
  leaf.in_group = random.percent(10);
}

// A shape that, so many times, holds at least the sums.
void draw_inner(Random& random, Member& inner, Sums& sums, std::uint32_t largest_limit) {
  if (random.percent(70)) inner.weight = static_cast<std::uint32_t>(1 + random.below(1000));
  if (random.percent(10)) inner.limit = largest_limit + static_cast<std::uint32_t>(1 + random.below(1000));
  if (!random.percent(60)) return;
  constexpr std::uint64_t largest = 4'000'000'000ULL;
  const std::uint64_t most = *std::max_element(sums.begin(), sums.end());
  inner.instances = static_cast<std::uint32_t>(1 + most / (largest / 2) + random.below(40));
  for (std::size_t i = 0; i + 1 < dimensions; ++i) {
    const std::uint64_t least = (sums[i] + inner.instances - 1) / inner.instances;
    inner.shape[i] = static_cast<std::uint32_t>(least + 1 + random.below(8));
    sums[i] = std::uint64_t{inner.shape[i]} * inner.instances;
  }
}

void draw_numbers(Random& random, std::vector<Member>& all) {
  std::vector<Sums> below(all.size(), Sums{});
  std::vector<std::uint32_t> limits(all.size(), 0);
  for (std::size_t i = all.size(); i-- > 0;) {
    Member& one = all[i];
    if (one.internal) {
      draw_inner(random, one, below[i], limits[i]);
    } else {
      draw_leaf(random, one);
      for (std::size_t d = 0; d < dimensions; ++d) below[i][d] = std::uint64_t{one.shape[d]} * one.instances;
    }
    if (one.parent == nobody) continue;
    for (std::size_t d = 0; d < dimensions; ++d) below[one.parent][d] += below[i][d];
    limits[one.parent] = std::max({limits[one.parent], limits[i], one.limit});
  }
}

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  return mixed(state_);
}

std::vector<Member> make_company(const Options& options) {
  std::vector<Member> all(options.tenants);
  Random random(mixed(options.seed));
  draw_parents(options, random, all);
  draw_numbers(random, all);
  return all;
}

std::string id_of(const Options& options, std::uint32_t member) {
  return fmt::format("{:016x}-{:08x}", mixed(options.seed * 0x100000001b3ULL + member), member);
}

std::string name_of(const Options& options, const Member& member) {
  static constexpr std::string_view odd[] = {
      "on",         "1e3",  "~",   "y",         "null",    "0x1f",       "Ünïcode",   "A_b", "a-b", "two words",
      "2001-01-01", "研究", "007", "data/lake", "a: b #c", "\"quoted\"", "trailing ", "-",   "?",   "*"};
  const std::uint64_t drawn = mixed(options.seed ^ (std::uint64_t{member.ordinal} << 20) ^ member.parent);
  if (member.ordinal < std::size(odd) && drawn % 4 == 0) return std::string(odd[member.ordinal]);
  return fmt::format("{} {}", member.internal ? "division" : "team", member.ordinal);
}

std::uint32_t percent_of(const Options& options, std::uint32_t cell) {
  const std::uint32_t each = 100 / options.cells;
  return cell == 0 ? 100 - each * (options.cells - 1) : each;
}

}  // namespace cmb2kueue::generate
