// Puts a Document together from the events of a parser: checks depth and duplicate keys, expands aliases and merge
// keys, keeps texts as views into the source where it can.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::doc {

// One node in 24 bytes. For scalars text/size is the text; for containers text is the first child and size the
// number of children. next is the following sibling, 0 for none (the root is never a sibling).
struct NodeData {
  std::uint32_t place = 0;
  std::uint32_t text = 0;
  std::uint32_t size = 0;
  std::uint32_t next = 0;
  std::uint32_t key = 0;
  std::uint32_t key_size : 24;
  std::uint32_t kind : 5;
  std::uint32_t text_in_arena : 1;
  std::uint32_t key_in_arena : 1;
  std::uint32_t merge : 1;  // stands under a plain YAML <<
  NodeData() : key_size(0), kind(0), text_in_arena(0), key_in_arena(0), merge(0) {}
};

struct Document::Data {
  std::uint32_t file = 0;
  std::string_view source;  // the whole file
  std::string arena;        // texts that are not in the source as they are read
  std::vector<NodeData> nodes;
};

// A text that stands in the source at an offset, or that has to be kept in the arena.
struct TextRef {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  bool in_arena = false;
};

class TreeBuilder {
 public:
  TreeBuilder(const base::SourceFiles& files, std::uint32_t file, const Limits& limits);

  // Each returns a failed Status that ends the parse: too deep, a key that stands there already.
  base::Status open(NodeKind container, std::uint32_t place);
  base::Status key(TextRef text, std::uint32_t place, bool merge = false);
  void scalar(NodeKind kind, TextRef text, std::uint32_t place);
  base::Status close();

  // Where the text of a scalar is: in the source at `offset` if it reads the same there, else in the arena.
  TextRef place_text(std::string_view text, std::uint32_t offset);

  // YAML anchors: the node that begins next, and a copy of a finished one.
  std::uint32_t upcoming() const { return static_cast<std::uint32_t>(data_->nodes.size()); }
  base::Status alias(std::uint32_t node, std::uint32_t place);

  bool inside_map() const { return !levels_.empty() && levels_.back().map; }
  bool empty() const { return data_->nodes.empty(); }
  Document finish();

 private:
  struct Level {
    std::uint32_t node = 0;
    std::uint32_t last_child = 0;
    bool map = false;
    std::unordered_set<std::string_view> keys;  // only past a handful of keys
  };
  NodeData& append(NodeKind kind, std::uint32_t place);
  std::string_view key_text(const NodeData& node) const;
  bool has_key(const Level& level, std::string_view key) const;
  base::Status copy(std::uint32_t node, std::uint32_t place);
  base::Status merge(std::uint32_t value);
  base::Status merge_keys();
  base::Place at(std::uint32_t offset) const { return {data_->file, offset}; }

  const Limits limits_;
  std::unique_ptr<Document::Data> data_;
  std::vector<Level> levels_;
  TextRef pending_key_;
  bool pending_merge_ = false;
  std::uint64_t alias_nodes_ = 0;
};

}  // namespace cmb2kueue::doc
