// An invented company of any size, made from a seed: the same options give the same bytes on every machine. What
// comes out is a valid export under inclusive reservations: every parent reserves at least what is reserved below
// it, limits nest, capacity groups agree with their tenants.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cmb2kueue::generate {

enum class Format { json, yaml, jsonl };  // jsonl: the jobs and tasks of the same company

struct Options {
  std::uint32_t tenants = 1000;
  std::uint64_t seed = 1;
  std::uint32_t depth = 5;  // levels, 1 to 99; 1 gives leaves without parents
  std::uint32_t cells = 1;
  std::uint32_t jobs = 1000;  // rows of a jsonl export; a third of them are tasks
  Format format = Format::json;
  std::optional<std::uint64_t> shuffle;  // permutes what has no order: tenants, lists of the envelope, keys of maps
};

// Text comes in pieces of some hundred kilobytes.
using Output = std::function<void(std::string_view)>;
void write(const Options& options, const Output& out);
std::string to_text(const Options& options);

// A stream of numbers that is the same everywhere (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  bool percent(std::uint64_t chance) { return below(100) < chance; }

 private:
  std::uint64_t state_;
};

inline constexpr std::uint32_t nobody = 0xffffffffU;
inline constexpr std::size_t dimensions = 5;  // cpu, memoryMB, diskMB, networkMbps, gpu

struct Member {
  std::uint32_t parent = nobody;
  std::uint32_t ordinal = 0;  // among its siblings; makes its name unique there
  bool internal = false;
  bool in_group = false;                              // its reservation is held by a capacity group
  std::uint32_t weight = 0;                           // 0: not exported
  std::uint32_t limit = 0;                            // 0: unlimited
  std::uint32_t instances = 0;                        // 0: reserves nothing
  std::uint32_t shape[dimensions] = {0, 0, 0, 0, 0};  // of one instance
};

// Parents stand before their children.
std::vector<Member> make_company(const Options& options);

std::string id_of(const Options& options, std::uint32_t member);    // unique for a seed
std::string name_of(const Options& options, const Member& member);  // unique among siblings

// 100 over all cells.
std::uint32_t percent_of(const Options& options, std::uint32_t cell);

}  // namespace cmb2kueue::generate
