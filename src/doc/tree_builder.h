// Puts a Document together from the events of a parser: checks depth and duplicate keys, expands aliases and merge
// keys, keeps texts as views into the source where it can.
#pragma once
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::doc {

// One node in 20 bytes. A scalar's text and size are its text; a container's text is its place and its size the
// number of its children, the first of which is the node behind it. next is the following sibling, 0 for none (the
// root is never a sibling). Where a scalar or a key begins follows from where its text is.
struct NodeData {
  std::uint32_t text = 0;
  std::uint32_t size = 0;
  std::uint32_t next = 0;
  std::uint32_t key = 0;
  std::uint32_t key_size : 24;
  std::uint32_t kind : 5;
  std::uint32_t text_in_arena : 1;
  std::uint32_t key_in_arena : 1;
  std::uint32_t merge : 1;  // stands under a plain YAML <<; no reader of the tree sees it
  NodeData() : key_size(0), kind(0), text_in_arena(0), key_in_arena(0), merge(0) {}
};

// A growing array of nodes. Not a vector, because a vector that grows holds its content twice for a moment, which
// for a large file is the peak of the whole run; realloc moves big blocks by their page table.
class NodeArray {
 public:
  NodeData& append();
  void reserve(std::uint32_t nodes);  // before the first append; room that is never touched costs no memory
  NodeData& operator[](std::uint32_t index) { return data_.get()[index]; }
  const NodeData& operator[](std::uint32_t index) const { return data_.get()[index]; }
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  struct Free {
    void operator()(NodeData* data) const { std::free(data); }
  };
  std::unique_ptr<NodeData, Free> data_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

// A text that stands in the source at an offset, or that has to be kept in the arena.
struct TextRef {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  bool in_arena = false;
};

struct Document::Data {
  std::uint32_t file = 0;
  std::string_view source;  // the whole file
  std::string arena;        // texts that are not in the source as they are read, each with its place in front
  NodeArray nodes;

  std::string_view view(TextRef text) const {
    return (text.in_arena ? std::string_view(arena) : source).substr(text.offset, text.size);
  }
  static TextRef key_of(const NodeData& node) { return {node.key, node.key_size, node.key_in_arena != 0}; }
  static TextRef text_of(const NodeData& node) { return {node.text, node.size, node.text_in_arena != 0}; }

  // Offsets in the source.
  std::uint32_t place(const NodeData& node) const;
  std::uint32_t key_place(const NodeData& node) const;

  // Without what stands under a <<; 0 for none.
  std::uint32_t first_child(std::uint32_t node) const { return nodes[node].size == 0 ? 0 : visible(node + 1); }
  std::uint32_t next(std::uint32_t node) const { return visible(nodes[node].next); }

 private:
  std::uint32_t visible(std::uint32_t node) const {
    while (node != 0 && nodes[node].merge != 0) node = nodes[node].next;
    return node;
  }
  std::uint32_t start(TextRef text, bool may_be_quoted) const;
};

class TreeBuilder {
 public:
  TreeBuilder(const base::SourceFiles& files, std::uint32_t file, const Limits& limits);
  void reserve(std::uint32_t nodes) { data_->nodes.reserve(nodes); }

  // Each returns a failed Status that ends the parse: too deep, a key that stands there already.
  base::Status open(NodeKind container, std::uint32_t place);
  base::Status key(TextRef text, std::uint32_t place, bool merge = false);
  void scalar(NodeKind kind, TextRef text);
  base::Status close();

  // Where the text of a scalar or key that begins at `offset` is: there, or behind a quote there, if it reads the
  // same, else in the arena.
  TextRef place_text(std::string_view text, std::uint32_t offset);

  // YAML anchors: the node that begins next, and a copy of a finished one.
  std::uint32_t upcoming() const { return data_->nodes.size(); }
  base::Status alias(std::uint32_t node, std::uint32_t place);

  bool inside_map() const { return !levels_.empty() && levels_.back().map; }
  bool empty() const { return data_->nodes.empty(); }
  Document finish();

 private:
  // Compares keys by their text, wherever it is kept.
  struct KeyText {
    const Document::Data* data;
    std::size_t operator()(const TextRef& key) const { return std::hash<std::string_view>()(data->view(key)); }
    bool operator()(const TextRef& a, const TextRef& b) const { return data->view(a) == data->view(b); }
  };
  using KeySet = std::unordered_set<TextRef, KeyText, KeyText>;
  struct Level {
    std::uint32_t node = 0;
    std::uint32_t last_child = 0;
    std::uint32_t merge = 0;  // the child under <<
    bool map = false;
    std::unique_ptr<KeySet> keys;  // only past a handful of keys
  };
  NodeData& append(NodeKind kind);
  // Among all children, those under << too.
  std::uint32_t first_child(const Level& level) const { return level.last_child == 0 ? 0 : level.node + 1; }
  bool stands_in_source(std::string_view text, std::uint32_t offset) const;
  bool claim_key(Level& level, TextRef key);
  base::Status duplicate(const Level& level, TextRef key, std::uint32_t place) const;
  base::Status copy(std::uint32_t node, std::uint32_t place);
  base::Status merge(std::uint32_t value, bool from_list);
  base::Status merge_map(std::uint32_t map);
  base::Place at(std::uint32_t offset) const { return {data_->file, offset}; }

  const base::SourceFiles& files_;
  const Limits limits_;
  std::unique_ptr<Document::Data> data_;
  std::vector<Level> levels_;
  TextRef pending_key_;
  bool pending_merge_ = false;
  std::uint64_t alias_nodes_ = 0;
};

}  // namespace cmb2kueue::doc
