// Node's library, as the build makes it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace loopsim::quickjs {

// The files of node/, in the order in which they are loaded (tools/quickjs/embed.cmake). Only make_snapshot has them.
struct LibraryFile {
  std::string_view name, source;
};
std::span<const LibraryFile> library_files();
// The parser, one file (syntax/constructs.js with acorn).
std::span<const LibraryFile> syntax_files();

// The worlds once they are loaded (tools/quickjs/make_snapshot.cpp).
std::span<const std::uint8_t> library_snapshot();
std::span<const std::uint8_t> syntax_snapshot();

}  // namespace loopsim::quickjs
