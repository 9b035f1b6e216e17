// File access for tests.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace loopsim::testing {

// The whole file, byte for byte. Throws if it cannot be read, so that no test passes on a missing file.
inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) throw std::runtime_error("cannot read " + path.string());
  return text;
}

// The JSON documents in a folder and its subfolders, without schemas, sorted by path.
inline std::vector<std::filesystem::path> documents_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && name.find(".schema.") == std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace loopsim::testing
