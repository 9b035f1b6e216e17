// Files and folders by their paths, through POSIX: std::filesystem is missing where this program is WebAssembly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::cli {

// ---- what a path says by itself ----------------------------------------------------------------------------------------------

[[nodiscard]] std::string folder_of(std::string_view path);  // without "/" at its end; empty: the current one
[[nodiscard]] std::string file_name_of(std::string_view path);
// `path` as seen from `folder`; an absolute one is itself.
[[nodiscard]] std::string path_below(std::string_view folder, std::string_view path);
// Without ".", and without ".." but at the beginning of a relative path: "a/./b/../c" is "a/c", and "a/.." is ".".
[[nodiscard]] std::string normal_path(std::string_view path);
// Its names; that of the root, "/", is the first of an absolute one.
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view path);

// ---- what is there, links followed ---------------------------------------------------------------------------------------------

[[nodiscard]] bool exists(const std::string& path);
[[nodiscard]] bool is_folder(const std::string& path);
[[nodiscard]] bool is_regular_file(const std::string& path);
[[nodiscard]] std::optional<std::uint64_t> file_size(const std::string& path);  // of a regular file
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);    // false if one is not there
// Absolute, with the links in what exists of it resolved.
[[nodiscard]] std::string real_path(const std::string& path);

struct FolderEntry {
  std::string name;
  bool is_folder = false;
  bool is_link = false;
};
// In no order. Empty: it cannot be read, for the reason in errno.
[[nodiscard]] std::optional<std::vector<FolderEntry>> read_folder(const std::string& path);

}  // namespace loopsim::cli
