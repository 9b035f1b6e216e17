// A JSON document as a flat tree that keeps the position of each value in the text.
//
// Each value is one Node of 24 bytes in one vector, without an allocation per value. A text without escapes is a range
// of the document. Lines and columns, the place of a key and the end of a value are found in the text on demand. Once a
// scenario has been made, only the places of its values are needed: forget_values() frees the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
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
    if (!self.has_key) return {};
    if (self.keeps_key) return kept_keys_.find(member)->second;
    return {text_.data() + key_end(self) - self.key_length, self.key_length};
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

  // False if no value's text has this byte, which is not '"' or '\\'.
  [[nodiscard]] bool may_contain(char c) const { return !kept_.empty() || text_.find(c) != std::string::npos; }

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
  void invalidate(NodeIndex node) {
    is_changed_ = true;
    nodes_[node].kind = Kind::invalid;
  }
  // Parses another JSON text; its values get the place of `place`. kNone: not valid JSON.
  NodeIndex add_fragment(std::string_view text, NodeIndex place);
  // Adds a value at the end of a list, or a member at the end of an object.
  void append_item(NodeIndex list, NodeIndex value) { append_child(list, value); }
  void append_member(NodeIndex object, std::string key, NodeIndex value);
  // Makes a text or a number an object with one member, which has that content and that place.
  void wrap(NodeIndex scalar, std::string key);

  // Frees the values. After that a node has its line and column; place(), end_place() and the diagnostics give the same
  // as before, but each call reads the text again, and the other functions on nodes may not be called. Does nothing if
  // the values have been changed: then the text does not have them.
  void forget_values();
  // A document with the same text and values, for many questions: `document` itself if it has not forgotten them.
  static std::shared_ptr<const Document> with_values(const std::shared_ptr<const Document>& document);

 private:
  friend class DocumentBuilder;

  // There are seven of them for each hundred bytes of a usual document, so what is rarely asked for is not here: the end
  // of a value, and where its key is (after the key come blanks, a colon, blanks and the value).
  struct Node {
    std::uint32_t begin = 0;  // offset into the document
    NodeIndex parent = kNone;
    NodeIndex next = kNone;
    std::uint32_t first = kNone;  // the first child; of a text or number, its offset or index into kept_
    std::uint32_t count = 0;      // children; of a text or number: bytes
    Kind kind = Kind::null;
    bool boolean : 1 = false;
    bool overridden : 1 = false;  // from the command line; has the place of the value it replaced
    bool has_text : 1 = false;
    bool keeps_text : 1 = false;  // `first` is an index into kept_
    bool has_key : 1 = false;
    bool keeps_key : 1 = false;  // it is in kept_keys_
    std::uint16_t key_length = 0;
  };
  static_assert(sizeof(Node) == 24);
  static constexpr std::size_t kMostKeyLength = 0xffff;
  static constexpr std::size_t kMostKeyGap = 64;  // bytes between a key and its value; where there are more, it is kept

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
  // The closing quote of the key of a member of an object, in the text.
  [[nodiscard]] std::size_t key_end(const Node& member) const {
    std::size_t at = member.begin - 1;
    while (text_[at] != '"') --at;
    return at;
  }
  // Its opening quote; the value itself where there is no key.
  [[nodiscard]] std::size_t key_begin(NodeIndex member) const;
  [[nodiscard]] std::size_t end(NodeIndex node) const;  // one past the last byte of the value
  [[nodiscard]] bool has_forgotten() const { return !begins_.empty(); }
  [[nodiscard]] std::uint32_t begin(NodeIndex node) const {
    return has_forgotten() ? begins_[node] : nodes_[node].begin;
  }
  [[nodiscard]] std::shared_ptr<const Document> read_again() const;
  std::uint32_t keep(std::string text);  // its index in kept_
  void append_child(NodeIndex parent, NodeIndex value);
  void append_json(NodeIndex node, std::string& out) const;

  std::string text_;
  std::string file_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Node> nodes_;
  // Decoded texts, and texts of the command line. A deque, since views point into it.
  std::deque<std::string> kept_;
  std::unordered_map<NodeIndex, std::string> kept_keys_;  // lookup only, never iterated
  NodeIndex root_ = kNone;
  bool is_changed_ = false;            // the values are no longer those of the text
  std::vector<std::uint32_t> begins_;  // Node::begin of all nodes, once the nodes are forgotten
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
