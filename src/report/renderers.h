// The renderers behind the table of formats, and the few things all of them need.
#pragma once
#include <string>

#include "cmb2kueue/report/report.h"

namespace cmb2kueue::report {

std::string render_text(const Report& report, const base::SourceFiles& files, const Style& style);
std::string render_json(const Report& report, const base::SourceFiles& files, const Style& style);
std::string render_yaml(const Report& report, const base::SourceFiles& files, const Style& style);
std::string render_markdown(const Report& report, const base::SourceFiles& files, const Style& style);

// How many of `total` entries people are shown when the author asked for at most `limit` (0: all). One or two left
// over are shown rather than counted.
std::size_t shown(std::size_t total, std::size_t limit);

// "... and 1,234 more (-o json lists all)".
std::string and_more(std::size_t left_out);

// The text with control characters (line ends and tabs aside) shown as "?", so that no name can drive a terminal.
std::string visible(std::string_view text);

// Width on a terminal: code points, which is right for what tenant names are made of.
std::size_t display_width(std::string_view text);

}  // namespace cmb2kueue::report
