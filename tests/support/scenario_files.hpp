// The scenarios that ship.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace loopsim::testing {

// All of them, in order of their paths; not the schema.
inline std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LOOPSIM_SOURCE_DIR "/scenarios")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".json" && name.find(".schema.") == std::string::npos)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace loopsim::testing
