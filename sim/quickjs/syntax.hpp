// Syntax that a version of Node has not: QuickJS reads that of the newest in all of them.
//
// A text is only parsed where one of the marks of what the version lacks stands in it (syntax_table.hpp). The parser, acorn, runs in a
// world of its own (syntax/constructs.js), from a snapshot as the library does: a program's world, its steps and its time know nothing
// of it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::quickjs {

struct MissingSyntax {
  std::string_view words;
  int since = 0;                       // the first version with it
  std::uint32_t line = 0, column = 0;  // where it stands first; the column in bytes
};

class SyntaxReader {
 public:
  SyntaxReader();
  ~SyntaxReader();
  SyntaxReader(const SyntaxReader&) = delete;
  SyntaxReader& operator=(const SyntaxReader&) = delete;

  // Whether one of the marks stands in it: only then there can be something.
  static bool must_read(std::string_view text, int major);
  // What Node of this major version cannot read of the text, in the order of the text, each construct once. Nothing of a text
  // that is no program for any version.
  std::vector<MissingSyntax> missing(std::string_view text, bool is_module, int major);

 private:
  class World;
  // Whatever some version has not, in the order of the text.
  std::vector<MissingSyntax> constructs(std::string_view text, bool is_module);
  std::unique_ptr<World> world_;  // once there is something to parse
};

// A line of a text, without its end.
std::string line_of(std::string_view text, std::uint32_t line);

// `Node 10 has no optional chaining (?.), only Node 14 and later`
std::string words_of(const MissingSyntax& missing, int major);
// The same of the first, and which version has all: `...; try -r node-14`. There must be one.
std::string message_of(std::span<const MissingSyntax> missing, int major);

}  // namespace loopsim::quickjs
