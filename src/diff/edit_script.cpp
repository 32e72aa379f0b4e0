// Two passes: the search finds a shortest script, the slider moves its runs to where a reader expects them.
#include "edit_script.h"

#include <algorithm>

namespace cmb2kueue::diff {

namespace {

// The part of both texts between their common ends.
struct Middle {
  std::size_t start = 0, end_a = 0, end_b = 0;
};

Middle between_common_ends(const std::vector<int>& a, const std::vector<int>& b) {
  Middle middle{0, a.size(), b.size()};
  while (middle.start < middle.end_a && middle.start < middle.end_b && a[middle.start] == b[middle.start])
    ++middle.start;
  while (middle.end_a > middle.start && middle.end_b > middle.start && a[middle.end_a - 1] == b[middle.end_b - 1]) {
    --middle.end_a;
    --middle.end_b;
  }
  return middle;
}

// Per line, whether it has no counterpart.
struct Marks {
  std::vector<bool> dropped, added;
};

// A frontier holds per diagonal k = x - y the furthest x that was reached.
class Frontier {
 public:
  explicit Frontier(int edits) : middle_(edits + 1), furthest_(static_cast<std::size_t>(2 * edits + 3)) {}
  int& at(int diagonal) { return furthest_[static_cast<std::size_t>(diagonal + middle_)]; }
  int at(int diagonal) const { return furthest_[static_cast<std::size_t>(diagonal + middle_)]; }
  // Whether the best way onto the diagonal with this many edits adds a line (down) or drops one.
  bool comes_down(int diagonal, int edits) const {
    return diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
  }

 private:
  int middle_;
  std::vector<int> furthest_;
};

class Search {
 public:
  Search(const std::vector<int>& a, const std::vector<int>& b, Middle middle)
      : a_(a),
        b_(b),
        start_(middle.start),
        n_(static_cast<int>(middle.end_a - middle.start)),
        m_(static_cast<int>(middle.end_b - middle.start)) {}

  void mark(Marks& marks, int most_edits);

 private:
  bool reach(int edits, Frontier& frontier) const;
  void mark_way_back(Marks& marks) const;

  const std::vector<int>& a_;
  const std::vector<int>& b_;
  std::size_t start_;
  int n_, m_;
  std::vector<Frontier> before_;  // the frontier as it was before each round, as wide as that round needs
};

// One more edit on every diagonal; true when both ends are reached.
bool Search::reach(int edits, Frontier& frontier) const {
  for (int k = -edits; k <= edits; k += 2) {
    int x = frontier.comes_down(k, edits) ? frontier.at(k + 1) : frontier.at(k - 1) + 1;
    int y = x - k;
    while (x < n_ && y < m_ && a_[start_ + static_cast<std::size_t>(x)] == b_[start_ + static_cast<std::size_t>(y)])
      ++x, ++y;
    frontier.at(k) = x;
    if (x >= n_ && y >= m_) return true;
  }
  return false;
}

void Search::mark_way_back(Marks& marks) const {
  int x = n_, y = m_;
  for (int edits = static_cast<int>(before_.size()) - 1; edits > 0; --edits) {
    const Frontier& before = before_[static_cast<std::size_t>(edits)];
    const int k = x - y;
    const bool down = before.comes_down(k, edits);
    x = before.at(down ? k + 1 : k - 1);
    y = x - (down ? k + 1 : k - 1);
    if (down)
      marks.added[start_ + static_cast<std::size_t>(y)] = true;
    else
      marks.dropped[start_ + static_cast<std::size_t>(x)] = true;
  }
}

void Search::mark(Marks& marks, int most_edits) {
  const int limit = std::min(n_ + m_, most_edits);
  Frontier frontier(limit);
  for (int edits = 0; edits <= limit; ++edits) {
    Frontier kept(edits);
    for (int k = -edits - 1; k <= edits + 1; ++k) kept.at(k) = frontier.at(k);
    before_.push_back(std::move(kept));
    if (!reach(edits, frontier)) continue;
    mark_way_back(marks);
    return;
  }
  std::fill_n(marks.dropped.begin() + static_cast<std::ptrdiff_t>(start_), n_, true);
  std::fill_n(marks.added.begin() + static_cast<std::ptrdiff_t>(start_), m_, true);
}

std::vector<std::size_t> gaps_of(const std::vector<bool>& marks) {
  std::vector<std::size_t> gaps(1);
  for (const bool marked : marks) {
    if (marked)
      ++gaps.back();
    else
      gaps.push_back(0);
  }
  return gaps;
}

// Moves the runs of one text from gap to gap. A run moves over a kept line when that line equals the one it would
// leave behind at its other end; a run that comes to a gap with lines of its own joins them.
class Slider {
 public:
  Slider(const std::vector<int>& lines, std::vector<std::size_t>& gaps, const std::vector<std::size_t>& others,
         std::size_t last)
      : lines_(lines), gaps_(gaps), others_(others), last_(last) {}
  void slide();

 private:
  bool move_up();
  bool move_down();
  void settle();

  const std::vector<int>& lines_;
  std::vector<std::size_t>& gaps_;
  const std::vector<std::size_t>& others_;  // of the other text
  std::size_t last_;                        // no run moves past this line
  std::size_t gap_ = 0, line_ = 0;          // the run at hand: its gap, its first line
};

bool Slider::move_up() {
  const std::size_t size = gaps_[gap_];
  if (gap_ == 0 || lines_[line_ - 1] != lines_[line_ + size - 1]) return false;
  gaps_[gap_] = 0;
  --gap_;
  line_ -= 1 + gaps_[gap_];
  gaps_[gap_] += size;
  return true;
}

bool Slider::move_down() {
  const std::size_t size = gaps_[gap_];
  if (gap_ + 1 == gaps_.size() || line_ + size >= last_ || lines_[line_] != lines_[line_ + size]) return false;
  gaps_[gap_] = 0;
  ++gap_;
  ++line_;
  gaps_[gap_] += size;
  return true;
}

// As far down as it goes, but not past the last place beside a change of the other text. Joining others on the way
// may open new ways, so until nothing joins.
void Slider::settle() {
  std::size_t size = 0, beside = gaps_.size();
  do {
    size = gaps_[gap_];
    while (move_up()) continue;
    beside = others_[gap_] > 0 ? gap_ : gaps_.size();
    while (move_down())
      if (others_[gap_] > 0) beside = gap_;
  } while (gaps_[gap_] != size);
  while (beside < gap_ && move_up()) continue;
}

void Slider::slide() {
  for (gap_ = 0, line_ = 0; gap_ < gaps_.size(); ++gap_) {
    if (gaps_[gap_] > 0) settle();
    line_ += gaps_[gap_] + 1;
  }
}

}  // namespace

EditScript edit_script(const std::vector<int>& before, const std::vector<int>& after, std::size_t context,
                       int most_edits) {
  const Middle middle = between_common_ends(before, after);
  Marks marks{std::vector<bool>(before.size()), std::vector<bool>(after.size())};
  Search(before, after, middle).mark(marks, most_edits);
  EditScript script{gaps_of(marks.dropped), gaps_of(marks.added)};
  Slider(before, script.dropped, script.added, std::min(before.size(), middle.end_a + context)).slide();
  Slider(after, script.added, script.dropped, std::min(after.size(), middle.end_b + context)).slide();
  return script;
}

}  // namespace cmb2kueue::diff
