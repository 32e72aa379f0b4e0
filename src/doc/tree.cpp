// Reading a finished tree.
#include "cmb2kueue/doc/tree.h"

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

NodeKind Node::kind() const {
  return static_cast<NodeKind>(document_->data_->nodes[index_].kind);
}

base::Place Node::place() const {
  if (!exists()) return {};
  const Document::Data& data = *document_->data_;
  return {data.file, data.place(data.nodes[index_])};
}

std::string_view Node::text() const {
  if (!is_scalar()) return {};
  return document_->data_->view(Document::Data::text_of(document_->data_->nodes[index_]));
}

std::optional<std::int64_t> Node::integer() const {
  if (!exists() || kind() != NodeKind::integer) return std::nullopt;
  return parse_integer(text());
}

std::optional<double> Node::decimal() const {
  if (!exists() || (kind() != NodeKind::integer && kind() != NodeKind::decimal)) return std::nullopt;
  return parse_decimal(text());
}

std::optional<bool> Node::boolean() const {
  if (!exists() || kind() != NodeKind::boolean) return std::nullopt;
  return parse_boolean(text());
}

std::size_t Node::size() const {
  return exists() && !is_scalar() ? document_->data_->nodes[index_].size : 0;
}

Node Node::first_child() const {
  if (size() == 0) return {};
  return Node(document_, document_->data_->first_child(index_));
}

Node Node::next() const {
  if (!exists()) return {};
  const std::uint32_t next = document_->data_->next(index_);
  return next == 0 ? Node() : Node(document_, next);
}

std::string_view Node::key() const {
  if (!exists()) return {};
  return document_->data_->view(Document::Data::key_of(document_->data_->nodes[index_]));
}

base::Place Node::key_place() const {
  if (!exists()) return {};
  const Document::Data& data = *document_->data_;
  return {data.file, data.key_place(data.nodes[index_])};
}

Node Node::find(std::string_view name) const {
  if (!is_map()) return {};
  for (Node child = first_child(); child.exists(); child = child.next())
    if (child.key() == name) return child;
  return {};
}

}  // namespace cmb2kueue::doc
