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

// The world once they are loaded: its memory, and then its registers (tools/quickjs/make_snapshot.cpp). It is only read by
// the program that it was made for, so it has that program's order of bytes.
std::span<const std::uint8_t> library_snapshot();

}  // namespace loopsim::quickjs
