// A JSON document as a flat tree that remembers where everything stood in the text.
//
// Every value is one Node of 36 bytes in one vector; nothing is allocated per value, and a text without escapes is a part of
// the document, known by where it begins and ends. A tree of a correct document is read once, from the root down; lines and
// columns are worked out only when something is wrong.
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

  // Values nested deeper than this are refused, so that reading may recurse.
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
  // Of a text, decoded; of a number, as written; else empty. Stays as long as the document.
  [[nodiscard]] std::string_view text(NodeIndex node) const {
    const Node& self = nodes_[node];
    return self.has_text ? view(self.keeps_text, self.first, self.count) : std::string_view();
  }
  // The same number for values that have one text between them (copy_content).
  [[nodiscard]] std::uint64_t text_number(NodeIndex node) const {
    const Node& self = nodes_[node];
    return (std::uint64_t{self.keeps_text} << 32U) | self.first;
  }
  // Of a member of an object, decoded; else empty.
  [[nodiscard]] std::string_view key(NodeIndex member) const {
    const Node& self = nodes_[member];
    return self.has_key ? view(self.keeps_key, self.keeps_key ? self.key_length : self.key_begin + 1, self.key_length)
                        : std::string_view();
  }
  [[nodiscard]] std::uint32_t size(NodeIndex node) const { return has_children(node) ? nodes_[node].count : 0; }
  [[nodiscard]] NodeIndex first_child(NodeIndex node) const { return has_children(node) ? nodes_[node].first : kNone; }
  [[nodiscard]] NodeIndex next(NodeIndex node) const { return nodes_[node].next; }  // among its siblings
  [[nodiscard]] NodeIndex parent(NodeIndex node) const { return nodes_[node].parent; }

  // The member's value, or kNone.
  [[nodiscard]] NodeIndex find(NodeIndex object, std::string_view key) const;
  // The value at a JSON pointer (RFC 6901), or kNone.
  [[nodiscard]] NodeIndex at_pointer(std::string_view pointer) const;
  [[nodiscard]] std::string pointer(NodeIndex node) const;
  [[nodiscard]] Scenario::Place place(NodeIndex node) const;
  // `hint` is the line that was asked for last: that of a value which stands soon after it is found at once. 0 at first.
  [[nodiscard]] std::uint32_t line(NodeIndex node, std::uint32_t& hint) const;
  // Line and column of what follows the value.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> end_place(NodeIndex node) const;
  // The value as compact JSON.
  [[nodiscard]] std::string json(NodeIndex node) const;
  [[nodiscard]] double number(NodeIndex node) const;  // of Kind::number

  // A problem with a value, or with a member's key.
  [[nodiscard]] Diagnostic diagnose(NodeIndex node, std::string message, std::string suggestion = {}) const;
  [[nodiscard]] Diagnostic diagnose_key(NodeIndex member, std::string message, std::string suggestion = {}) const;
  [[nodiscard]] Diagnostic diagnose_offset(std::size_t offset, std::string message) const;

  // Gives `target` the content (not the place) of `source`; both then share their children.
  void copy_content(NodeIndex target, NodeIndex source);
  // Gives `target` the content of `source`, which is used nowhere else.
  void move_content(NodeIndex target, NodeIndex source);
  // Takes the first byte of a text away.
  void drop_first_byte(NodeIndex text);
  void invalidate(NodeIndex node) { nodes_[node].kind = Kind::invalid; }
  // Parses another JSON text, whose values then stand at the place of `place`. kNone when it is not JSON.
  NodeIndex add_fragment(std::string_view text, NodeIndex place);
  // Adds a member at the end of an object.
  void append_member(NodeIndex object, std::string key, NodeIndex value);

 private:
  friend class DocumentBuilder;

  struct Node {
    Kind kind = Kind::null;
    bool boolean : 1 = false;
    bool overridden : 1 = false;  // given on the command line: stands at the place of what it replaced
    bool has_text : 1 = false;
    bool keeps_text : 1 = false;  // the text is one of kept_
    bool has_key : 1 = false;
    bool keeps_key : 1 = false;    // the key is one of kept_
    std::uint32_t begin = 0;       // offsets into the document
    std::uint32_t end = 0;         // one past the last byte
    std::uint32_t key_begin = 0;   // of the opening quote of the member's key
    std::uint32_t key_length = 0;  // or which of kept_
    NodeIndex parent = kNone;
    NodeIndex next = kNone;
    std::uint32_t first = kNone;  // the first child; of a text, its offset, or which of kept_
    std::uint32_t count = 0;      // how many children; of a text, how many bytes
  };
  static_assert(sizeof(Node) == 36);

  Document(std::string text, std::string file);

  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> line_column(std::size_t offset) const;
  [[nodiscard]] std::string source_line(std::uint32_t line) const;
  [[nodiscard]] bool has_children(NodeIndex node) const {
    return nodes_[node].kind == Kind::list || nodes_[node].kind == Kind::object;
  }
  [[nodiscard]] std::string_view view(bool is_kept, std::uint32_t first, std::uint32_t count) const {
    return is_kept ? std::string_view(kept_[first]) : std::string_view(text_.data() + first, count);
  }
  std::uint32_t keep(std::string text);  // its index in kept_
  void append_json(NodeIndex node, std::string& out) const;

  std::string text_;
  std::string file_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Node> nodes_;
  // Decoded texts, and those of the command line; a deque because views point into it.
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

[[nodiscard]] inline Children children(const Document& document, NodeIndex parent) { return {document, parent}; }

}  // namespace loopsim
