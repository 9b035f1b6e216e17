// Node's library, as the build makes it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace loopsim::quickjs {

// The files of node/, in the order in which they are loaded (tools/quickjs/embed.mjs). Only make_snapshot has them.
struct LibraryFile {
  std::string_view name, source;
};
std::span<const LibraryFile> library_files();
// The parser, one file (syntax/constructs.js with acorn).
std::span<const LibraryFile> syntax_files();

// The worlds once they are loaded: their memory, and then their registers (tools/quickjs/make_snapshot.cpp). They are only
// read by the program that they were made for, so they have that program's order of bytes.
std::span<const std::uint8_t> library_snapshot();
std::span<const std::uint8_t> syntax_snapshot();
// Of sim/quickjs/built_start.hpp. Null where a program is linked without it.
[[gnu::weak]] std::span<const std::uint8_t> start_snapshot();
// The default version's own library (sim/quickjs/builtins.hpp). Empty in WebAssembly, which fetches it.
std::span<const std::uint8_t> builtins_snapshot();

}  // namespace loopsim::quickjs
