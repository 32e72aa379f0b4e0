// Spans of time as people type them, in Go's notation, which kubectl takes.
#pragma once
#include <cstdint>
#include <string>

namespace cmb2kueue::base {

// "1h2m3.5s", "90s", "0", or plain seconds, as kubectl's --request-timeout; -1 when it is none of these or
// negative. Less than a millisecond is one.
std::int64_t parse_duration_ms(const std::string& text);

}  // namespace cmb2kueue::base
