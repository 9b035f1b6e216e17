// The shipped scenarios.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/support/files.hpp"

namespace loopsim::testing {

// All of them, sorted by path.
inline std::vector<std::filesystem::path> scenario_files() { return documents_in(LOOPSIM_SOURCE_DIR "/scenarios"); }

}  // namespace loopsim::testing
