// TreeBuilder: nodes are appended in reading order; a level remembers its last child to link the next one.
#include "tree_builder.h"

#include <cstring>
#include <new>
#include <type_traits>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::doc {

namespace {

constexpr std::uint32_t few_keys = 16;  // up to here a linear look is cheaper than a set
constexpr std::uint32_t longest_key = 1U << 20U;

}  // namespace

void NodeArray::reserve(std::uint32_t nodes) {
  static_assert(std::is_trivially_copyable_v<NodeData>, "nodes are moved by realloc");
  void* moved = std::realloc(static_cast<void*>(data_.get()), std::size_t{nodes} * sizeof(NodeData));
  if (moved == nullptr) throw std::bad_alloc();
  static_cast<void>(data_.release());
  data_.reset(static_cast<NodeData*>(moved));
  capacity_ = nodes;
}

NodeData& NodeArray::append() {
  if (size_ == capacity_) reserve(capacity_ == 0 ? 64 : capacity_ * 2);
  return *new (data_.get() + size_++) NodeData();
}

std::uint32_t Document::Data::start(TextRef text, bool may_be_quoted) const {
  if (text.in_arena) {
    std::uint32_t place = 0;
    std::memcpy(&place, arena.data() + text.offset - sizeof(place), sizeof(place));
    return place;
  }
  if (!may_be_quoted || text.offset == 0) return text.offset;
  const char before = source[text.offset - 1];
  return before == '"' || before == '\'' ? text.offset - 1 : text.offset;
}

std::uint32_t Document::Data::place(const NodeData& node) const {
  const NodeKind kind = static_cast<NodeKind>(node.kind);
  return kind >= NodeKind::list ? node.text : start(text_of(node), kind == NodeKind::text);
}

std::uint32_t Document::Data::key_place(const NodeData& node) const {
  return node.key == 0 && node.key_size == 0 ? place(node) : start(key_of(node), true);
}

TreeBuilder::TreeBuilder(const base::SourceFiles& files, std::uint32_t file, const Limits& limits)
    : files_(files), limits_(limits), data_(std::make_unique<Document::Data>()) {
  data_->file = file;
  data_->source = files.text(file);
}

bool TreeBuilder::stands_in_source(std::string_view text, std::uint32_t offset) const {
  return offset <= data_->source.size() && data_->source.substr(offset, text.size()) == text;
}

TextRef TreeBuilder::place_text(std::string_view text, std::uint32_t offset) {
  const std::uint32_t size = static_cast<std::uint32_t>(text.size());
  const bool quoted =
      offset < data_->source.size() && (data_->source[offset] == '"' || data_->source[offset] == '\'');
  const std::uint32_t start = offset + (quoted ? 1 : 0);
  if (stands_in_source(text, start)) return {start, size, false};
  std::string& arena = data_->arena;
  arena.append(reinterpret_cast<const char*>(&offset), sizeof(offset));
  const std::uint32_t at = static_cast<std::uint32_t>(arena.size());
  arena.append(text);
  return {at, size, true};
}

NodeData& TreeBuilder::append(NodeKind kind) {
  const std::uint32_t index = upcoming();
  NodeData& node = data_->nodes.append();
  node.kind = static_cast<std::uint32_t>(kind);
  if (levels_.empty()) return node;
  Level& level = levels_.back();
  ++data_->nodes[level.node].size;
  if (level.last_child != 0) data_->nodes[level.last_child].next = index;
  level.last_child = index;
  if (!level.map) return node;
  node.key = pending_key_.offset;
  node.key_size = pending_key_.size & 0xffffffU;
  node.key_in_arena = pending_key_.in_arena;
  node.merge = pending_merge_;
  if (pending_merge_) level.merge = index;
  pending_merge_ = false;
  return node;
}

base::Status TreeBuilder::open(NodeKind container, std::uint32_t place) {
  if (levels_.size() >= limits_.depth)
    return base::Status(base::ErrorKind::input,
                        "lists and maps are nested more than " + std::to_string(limits_.depth) + " deep",
                        "no format this tool reads nests that deep; check the file", at(place));
  const std::uint32_t index = upcoming();
  append(container).text = place;
  levels_.push_back({index, 0, 0, container == NodeKind::map, nullptr});
  return {};
}

// False when the innermost map has the key already. A few keys are compared one by one, many through a set.
bool TreeBuilder::claim_key(Level& level, TextRef key) {
  const NodeArray& nodes = data_->nodes;
  const std::uint32_t first = first_child(level);
  if (level.keys == nullptr && nodes[level.node].size < few_keys) {
    const std::string_view name = data_->view(key);
    for (std::uint32_t child = first; child != 0; child = nodes[child].next)
      if (data_->view(Document::Data::key_of(nodes[child])) == name) return false;
    return true;
  }
  if (level.keys == nullptr) {
    const KeyText by_text{data_.get()};
    level.keys = std::make_unique<KeySet>(4 * few_keys, by_text, by_text);
    for (std::uint32_t child = first; child != 0; child = nodes[child].next)
      level.keys->insert(Document::Data::key_of(nodes[child]));
  }
  return level.keys->insert(key).second;
}

base::Status TreeBuilder::duplicate(const Level& level, TextRef key, std::uint32_t place) const {
  const NodeArray& nodes = data_->nodes;
  const std::string_view name = data_->view(key);
  std::uint32_t first = first_child(level);
  while (data_->view(Document::Data::key_of(nodes[first])) != name) first = nodes[first].next;
  const std::uint32_t line = files_.locate(at(data_->key_place(nodes[first]))).line;
  return base::Status(
      base::ErrorKind::input,
      "the key " + base::quoted(name) + " stands twice in one map, first on line " + std::to_string(line),
      "remove one of them; readers disagree about which one counts", at(place));
}

base::Status TreeBuilder::key(TextRef text, std::uint32_t place, bool merge) {
  if (text.size > longest_key)
    return base::Status(base::ErrorKind::input, "a key is longer than 1 MiB", "shorten it", at(place));
  Level& level = levels_.back();
  if (!claim_key(level, text)) return duplicate(level, text, place);
  pending_key_ = text;
  pending_merge_ = merge;
  return {};
}

void TreeBuilder::scalar(NodeKind kind, TextRef text) {
  NodeData& node = append(kind);
  node.text = text.offset;
  node.size = text.size;
  node.text_in_arena = text.in_arena;
}

base::Status TreeBuilder::close() {
  const std::uint32_t merged = levels_.back().merge;
  base::Status status;
  if (merged != 0) {
    --data_->nodes[levels_.back().node].size;
    status = merge(merged, false);
  }
  levels_.pop_back();
  return status;
}

base::Status TreeBuilder::alias(std::uint32_t node, std::uint32_t place) {
  for (const Level& level : levels_)
    if (level.node == node)
      return base::Status(base::ErrorKind::input, "an alias stands inside what it refers to", "write the value out",
                          at(place));
  return copy(node, place);
}

base::Status TreeBuilder::copy(std::uint32_t node, std::uint32_t place) {
  if (++alias_nodes_ > limits_.alias_nodes)
    return base::Status(base::ErrorKind::input,
                        "aliases expand to more than " + std::to_string(limits_.alias_nodes) + " nodes",
                        "write the values out", at(place));
  const NodeData original = data_->nodes[node];
  const NodeKind kind = static_cast<NodeKind>(original.kind);
  if (kind < NodeKind::list) {
    scalar(kind, Document::Data::text_of(original));
    return {};
  }
  base::Status status = open(kind, original.text);
  for (std::uint32_t child = data_->first_child(node); child != 0 && status.ok(); child = data_->next(child)) {
    pending_key_ = Document::Data::key_of(data_->nodes[child]);
    status = copy(child, place);
  }
  if (status.ok()) levels_.pop_back();
  return status;
}

// Adds the members of a merged map (or of each map of a list) that the map does not have itself.
base::Status TreeBuilder::merge(std::uint32_t value, bool from_list) {
  const NodeKind kind = static_cast<NodeKind>(data_->nodes[value].kind);
  if (kind == NodeKind::map) return merge_map(value);
  if (kind != NodeKind::list || from_list)
    return base::Status(base::ErrorKind::input, "the merge key << takes a map or a list of maps",
                        "give it an alias of a map, or write the keys out", at(data_->place(data_->nodes[value])));
  base::Status status;
  for (std::uint32_t child = data_->first_child(value); child != 0 && status.ok(); child = data_->next(child))
    status = merge(child, true);
  return status;
}

base::Status TreeBuilder::merge_map(std::uint32_t map) {
  base::Status status;
  for (std::uint32_t child = data_->first_child(map); child != 0 && status.ok(); child = data_->next(child)) {
    pending_key_ = Document::Data::key_of(data_->nodes[child]);
    if (claim_key(levels_.back(), pending_key_)) status = copy(child, data_->place(data_->nodes[child]));
  }
  return status;
}

Document TreeBuilder::finish() {
  return Document(std::move(data_));
}

}  // namespace cmb2kueue::doc
