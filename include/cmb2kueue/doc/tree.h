// A parsed YAML or JSON document as a compact read-only tree. Nodes keep their byte offset in the source and
// their text is a view into it where no escape stood in the way, so a tree costs less than its text.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"

namespace cmb2kueue::doc {

// What a scalar is, by the rules the API server's reader uses: JSON's own types; for YAML the plain scalars of
// YAML 1.1 as sigs.k8s.io/yaml resolves them (`on`, `yes`, `true` are booleans; `1e3` and `0.5` are decimals; a
// quoted scalar is always text).
enum class NodeKind : std::uint8_t { null, boolean, integer, decimal, text, list, map };
const char* to_string(NodeKind kind);  // "a map", "a list", "text", ... for messages

class Document;

// A handle of two words; valid as long as its Document (and the SourceFiles behind it).
class Node {
 public:
  Node() = default;
  bool exists() const { return document_ != nullptr; }

  NodeKind kind() const;
  base::Place place() const;
  bool is_map() const { return exists() && kind() == NodeKind::map; }
  bool is_list() const { return exists() && kind() == NodeKind::list; }
  bool is_scalar() const { return exists() && kind() < NodeKind::list; }

  // A scalar's text: unescaped for strings; as written for the rest ("true", "1e3", "007"); "" for null.
  std::string_view text() const;

  std::optional<std::int64_t> integer() const;  // integers only, in range; not text that looks like one
  std::optional<double> decimal() const;        // integers and decimals
  std::optional<bool> boolean() const;          // booleans only

  std::size_t size() const;  // entries of a list or map; 0 for scalars

  // place() is where the value begins: its quote, its bracket, its first key or dash, its anchor. key_place()
  // likewise.

  // Walking: first_child()/next() visit a list's items, or a map's values in source order; key() is the key a
  // value stands under ("" in lists and at the root).
  Node first_child() const;
  Node next() const;
  std::string_view key() const;
  base::Place key_place() const;

  // The value under the key, or a Node that does not exist. Linear in the map's size.
  Node find(std::string_view key) const;

  friend bool operator==(const Node&, const Node&) = default;

 private:
  friend class Document;
  Node(const Document* document, std::uint32_t index) : document_(document), index_(index) {}
  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;
};

// for (Node child : children(node))
class Children {
 public:
  explicit Children(Node parent) : first_(parent.exists() ? parent.first_child() : Node()) {}
  struct iterator {
    Node node;
    Node operator*() const { return node; }
    iterator& operator++() {
      node = node.next();
      return *this;
    }
    friend bool operator!=(const iterator& a, const iterator& b) { return !(a.node == b.node); }
  };
  iterator begin() const { return {first_}; }
  iterator end() const { return {Node()}; }

 private:
  Node first_;
};
inline Children children(Node parent) {
  return Children(parent);
}

// Owns the nodes. Movable; nodes of a moved-from document must be fetched again through root().
class Document {
 public:
  Document();
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  Node root() const;
  std::uint32_t file() const;

  struct Data;  // private to src/doc
  explicit Document(std::unique_ptr<Data> data);

 private:
  friend class Node;
  std::unique_ptr<Data> data_;
};

}  // namespace cmb2kueue::doc
