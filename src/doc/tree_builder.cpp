// TreeBuilder: nodes are appended in reading order; a level remembers its last child to link the next one.
#include "tree_builder.h"

#include <algorithm>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::doc {

namespace {

constexpr std::uint32_t few_keys = 16;  // up to here a linear look is cheaper than a set
constexpr std::uint32_t longest_key = 1U << 20U;

}  // namespace

TreeBuilder::TreeBuilder(const base::SourceFiles& files, std::uint32_t file, const Limits& limits)
    : limits_(limits), data_(std::make_unique<Document::Data>()) {
  data_->file = file;
  data_->source = files.text(file);
}

TextRef TreeBuilder::place_text(std::string_view text, std::uint32_t offset) {
  const std::uint32_t size = static_cast<std::uint32_t>(text.size());
  for (const std::uint32_t quote : {0U, 1U})
    if (data_->source.substr(std::min<std::size_t>(offset + quote, data_->source.size()), size) == text)
      return {offset + quote, size, false};
  const std::uint32_t at = static_cast<std::uint32_t>(data_->arena.size());
  data_->arena.append(text);
  return {at, size, true};
}

NodeData& TreeBuilder::append(NodeKind kind, std::uint32_t place) {
  const std::uint32_t index = upcoming();
  NodeData& node = data_->nodes.emplace_back();
  node.place = place;
  node.kind = static_cast<std::uint32_t>(kind);
  if (levels_.empty()) return node;
  Level& level = levels_.back();
  NodeData& parent = data_->nodes[level.node];
  if (parent.size++ == 0)
    parent.text = index;
  else
    data_->nodes[level.last_child].next = index;
  level.last_child = index;
  if (level.map) {
    node.key = pending_key_.offset;
    node.key_size = pending_key_.size & 0xffffffU;
    node.key_in_arena = pending_key_.in_arena;
    node.merge = pending_merge_;
    pending_merge_ = false;
  }
  return node;
}

base::Status TreeBuilder::open(NodeKind container, std::uint32_t place) {
  if (levels_.size() >= limits_.depth)
    return base::Status(base::ErrorKind::input,
                        "lists and maps are nested more than " + std::to_string(limits_.depth) + " deep",
                        "no format this tool reads nests that deep; check the file", at(place));
  const std::uint32_t index = upcoming();
  append(container, place);
  levels_.push_back({index, 0, container == NodeKind::map, {}});
  return {};
}

std::string_view TreeBuilder::key_text(const NodeData& node) const {
  return (node.key_in_arena ? std::string_view(data_->arena) : data_->source).substr(node.key, node.key_size);
}

bool TreeBuilder::has_key(const Level& level, std::string_view key) const {
  const NodeData& map = data_->nodes[level.node];
  std::uint32_t child = map.size == 0 ? 0 : map.text;
  for (; child != 0; child = data_->nodes[child].next)
    if (key_text(data_->nodes[child]) == key) return true;
  return false;
}

base::Status TreeBuilder::key(TextRef text, std::uint32_t place, bool merge) {
  const std::string_view name =
      (text.in_arena ? std::string_view(data_->arena) : data_->source).substr(text.offset, text.size);
  if (text.size > longest_key)
    return base::Status(base::ErrorKind::input, "a key is longer than 1 MiB", "", at(place));
  Level& level = levels_.back();
  const std::uint32_t count = data_->nodes[level.node].size;
  bool duplicate = false;
  if (text.in_arena || count < few_keys) {
    duplicate = has_key(level, name);  // arena views move, so such keys are never put into the set
  } else {
    if (level.keys.empty())
      for (std::uint32_t child = data_->nodes[level.node].text; child != 0; child = data_->nodes[child].next)
        if (!data_->nodes[child].key_in_arena) level.keys.insert(key_text(data_->nodes[child]));
    duplicate = !level.keys.insert(name).second;
  }
  if (duplicate)
    return base::Status(base::ErrorKind::input, "the key " + base::quoted(name) + " stands twice in one map",
                        "remove one of them; readers disagree about which one counts", at(place));
  pending_key_ = text;
  pending_merge_ = merge;
  return {};
}

void TreeBuilder::scalar(NodeKind kind, TextRef text, std::uint32_t place) {
  NodeData& node = append(kind, place);
  node.text = text.offset;
  node.size = text.size;
  node.text_in_arena = text.in_arena;
}

base::Status TreeBuilder::close() {
  base::Status status = levels_.back().map ? merge_keys() : base::Status();
  levels_.pop_back();
  return status;
}

base::Status TreeBuilder::alias(std::uint32_t node, std::uint32_t place) {
  for (const Level& level : levels_)
    if (level.node == node)
      return base::Status(base::ErrorKind::input, "an alias stands inside what it refers to", "", at(place));
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
    scalar(kind, {original.text, original.size, original.text_in_arena != 0}, original.place);
    return {};
  }
  base::Status status = open(kind, original.place);
  for (std::uint32_t child = original.size == 0 ? 0 : original.text; child != 0 && status.ok();
       child = data_->nodes[child].next) {
    const NodeData member = data_->nodes[child];
    pending_key_ = {member.key, member.key_size, member.key_in_arena != 0};
    status = copy(child, place);
  }
  if (status.ok()) levels_.pop_back();
  return status;
}

// Adds the members of a merged map (or list of maps) that the map does not have itself.
base::Status TreeBuilder::merge(std::uint32_t value) {
  const NodeData source = data_->nodes[value];
  const NodeKind kind = static_cast<NodeKind>(source.kind);
  if (kind != NodeKind::map && kind != NodeKind::list)
    return base::Status(base::ErrorKind::input, "the merge key << takes a map or a list of maps", "",
                        at(source.place));
  for (std::uint32_t child = source.size == 0 ? 0 : source.text; child != 0; child = data_->nodes[child].next) {
    const NodeData member = data_->nodes[child];
    base::Status status;
    if (kind == NodeKind::list) {
      status = merge(child);
    } else if (!has_key(levels_.back(), key_text(member))) {
      pending_key_ = {member.key, member.key_size, member.key_in_arena != 0};
      status = copy(child, member.place);
    }
    if (!status.ok()) return status;
  }
  return {};
}

base::Status TreeBuilder::merge_keys() {
  NodeData* map = &data_->nodes[levels_.back().node];
  std::uint32_t before = 0;
  std::uint32_t child = map->size == 0 ? 0 : map->text;
  while (child != 0 && data_->nodes[child].merge == 0) {
    before = child;
    child = data_->nodes[child].next;
  }
  if (child == 0) return {};
  const std::uint32_t after = data_->nodes[child].next;
  if (before == 0)
    map->text = after;
  else
    data_->nodes[before].next = after;
  --map->size;
  if (levels_.back().last_child == child) levels_.back().last_child = before;
  if (map->size == 0) levels_.back().last_child = 0;
  return merge(child);
}

Document TreeBuilder::finish() {
  return Document(std::move(data_));
}

}  // namespace cmb2kueue::doc
