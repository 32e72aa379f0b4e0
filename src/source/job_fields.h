// The fields of jobs, tasks and accumulators: under which message they stand, what they hold, and the code of the
// catalogue their use is noted under.
#pragma once
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "proto_json.h"

namespace cmb2kueue::source {

enum class FieldType {
  text,
  flag,
  whole32,    // unsigned
  whole64,    // not negative
  real,       // not negative
  timestamp,  // milliseconds
  word,       // of an enumeration
  texts,
  map,       // of text to text
  message,   //
  messages,  // a list of them
  marker,    // a message without fields, whose presence is what counts
  any,       // not looked into
};

struct JobField {
  std::string_view owner;  // message the field belongs to
  std::string_view key;
  FieldType type;
  std::string_view message;  // message or enumeration of its value; "" for others
  std::string_view code;     // "" where the fields below it, or the field it is part of, carry the code
  std::string_view note;     // "Job.field: what is lost"
  std::string_view remedy;
};

const std::vector<JobField>& job_fields();
const EnumTable& job_words(std::string_view name);  // of a field of type word

// The same by message, with the way down.
struct JobMessage {
  struct Row {
    std::size_t field;        // index into job_fields()
    const JobMessage* below;  // of types message and messages
  };
  std::vector<Row> rows;
};
using JobMessages = std::map<std::string_view, JobMessage>;
const JobMessages& job_messages();

}  // namespace cmb2kueue::source
