// A JSON document as a flat tree that keeps the position of each value in the text.
//
// Each value is one Node of 36 bytes in one vector, without an allocation per value. A text without escapes is a range
// of the document. Lines and columns are computed from the offsets on demand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/diagnostic.hpp"
#include "loopsim/scenario.hpp"

namespace loopsim {

class Document {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object, invalid };

  // Deeper nesting is refused, so that parsing and reading may recurse.
  static constexpr std::size_t kMaxNesting = 200;
  static constexpr std::size_t kMaxBytes = 1U << 30U;

  // Problems go to `diagnostics`; after a syntax error root() is kNone.
  static std::shared_ptr<Document> parse(std::string text, std::string file, Diagnostics& diagnostics);

  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] NodeIndex root() const { return root_; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] const std::string& file() const { return file_; }

  [[nodiscard]] Kind kind(NodeIndex node) const { return nodes_[node].kind; }
  [[nodiscard]] bool boolean(NodeIndex node) const { return nodes_[node].boolean; }
  // A text decoded, a number as written; else empty. Valid as long as the document.
  [[nodiscard]] std::string_view text(NodeIndex node) const {
    const Node& self = nodes_[node];
    return self.has_text ? view(self.keeps_text, self.first, self.count) : std::string_view();
  }
  // Equal for values that share one text (copy_content).
  [[nodiscard]] std::uint64_t text_number(NodeIndex node) const {
    const Node& self = nodes_[node];
    return (std::uint64_t{self.keeps_text} << 32U) | self.first;
  }
  // The decoded key of a member of an object; else empty.
  [[nodiscard]] std::string_view key(NodeIndex member) const {
    const Node& self = nodes_[member];
    return self.has_key ? view(self.keeps_key, self.keeps_key ? self.key_length : self.key_begin + 1, self.key_length)
                        : std::string_view();
  }
  [[nodiscard]] std::uint32_t size(NodeIndex node) const { return has_children(node) ? nodes_[node].count : 0; }
  [[nodiscard]] NodeIndex first_child(NodeIndex node) const { return has_children(node) ? nodes_[node].first : kNone; }
  [[nodiscard]] NodeIndex next(NodeIndex node) const { return nodes_[node].next; }  // sibling
  [[nodiscard]] NodeIndex parent(NodeIndex node) const { return nodes_[node].parent; }

  // The member's value, or kNone.
  [[nodiscard]] NodeIndex find(NodeIndex object, std::string_view key) const;
  // The value under one token of a JSON pointer, in an object or a list; or kNone.
  [[nodiscard]] NodeIndex child(NodeIndex node, std::string_view token) const;
  // The value at a JSON pointer (RFC 6901), or kNone.
  [[nodiscard]] NodeIndex at_pointer(std::string_view pointer) const;
  [[nodiscard]] std::string pointer(NodeIndex node) const;
  [[nodiscard]] Scenario::Place place(NodeIndex node) const;
  // `hint`: the last result, 0 at first; updated. Saves the search for a value at most a few lines after it.
  [[nodiscard]] std::uint32_t line(NodeIndex node, std::uint32_t& hint) const;
  // `line`: that of the value.
  [[nodiscard]] std::uint32_t column(NodeIndex node, std::uint32_t line) const;
  // Line and column just past the value.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> end_place(NodeIndex node) const;
  // The value as compact JSON.
  [[nodiscard]] std::string json(NodeIndex node) const;
  [[nodiscard]] double number(NodeIndex node) const;  // of Kind::number

  // A diagnostic about a value, a member's key, or a byte.
  [[nodiscard]] Diagnostic diagnose(NodeIndex node, std::string message, std::string suggestion = {}) const;
  [[nodiscard]] Diagnostic diagnose_key(NodeIndex member, std::string message, std::string suggestion = {}) const;
  [[nodiscard]] Diagnostic diagnose_offset(std::size_t offset, std::string message) const;

  // Copies the content (not the place) of `source` to `target`; both then share the children.
  void copy_content(NodeIndex target, NodeIndex source);
  // Moves the content of `source`, which has no other use, to `target`.
  void move_content(NodeIndex target, NodeIndex source);
  // Removes the first byte of a text.
  void drop_first_byte(NodeIndex text);
  void invalidate(NodeIndex node) { nodes_[node].kind = Kind::invalid; }
  // Parses another JSON text; its values get the place of `place`. kNone: not valid JSON.
  NodeIndex add_fragment(std::string_view text, NodeIndex place);
  // Adds a value at the end of a list, or a member at the end of an object.
  void append_item(NodeIndex list, NodeIndex value) { append_child(list, value); }
  void append_member(NodeIndex object, std::string key, NodeIndex value);
  // Makes a text or a number an object with one member, which has that content and that place.
  void wrap(NodeIndex scalar, std::string key);

 private:
  friend class DocumentBuilder;

  struct Node {
    Kind kind = Kind::null;
    bool boolean : 1 = false;
    bool overridden : 1 = false;  // from the command line; has the place of the value it replaced
    bool has_text : 1 = false;
    bool keeps_text : 1 = false;  // `first` is an index into kept_
    bool has_key : 1 = false;
    bool keeps_key : 1 = false;    // `key_length` is an index into kept_
    std::uint32_t begin = 0;       // offsets into the document
    std::uint32_t end = 0;         // one past the last byte
    std::uint32_t key_begin = 0;   // opening quote of the member's key
    std::uint32_t key_length = 0;  // or index into kept_
    NodeIndex parent = kNone;
    NodeIndex next = kNone;
    std::uint32_t first = kNone;  // the first child; of a text or number, its offset or index into kept_
    std::uint32_t count = 0;      // children; of a text or number: bytes
  };
  static_assert(sizeof(Node) == 36);

  Document(std::string text, std::string file);

  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> line_column(std::size_t offset) const;
  [[nodiscard]] std::uint32_t column_at(std::size_t offset, std::uint32_t line) const;
  [[nodiscard]] std::string source_line(std::uint32_t line) const;
  [[nodiscard]] bool has_children(NodeIndex node) const {
    return nodes_[node].kind == Kind::list || nodes_[node].kind == Kind::object;
  }
  [[nodiscard]] std::string_view view(bool is_kept, std::uint32_t first, std::uint32_t count) const {
    return is_kept ? std::string_view(kept_[first]) : std::string_view(text_.data() + first, count);
  }
  std::uint32_t keep(std::string text);  // its index in kept_
  void append_child(NodeIndex parent, NodeIndex value);
  void append_json(NodeIndex node, std::string& out) const;

  std::string text_;
  std::string file_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Node> nodes_;
  // Decoded texts, and texts of the command line. A deque, since views point into it.
  std::deque<std::string> kept_;
  NodeIndex root_ = kNone;
};

// The children of a list or an object: for (NodeIndex child : children(document, node)).
class Children {
 public:
  class Iterator {
   public:
    Iterator(const Document* document, NodeIndex node) : document_(document), node_(node) {}
    NodeIndex operator*() const { return node_; }
    Iterator& operator++() {
      node_ = document_->next(node_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const Document* document_;
    NodeIndex node_;
  };

  Children(const Document& document, NodeIndex parent) : document_(&document), first_(document.first_child(parent)) {}
  [[nodiscard]] Iterator begin() const { return {document_, first_}; }
  [[nodiscard]] Iterator end() const { return {document_, kNone}; }

 private:
  const Document* document_;
  NodeIndex first_;
};

// The key that a token of a JSON pointer stands for: ~1 is "/", ~0 is "~".
[[nodiscard]] std::string key_of_token(std::string_view token);

[[nodiscard]] inline Children children(const Document& document, NodeIndex parent) { return {document, parent}; }

}  // namespace loopsim
