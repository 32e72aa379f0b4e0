// The fields of jobs, tasks and accumulators: under which message they stand, what message they hold, and the code
// of the catalogue their use is noted under.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace cmb2kueue::source {

struct JobField {
  std::string_view owner;  // message the field belongs to
  std::string_view key;
  std::string_view message;  // message of its value; "" for scalars and free maps
  std::string_view code;     // "" where the fields below it carry the codes
  std::string_view note;     // "Job.field: what is lost"
  std::string_view remedy;
};

const std::vector<JobField>& job_fields();

inline constexpr std::size_t no_job_field = static_cast<std::size_t>(-1);
std::size_t find_job_field(std::string_view owner, std::string_view key);

}  // namespace cmb2kueue::source
