// Where something stands in an input file, kept as a byte offset so that a place costs eight bytes; line and
// column are computed only when a person is told. SourceFiles owns the texts that places point into.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace cmb2kueue::base {

// file 0 means "nowhere in particular". Offsets are bytes from the start of the file (so files end at 4 GiB).
struct Place {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;

  bool known() const { return file != 0; }
  friend bool operator==(const Place&, const Place&) = default;
};

// A place as people read it. line and column count from 1; column counts bytes, as editors' "go to" does. Line 0:
// only the file is known. Lines end with "\n"; a "\r" in front of it belongs to the line.
struct Position {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// The texts read in one run. Views handed out stay valid as long as this object, also when it grows or moves on
// to more files. Not thread-safe while adding.
class SourceFiles {
 public:
  // Takes the text over; `name` is what messages show ("-" is shown as "<stdin>"). The buffer keeps at least 64
  // readable bytes behind its end, as the JSON reader needs. Returns the file's number, from 1.
  std::uint32_t add(std::string name, std::string text);

  // The text of a file added before; empty for 0 and for numbers never given out.
  std::string_view text(std::uint32_t file) const;
  // What messages call the file; empty likewise.
  std::string_view name(std::uint32_t file) const;

  // Linear in the offset on the first call for a file, logarithmic after that.
  Position locate(Place place) const;

  // "file:line:column", "file" when only that is known, or "" for an unknown place.
  std::string describe(Place place) const;

 private:
  struct File {
    std::string name;
    std::string text;
    mutable std::string_view::size_type size = 0;
    mutable std::deque<std::uint32_t> line_starts;
  };
  std::deque<File> files_;
};

}  // namespace cmb2kueue::base
