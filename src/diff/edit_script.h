// Which lines of two texts have no counterpart in the other: the shortest such choice, placed where `diff` places
// it.
#pragma once
#include <cstddef>
#include <vector>

namespace cmb2kueue::diff {

// With k kept lines there are k + 1 gaps: before the first, between two, after the last. Per gap: how many lines of
// the first text are dropped there, how many of the second added.
struct EditScript {
  std::vector<std::size_t> dropped, added;
};

// Lines come as numbers, equal lines as equal numbers. Greedy search after E. W. Myers, "An O(ND) Difference
// Algorithm and Its Variations" (1986); past `most_edits` edits what stands between the common ends counts as
// replaced whole, which is longer and still right. O((lines + most_edits) x edits) time, O(edits^2) memory. A
// choice among equally short ones is made as GNU diff makes it: runs move as far down as they can, at most
// `context` lines into the common end, but stay beside a change of the other text.
EditScript edit_script(const std::vector<int>& before, const std::vector<int>& after, std::size_t context,
                       int most_edits = 1500);

}  // namespace cmb2kueue::diff
