// Node's own library of the versions that are not a part of the program: files that are installed with it, or beside it where it was
// built (tools/quickjs/make_builtins.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::cli {

// For programs of the build that stand elsewhere: it is in this folder alone.
void set_node_library_folder(std::string folder);

// The folders where it may be, the first first.
[[nodiscard]] std::vector<std::string> node_library_folders();

// Of "18.20.8"; empty: it is not here, or cannot be read. Each file is read once, and stays in memory. May be called from several threads.
[[nodiscard]] std::span<const std::uint8_t> node_library(std::string_view version);

}  // namespace loopsim::cli
