// A JSON document as a flat tree that remembers where everything stood in the text.
//
// Every value is one Node in one vector; nothing is allocated per value, and a text without escapes is a view into the
// document. A tree of a correct document is read once, from the root down; the places are needed only when something is
// wrong.
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

  struct Node {
    Kind kind = Kind::null;
    bool boolean = false;
    bool overridden = false;      // given on the command line: stands at the place of what it replaced
    std::uint32_t begin = 0;      // offsets into the document
    std::uint32_t end = 0;        // one past the last byte
    std::uint32_t key_begin = 0;  // of the opening quote of the member's key
    NodeIndex parent = kNone;
    NodeIndex first_child = kNone;
    NodeIndex next_sibling = kNone;
    std::uint32_t size = 0;  // number of children
    std::string_view text;   // text: decoded; number: as written
    std::string_view key;    // member of an object: decoded
  };

  // Values nested deeper than this are refused, so that reading may recurse.
  static constexpr std::size_t kMaxNesting = 200;
  static constexpr std::size_t kMaxBytes = 1U << 30U;

  // Problems go to `diagnostics`; after a syntax error root() is kNone.
  static std::shared_ptr<Document> parse(std::string text, std::string file, Diagnostics& diagnostics);

  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] NodeIndex root() const { return root_; }
  [[nodiscard]] const Node& operator[](NodeIndex node) const { return nodes_[node]; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] const std::string& file() const { return file_; }

  // The member's value, or kNone.
  [[nodiscard]] NodeIndex find(NodeIndex object, std::string_view key) const;
  // The value at a JSON pointer (RFC 6901), or kNone.
  [[nodiscard]] NodeIndex at_pointer(std::string_view pointer) const;
  [[nodiscard]] std::string pointer(NodeIndex node) const;
  [[nodiscard]] Scenario::Place place(NodeIndex node) const;
  [[nodiscard]] std::uint32_t line(NodeIndex node) const;
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
  void set_text_view(NodeIndex target, std::string_view text) { nodes_[target].text = text; }
  void invalidate(NodeIndex node) { nodes_[node].kind = Kind::invalid; }
  // Parses another JSON text, whose values then stand at the place of `place`. kNone when it is not JSON.
  NodeIndex add_fragment(std::string text, NodeIndex place);
  // Adds a member at the end of an object.
  void append_member(NodeIndex object, std::string key, NodeIndex value);

 private:
  friend class DocumentBuilder;
  Document(std::string text, std::string file);

  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> line_column(std::size_t offset) const;
  [[nodiscard]] std::string source_line(std::uint32_t line) const;
  std::string_view keep(std::string text);
  void append_json(NodeIndex node, std::string& out) const;

  std::string text_;
  std::string file_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Node> nodes_;
  std::deque<std::string> kept_;  // decoded texts, and those of the command line; a deque because views point into it
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
      node_ = (*document_)[node_].next_sibling;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const Document* document_;
    NodeIndex node_;
  };

  Children(const Document& document, NodeIndex parent) : document_(&document), first_(document[parent].first_child) {}
  [[nodiscard]] Iterator begin() const { return {document_, first_}; }
  [[nodiscard]] Iterator end() const { return {document_, kNone}; }

 private:
  const Document* document_;
  NodeIndex first_;
};

[[nodiscard]] inline Children children(const Document& document, NodeIndex parent) { return {document, parent}; }

}  // namespace loopsim
