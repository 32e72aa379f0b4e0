// Reading a finished tree.
#include "cmb2kueue/doc/tree.h"

#include <charconv>
#include <cstdlib>

#include "scalars.h"
#include "tree_builder.h"

namespace cmb2kueue::doc {

const char* to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::null:
      return "nothing";
    case NodeKind::boolean:
      return "a boolean";
    case NodeKind::integer:
      return "an integer";
    case NodeKind::decimal:
      return "a decimal number";
    case NodeKind::text:
      return "text";
    case NodeKind::list:
      return "a list";
    case NodeKind::map:
      return "a map";
  }
  return "nothing";
}

Document::Document() = default;
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::Document(std::unique_ptr<Data> data) : data_(std::move(data)) {}

Node Document::root() const {
  return data_ == nullptr || data_->nodes.empty() ? Node() : Node(this, 0);
}
std::uint32_t Document::file() const {
  return data_ == nullptr ? 0 : data_->file;
}

namespace {

std::string_view text_of(const Document::Data& data, std::uint32_t offset, std::uint32_t size, bool in_arena) {
  return (in_arena ? std::string_view(data.arena) : data.source).substr(offset, size);
}

}  // namespace

NodeKind Node::kind() const {
  return static_cast<NodeKind>(document_->data_->nodes[index_].kind);
}

base::Place Node::place() const {
  if (!exists()) return {};
  return {document_->data_->file, document_->data_->nodes[index_].place};
}

std::string_view Node::text() const {
  if (!is_scalar()) return {};
  const NodeData& node = document_->data_->nodes[index_];
  return text_of(*document_->data_, node.text, node.size, node.text_in_arena);
}

std::optional<std::int64_t> Node::integer() const {
  if (!exists() || kind() != NodeKind::integer) return std::nullopt;
  return parse_integer(text());
}

std::optional<double> Node::decimal() const {
  if (!exists()) return std::nullopt;
  if (kind() == NodeKind::integer) {
    const std::optional<std::int64_t> whole = integer();
    if (whole) return static_cast<double>(*whole);
  } else if (kind() != NodeKind::decimal) {
    return std::nullopt;
  }
  const std::string copy(text());
  return std::strtod(copy.c_str(), nullptr);
}

std::optional<bool> Node::boolean() const {
  if (!exists() || kind() != NodeKind::boolean) return std::nullopt;
  const std::string_view word = text();
  return word.front() == 't' || word.front() == 'T' || word.front() == 'y' || word.front() == 'Y' || word == "on" ||
         word == "On" || word == "ON";
}

std::size_t Node::size() const {
  return exists() && !is_scalar() ? document_->data_->nodes[index_].size : 0;
}

Node Node::first_child() const {
  if (size() == 0) return {};
  return Node(document_, document_->data_->nodes[index_].text);
}

Node Node::next() const {
  if (!exists()) return {};
  const std::uint32_t next = document_->data_->nodes[index_].next;
  return next == 0 ? Node() : Node(document_, next);
}

std::string_view Node::key() const {
  if (!exists()) return {};
  const NodeData& node = document_->data_->nodes[index_];
  return text_of(*document_->data_, node.key, node.key_size, node.key_in_arena);
}

base::Place Node::key_place() const {
  if (!exists()) return {};
  const NodeData& node = document_->data_->nodes[index_];
  if (node.key_in_arena || node.key_size == 0) return place();
  const std::uint32_t before = node.key > 0 ? node.key - 1 : 0;
  const char mark = document_->data_->source[before];
  return {document_->data_->file, node.key > 0 && (mark == '"' || mark == '\'') ? before : node.key};
}

Node Node::find(std::string_view name) const {
  if (!is_map()) return {};
  for (Node child = first_child(); child.exists(); child = child.next())
    if (child.key() == name) return child;
  return {};
}

}  // namespace cmb2kueue::doc
