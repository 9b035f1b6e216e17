// The shipped scenarios.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/support/files.hpp"

namespace loopsim::testing {

// All of them but those of pages, sorted by path.
inline std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files = documents_in(LOOPSIM_SOURCE_DIR "/scenarios");
  std::erase_if(files, [](const std::filesystem::path& file) { return file.parent_path().filename() == "browser"; });
  return files;
}

// Of pages in a browser.
inline std::vector<std::filesystem::path> page_files() { return documents_in(LOOPSIM_SOURCE_DIR "/scenarios/browser"); }

}  // namespace loopsim::testing
