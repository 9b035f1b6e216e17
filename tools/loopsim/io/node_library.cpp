#include "tools/loopsim/io/node_library.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "tools/loopsim/io/held.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/scenario_files.hpp"
#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {

namespace {

std::string given_folder;  // set once, before anything is read

// A version is a name of a profile's; it names no other folder.
bool is_version(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

std::string read(std::string_view version) {
  for (const std::string& folder : node_library_folders()) {
    const std::string file = path_below(folder, std::string(version) + ".builtins");
    if (is_regular_file(file)) return read_input(file).value_or("");
  }
  return {};
}

}  // namespace

void set_node_library_folder(std::string folder) { given_folder = std::move(folder); }

std::vector<std::string> node_library_folders() {
  if (!given_folder.empty()) return {given_folder};
#if defined(__wasm__)
  return {"/.loopsim/node-library"};  // tools/npm/engine.js
#else
  const std::string program = path_of_program();  // PREFIX/bin/loopsim
  if (program.empty()) return {};
  const std::string folder = folder_of(program);
  return {path_below(folder, "node-library"), path_below(folder_of(folder), "share/loopsim/node-library")};
#endif
}

std::span<const std::uint8_t> node_library(std::string_view version) {
  static Mutex mutex;
  static std::map<std::string, std::string, std::less<>> libraries;
  if (!is_version(version)) return {};
  const Held held(mutex);
  auto found = libraries.find(version);
  if (found == libraries.end()) found = libraries.emplace(version, read(version)).first;
  return {reinterpret_cast<const std::uint8_t*>(found->second.data()), found->second.size()};
}

}  // namespace loopsim::cli
